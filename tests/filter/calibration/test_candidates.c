/* filter/calibration/candidates.c: the list and its copy. */
#include "filter/calibration/candidates.h"

#include "tests/check.h"

static void a_list_grows_and_its_copy_is_its_own(void)
{
    enum { N = 5000 };
    candidate_list list = {0}, copy;
    for (size_t i = 0; i < N; i++) CHECK(candidates_add(&list, (candidate){.recording = i}));
    CHECK(list.n == N && candidates_copy(&copy, &list));
    list.items[N - 1].recording = 0;
    for (size_t i = 0; i < N; i++) CHECK(copy.items[i].recording == i);
    candidates_free(&copy);
    candidates_free(&list);
    CHECK(!list.items && list.n == 0);
}

static void an_empty_list_is_copied(void)
{
    const candidate_list empty = {0};
    candidate_list copy;
    CHECK(candidates_copy(&copy, &empty) && copy.n == 0);
    CHECK(candidates_add(&copy, (candidate){.score = 2}) && copy.items[0].score == 2);
    candidates_free(&copy);
}

int main(void)
{
    RUN(a_list_grows_and_its_copy_is_its_own);
    RUN(an_empty_list_is_copied);
    return check_done();
}
