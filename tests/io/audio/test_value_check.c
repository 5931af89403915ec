#include "io/audio/value_check.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

#include "tests/check.h"

static value_check check_of(const float *values, size_t n)
{
    value_check c = {.width = sizeof *values};
    const uint16_t one = 1;
    c.big_endian = *(const unsigned char *)&one == 0;
    value_check_add(&c, (const unsigned char *)values, n);
    return c;
}

static void absurd_values_are_counted(void)
{
    const float absurd[] = {NAN, -NAN, INFINITY, -INFINITY, 1.1e30F, -1e38F, 1e-40F, -1e-45F};
    const float good[] = {0, -0.0F, 1, -1e30F, 1e30F, 1.2e-38F, -1.2e-38F, 3};
    CHECK(check_of(absurd, 8).absurd == 8 && check_of(absurd, 8).seen == 8);
    CHECK(check_of(good, 8).absurd == 0 && check_of(good, 8).seen == 8);
}

static void doubles_of_both_orders(void)
{
    static const unsigned char big[] = {0x7f, 0xf0, 0, 0, 0, 0, 0, 0,  /* infinity */
                                        0,    0,    0, 0, 0, 0, 0, 1,  /* 5e-324 */
                                        0x3f, 0xf0, 0, 0, 0, 0, 0, 0}; /* 1 */
    unsigned char little[sizeof big];
    for (size_t i = 0; i < sizeof big; i++) little[i] = big[i / 8 * 8 + 7 - i % 8];
    value_check c = {.width = 8, .big_endian = true};
    value_check_add(&c, big, 3);
    CHECK(c.absurd == 2 && c.seen == 3 && value_check_fails(&c));
    c = (value_check){.width = 8};
    value_check_add(&c, little, 3);
    CHECK(c.absurd == 2 && c.seen == 3);
}

static void half_of_them_may_be_absurd(void)
{
    const float values[] = {NAN, 1, INFINITY, 2, 1e35F};
    const value_check none = {.width = 4}, half = check_of(values, 4), more = check_of(values, 5);
    CHECK(!value_check_fails(&none) && !value_check_fails(&half) && value_check_fails(&more));
}

static void only_the_first_are_judged(void)
{
    static float values[2 * VALUE_CHECK_MOST];
    for (size_t i = VALUE_CHECK_MOST; i < 2 * VALUE_CHECK_MOST; i++) values[i] = NAN;
    values[VALUE_CHECK_MOST - 1] = NAN;
    const value_check whole = check_of(values, 2 * VALUE_CHECK_MOST);
    CHECK(whole.seen == VALUE_CHECK_MOST && whole.absurd == 1);
    value_check parts = check_of(values, VALUE_CHECK_MOST - 3);
    for (size_t i = VALUE_CHECK_MOST - 3; i < VALUE_CHECK_MOST + 9; i += 2)
        value_check_add(&parts, (const unsigned char *)(values + i), 2);
    CHECK(parts.seen == whole.seen && parts.absurd == whole.absurd);
}

int main(void)
{
    RUN(absurd_values_are_counted);
    RUN(doubles_of_both_orders);
    RUN(half_of_them_may_be_absurd);
    RUN(only_the_first_are_judged);
    return check_done();
}
