#include "io/tables/decimal_pair.h"

#include <stdio.h>
#include <string.h>

#include "tests/check.h"

static decimal_pair pair;

/* Look at rows between blanks. Returns what the last one is. */
static pair_kind look(const char *rows)
{
    static field fields[16];
    static char line[64];
    pair_kind kind = PAIR_OPEN;
    pair = (decimal_pair){0};
    for (int used; kind == PAIR_OPEN && sscanf(rows, " %63s%n", line, &used) == 1; rows += used) {
        row r = {.separator = ',', .fields = fields};
        row_parse(&r, line, strlen(line));
        if (r.n == 2) kind = decimal_pair_look(&pair, &r);
    }
    return kind;
}

static bool is_likely(const char *rows)
{
    return look(rows) == PAIR_OPEN && decimal_pair_is_likely(&pair);
}

static void decimals_are_likely(void)
{
    CHECK(is_likely("20,5 20,75 19,25") && is_likely("20,5 20,7 19,2"));
    CHECK(is_likely("20,51 20,49 20,50 20,48") && is_likely("-1,5 0,5 -1,7"));
    CHECK(is_likely("-1,399e+03 -870,5 20,25") && is_likely("+20,5 20,0 20,0 20,5"));
}

static void a_zero_before_digits_is_a_decimal(void)
{
    CHECK(look("20,05") == PAIR_DECIMAL && look("20,5 21,05") == PAIR_DECIMAL);
    CHECK(look("7,00") == PAIR_DECIMAL && look("-7,00") == PAIR_DECIMAL);
    CHECK(look("-0,1") == PAIR_DECIMAL && look("0,1") == PAIR_OPEN);
}

/* Regression: each of these had a warning. */
static void ordinary_pairs_are_two_columns(void)
{
    static const char *const sure[] = {"1767268808,0",
                                       "007,5",
                                       "1.5,2",
                                       "1,-5",
                                       "\"1\",5",
                                       "5,NA",
                                       "-,5",
                                       "1,5 2,7 3,4 4,4 5,5",
                                       "0,5 100,9 200,7 300,7 400,6",
                                       "40,3 30,5 20,5 10,5 0,4",
                                       "9,7 3,10",
                                       "512,498 3,1020"};
    static const char *const open[] = {
        "5,0 9,1 7,0 5,1", "20,5 19,5 21,5 7,5", "1,2 3,4",
        ("1,5 3,7 4,5 6,7 7,1 9,6 11,5 14,2 15,1 16,7 18,9 20,7 21,8 "
         "24,5 26,5 27,3")};
    for (size_t i = 0; i < sizeof sure / sizeof *sure; i++)
        CHECK_MSG(look(sure[i]) == PAIR_SURE, "%s", sure[i]);
    for (size_t i = 0; i < sizeof open / sizeof *open; i++)
        CHECK_MSG(look(open[i]) == PAIR_OPEN && !decimal_pair_is_likely(&pair), "%s", open[i]);
}

/* Regression: so had these. */
static void few_digits_are_no_decimals(void)
{
    static char rows[8192];
    const char *const formats[] = {"%d,%d ", "%d,4%02d ", "%d,%d "};
    for (int k = 0; k < 3; k++) {
        char *end = rows;
        for (int i = 0; i < 64; i++)
            end += sprintf(end, formats[k], i * i % 31, k == 1 ? i : k ? i % 2 * 5 : i % 3);
        CHECK(look(rows) == PAIR_OPEN && decimal_pair_is_likely(&pair) == (k == 2));
    }
}

int main(void)
{
    RUN(decimals_are_likely);
    RUN(a_zero_before_digits_is_a_decimal);
    RUN(ordinary_pairs_are_two_columns);
    RUN(few_digits_are_no_decimals);
    return check_done();
}
