#include "tools/common/options/shared_options.h"

#include <string.h>

#include "tests/check.h"

static void items_are_numbers_ranges_and_names(void)
{
    static const size_t numbers[] = {2, 4, 5, 6, 0, 0};
    column_list l = {0};
    CHECK(!column_list_parse(&l, "7") && l.n == 1 && l.numbers[0] == 7 && !l.names[0]);
    CHECK(!column_list_parse(&l, "2,4-6,x,engine-2 (rpm)") && l.n == 6);
    CHECK(memcmp(l.numbers, numbers, sizeof numbers) == 0);
    CHECK(!l.names[3] && !strcmp(l.names[4], "x") && !strcmp(l.names[5], "engine-2 (rpm)"));
    CHECK(!column_list_parse(&l, "1-4096") && l.n == 4096);
    column_list_free(&l);
    CHECK(l.n == 0 && !l.numbers);
}

/* Regression: a name with a comma could not be given. */
static void names_in_quotes_hold_commas(void)
{
    column_list l = {0};
    CHECK(!column_list_parse(&l, "\"x, raw\",2,\"2026\",\"a \"\"b\"\"\"") && l.n == 4);
    CHECK(!strcmp(l.names[0], "x, raw") && l.numbers[1] == 2 && !l.names[1]);
    CHECK(!strcmp(l.names[2], "2026") && !strcmp(l.names[3], "a \"b\""));
    CHECK(!column_list_parse(&l, "\"5 in,x") && l.n == 2 && !strcmp(l.names[0], "\"5 in"));
    CHECK(!column_list_parse(&l, "\"a\"b,x") && l.n == 2 && !strcmp(l.names[0], "\"a\"b"));
    column_list_free(&l);
}

static void other_lists_are_refused(void)
{
    static const char *const bad[] = {"",     "0",  "2-",    "-2",      "3-2", "1,,2",
                                      "1,x,", ",x", "1-2-3", "1048577", "--"};
    column_list l = {0};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        const char *reason = column_list_parse(&l, bad[i]);
        CHECK_MSG(reason && strstr(reason, "not a list") && l.n == 0, "'%s'", bad[i]);
    }
    CHECK(!strcmp(column_list_parse(&l, "1-4097"), "more than 4096 columns"));
    CHECK(!strcmp(column_list_parse(&l, "1-4096,x"), "more than 4096 columns"));
    column_list_free(&l);
}

int main(void)
{
    RUN(items_are_numbers_ranges_and_names);
    RUN(names_in_quotes_hold_commas);
    RUN(other_lists_are_refused);
    return check_done();
}
