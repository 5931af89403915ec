#include "tools/common/options/number.h"

#include "check.h"

static void real_numbers_are_whole_texts(void)
{
    double x = 7;
    CHECK(number_real("1.5", &x) && x == 1.5);
    CHECK(number_real("-2e3", &x) && x == -2000);
    CHECK(number_real("+.5", &x) && x == 0.5);
    CHECK(number_real("1.", &x) && x == 1);
    CHECK(number_real("1e-400", &x) && x == 0);
    static const char *const bad[] = {"",     " 1",    "1 ",  "1x",  "0x10", "inf", "nan",
                                      "-inf", "1e400", "1,5", "--1", ".",    "e5",  "1e"};
    x = 7;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        CHECK_MSG(!number_real(bad[i], &x) && x == 7, "'%s'", bad[i]);
}

static void a_part_of_a_text_is_read_alone(void)
{
    double x;
    CHECK(number_real_part("0.5,2", 3, &x) && x == 0.5);
    CHECK(!number_real_part("0.5,2", 4, &x));
    CHECK(!number_real_part("", 0, &x));
    CHECK(!number_real_part("0000000000000000000000000000000000000000000000000000000000000000001",
                            67, &x));
}

static void whole_numbers_keep_their_bounds(void)
{
    uint64_t n = 7;
    CHECK(number_whole("0", 0, 9, &n) && n == 0);
    CHECK(number_whole("0009", 0, 9, &n) && n == 9);
    CHECK(number_whole("18446744073709551615", 0, UINT64_MAX, &n) && n == UINT64_MAX);
    static const char *const bad[] = {
        "", "-1", "+1", " 1", "1.0", "10", "0x1", "1e0", "18446744073709551616"};
    n = 7;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        CHECK_MSG(!number_whole(bad[i], 0, 9, &n) && n == 7, "'%s'", bad[i]);
    CHECK(!number_whole("0", 1, 9, &n));
    CHECK(!number_whole("18446744073709551616", 0, UINT64_MAX, &n));
}

int main(void)
{
    RUN(real_numbers_are_whole_texts);
    RUN(a_part_of_a_text_is_read_alone);
    RUN(whole_numbers_keep_their_bounds);
    return check_done();
}
