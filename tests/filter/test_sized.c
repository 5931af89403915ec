/* filter/sized.h: structs of different sizes. */
#include "filter/sized.h"

#include "tests/check.h"

typedef struct {
    size_t size;
    int a, b;
} pair;

static void only_members_that_both_have_are_copied(void)
{
    const pair from = {sizeof from, 1, 2};
    pair all = {0}, old = {0}, none = {0};
    sized_copy(&all, &from, sizeof all + 8, sizeof from);
    CHECK(all.size == 0 && all.a == 1 && all.b == 2);
    sized_copy(&old, &from, offsetof(pair, b), sizeof from);
    CHECK(old.a == 1 && old.b == 0);
    sized_copy(&none, &from, 0, sizeof from);
    CHECK(none.a == 0 && none.b == 0);
}

int main(void)
{
    RUN(only_members_that_both_have_are_copied);
    return check_done();
}
