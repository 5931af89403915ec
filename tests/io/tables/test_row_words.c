#include "io/tables/row_words.h"

#include <string.h>

#include "tests/check.h"

/* The fields of a line between commas, and of the one below it. */
static field fields[2][16];
static char lines[2][64];

static row row_of(int i, const char *text)
{
    row r = {.separator = ',', .fields = fields[i]};
    strcpy(lines[i], text);
    row_parse(&r, lines[i], strlen(text));
    return r;
}

static bool are_units(const char *line, const char *below)
{
    const row r = row_of(0, line), next = row_of(1, below);
    return row_is_units(&r, &next);
}

static bool is_unclear(const char *line, const char *below)
{
    const row r = row_of(0, line), next = row_of(1, below);
    return row_is_unclear(&r, &next);
}

/* Regression: "s,1,V" was a sample of a column without a unit. */
static void units_may_be_1_or_dashes(void)
{
    CHECK(are_units("s,V", "0,5") && are_units("s,1,V", "0,2,5") && are_units("s,-", "0,NA"));
    CHECK(are_units("s,,", "0,2,5") && are_units("-,--", "1,2") && are_units("ts,V", "12:00,5"));
    CHECK(!are_units("s,1,V", "0,5") && !are_units("s1,NA", "s1,5") && !are_units("NA,NA", "1,2"));
    CHECK(!are_units("1,oops", "2,5") && !are_units("1,V", "0,5") && !are_units("s,2", "0,5"));
    CHECK(!are_units("12:00,-", "13:00,5"));
}

static void a_word_beside_whole_numbers_is_unclear(void)
{
    CHECK(is_unclear("2026,t", "5,6") && is_unclear("1,1,V", "0,5,6") && is_unclear("7,id", "8,9"));
    CHECK(!is_unclear("20.5,t", "5,6") && !is_unclear("1,bad", "2,6") && !is_unclear("5,a", "6,b"));
    CHECK(!is_unclear("5,12:00", "6,7") && !is_unclear("5,a", "6,7,8"));
}

static void odd_names_have_words(void)
{
    const row r = row_of(0, "t,2026,x"), s = row_of(1, "2026,x");
    CHECK(row_is_odd_names(&r) && !row_is_odd_names(&s));
    CHECK(row_count_words(&r) == 2 && row_count_numbers(&r) == 1);
    CHECK(!row_shares_numbers(&r, &s));
}

static void columns_are_counted_from_0(void)
{
    const row r = row_of(0, ",0,1"), s = row_of(1, "0,2");
    CHECK(row_counts_columns(&r) && !row_counts_columns(&s));
}

int main(void)
{
    RUN(units_may_be_1_or_dashes);
    RUN(a_word_beside_whole_numbers_is_unclear);
    RUN(odd_names_have_words);
    RUN(columns_are_counted_from_0);
    return check_done();
}
