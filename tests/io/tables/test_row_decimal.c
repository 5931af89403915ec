/* decimal_to_double against strtod: the same bits whenever it parses. */
#include <inttypes.h>
#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "io/tables/row.h"
#include "tests/check.h"

static uint64_t seed;

/* Did it parse? If so, the bits must be those of strtod. */
static bool agrees(const char *text, bool *answered)
{
    char *end;
    double d = (double)NAN, library_d = strtod(text, &end);
    size_t used_d = decimal_to_double(text, &d);
    bool same =
        used_d == 0 || (used_d == (size_t)(end - text) && !memcmp(&d, &library_d, sizeof d));
    if (!same) fprintf(stderr, "%s: %.17g\n", text, d);
    *answered = used_d > 0;
    return same;
}

static bool is(const char *text)
{
    bool answered;
    return agrees(text, &answered) && answered;
}

static bool is_left(const char *text)
{
    bool answered;
    return agrees(text, &answered) && !answered;
}

static void common_numbers(void)
{
    CHECK(is("0") && is("-0") && is("+7") && is("1.") && is(".5") && is("-.25"));
    CHECK(is("3.14159") && is("-0.000001") && is("16777216") && is("0.1234567890123"));
    CHECK(is("1,2") && is("1 2") && is("1;") && is("9007199254740992"));
    CHECK(is("0.0000000000000001"));
}

static void other_numbers_are_left_to_strtod(void)
{
    CHECK(is_left("") && is_left("-") && is_left(".") && is_left("+.") && is_left("x"));
    CHECK(is_left("1e5") && is_left("0x10") && is_left("inf") && is_left("nan") &&
          is_left("1.2.3"));
    CHECK(is_left("9007199254740993") && is_left("1234567890123456789"));
    CHECK(is_left("0.00000000000000000000000000000000000000001"));
}

static void random_numbers(void)
{
    uint64_t random = seed + 1;
    int n_answered = 0;
    for (int i = 0; i < 300000; i++) {
        char text[64];
        bool answered;
        uint64_t whole = check_random(&random) >> check_below(&random, 64);
        int n = snprintf(text, sizeof text, "%s%" PRIu64, i % 2 ? "-" : "", whole);
        size_t places = check_below(&random, (uint64_t)n);
        memmove(text + (size_t)n - places + 1, text + (size_t)n - places, places + 1);
        text[(size_t)n - places] = '.';
        CHECK_MSG(agrees(text, &answered), "%s", text);
        n_answered += answered;
    }
    CHECK(n_answered > 200000);
}

int main(void)
{
    seed = check_seed("test_row_decimal");
    RUN(common_numbers);
    RUN(other_numbers_are_left_to_strtod);
    RUN(random_numbers);
    return check_done();
}
