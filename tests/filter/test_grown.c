/* filter/grown.h: arrays that grow. */
#include <string.h>

#include "filter/grown.h"
#include "tests/check.h"

static void items_stay_while_it_grows(void)
{
    size_t capacity = 0;
    int *items = NULL;
    for (int i = 0; i < 1000; i++) {
        items = grown(items, &capacity, (size_t)i + 1, sizeof *items);
        CHECK(items && capacity > (size_t)i);
        items[i] = i;
    }
    for (int i = 0; i < 1000; i++) CHECK(items[i] == i);
    CHECK(capacity < 4000);
    free(items);
}

static void room_that_is_there_moves_nothing(void)
{
    size_t capacity = 0;
    char *items = grown(NULL, &capacity, 1, 1);
    const size_t before = capacity;
    CHECK(items && grown(items, &capacity, before, 1) == items && capacity == before);
    free(items);
}

static void sizes_that_overflow_have_no_memory(void)
{
    size_t capacity = 0;
    char *items = grown(NULL, &capacity, 1, 1);
    const size_t before = capacity;
    CHECK(items && !grown(items, &capacity, SIZE_MAX, 1));
    CHECK(!grown(items, &capacity, SIZE_MAX / 4, 4) &&
          !grown(items, &capacity, before + 1, SIZE_MAX / 2));
    CHECK(!grown(NULL, &(size_t){0}, 1, SIZE_MAX / 2) && capacity == before);
    memset(items, 1, before);
    free(items);
}

int main(void)
{
    RUN(items_stay_while_it_grows);
    RUN(room_that_is_there_moves_nothing);
    RUN(sizes_that_overflow_have_no_memory);
    return check_done();
}
