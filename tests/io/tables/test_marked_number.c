#include "io/tables/marked_number.h"

#include <string.h>

#include "tests/check.h"

/* Of fields that semicolons separate. */
static const number_marks comma = {',', false, true, true}, point = {'.', false, true, true},
                          given_comma = {',', true, true, true},
                          given_point = {'.', true, true, true};

/* Is the number copied so, with `rest` behind it? */
static bool is(number_marks marks, const char *text, const char *wanted, const char *rest)
{
    char plain[MARKED_NUMBER_SIZE];
    const size_t used = marked_number_copy(marks, text, plain);
    return used > 0 && strcmp(plain, wanted) == 0 && strcmp(text + used, rest) == 0;
}

static bool is_none(number_marks marks, const char *text)
{
    char plain[MARKED_NUMBER_SIZE];
    return marked_number_copy(marks, text, plain) == 0;
}

static void commas_are_decimal(void)
{
    CHECK(is(comma, "20,05", "20.05", "") && is(comma, "-0,5;7", "-0.5", ";7"));
    CHECK(is(comma, "1,5e-3", "1.5e-3", "") && is(comma, "+7 ", "+7", " "));
    CHECK(is_none(comma, "1,5,5") && is_none(comma, "1,5.5") && is_none(comma, ",5"));
    CHECK(is_none(comma, "1,5x") && is_none(comma, "x") && is_none(comma, ""));
    CHECK(is_none(comma, "1,5\xc2\xb0") && is_none(point, "1.5\xc2\xb0"));
}

static void marks_stand_between_thousands(void)
{
    CHECK(is(comma, "1.234,5", "1234.5", "") && is(point, "-1,234,567.25", "-1234567.25", ""));
    CHECK(is(comma, "1'234,5", "1234.5", "") && is(point, "1'234", "1234", ""));
    CHECK(is(comma,
             "12\xc2\xa0"
             "345,5",
             "12345.5", "") &&
          is(point,
             "1\xe2\x80\xaf"
             "234",
             "1234", "") &&
          is(point,
             "1\xe2\x80\x99"
             "234.5",
             "1234.5", ""));
    CHECK(is_none(comma, "1.23,5") && is_none(comma, "1234.567,5") && is_none(comma, "1.2345,5"));
    CHECK(is_none(comma, "1.234'567,5") && is_none(comma, "'234"));
}

static void thousands_alone_are_no_guess(void)
{
    CHECK(is_none(comma, "1.234") && is_none(point, "1,234") && is_none(comma, "1.234.567"));
    CHECK(is(given_comma, "1.234", "1234", "") && is(given_point, "1,234", "1234", ""));
    CHECK(is(given_comma, "1.234.567", "1234567", "") && is(given_point, "1 234.5", "1234.5", ""));
    CHECK(is(comma, "1 234", "1", " 234") && is_none(given_comma, "1.5"));
}

static void separators_are_no_marks(void)
{
    const number_marks commas_separate = {'.', true, false, true},
                       blanks_separate = {',', true, true, false};
    CHECK(is(commas_separate, "1,234.5", "1", ",234.5"));
    CHECK(is(blanks_separate, "1 234,5", "1", " 234,5"));
}

static void numbers_of_any_length_fit(void)
{
    char text[3 * MARKED_NUMBER_SIZE], plain[MARKED_NUMBER_SIZE];
    for (size_t n = 1; n + 1 < sizeof text; n++) {
        memset(text, '1', n);
        strcpy(text + n, "");
        const size_t used = marked_number_copy(given_comma, text, plain);
        CHECK_MSG(used == (n <= 40 ? n : 0), "%zu digits", n);
    }
    strcpy(text, "-1");
    for (int i = 0; i < 13; i++) strcat(text, ".234");
    CHECK(marked_number_copy(given_comma, text, plain) == strlen(text));
    strcat(text, ",5e-12345678");
    CHECK(is_none(given_comma, text) || strlen(plain) < sizeof plain);
}

int main(void)
{
    RUN(commas_are_decimal);
    RUN(marks_stand_between_thousands);
    RUN(thousands_alone_are_no_guess);
    RUN(separators_are_no_marks);
    RUN(numbers_of_any_length_fit);
    return check_done();
}
