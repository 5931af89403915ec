/* filter/features/stage.c: numbers after '=', and their errors. */
#include "filter/features/stage.h"

#include <locale.h>
#include <math.h>
#include <string.h>

#include "tests/check.h"

static void decimal_numbers_are_read(void)
{
    static const struct {
        const char *text;
        double value;
    } cases[] = {{"2", 2},      {"-0.01", -0.01}, {"5e-3", 5e-3},      {".5", 0.5},
                 {"1E3", 1000}, {"007", 7},       {"1e999", INFINITY}, {"1e-999", 0}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        double value = -1;
        CHECK_MSG(argument_number(&value, cases[i].text) && !(value < cases[i].value) &&
                      !(value > cases[i].value),
                  "%s: %g", cases[i].text, value);
    }
}

static void all_else_is_refused(void)
{
    static const char *const bad[] = {"",   "-",   "e5",  "two",  "2s",    "1,5", " 2",  "2 ",
                                      "+2", "inf", "nan", "0x10", "1.2.3", "1e",  "--1", "1-2"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        double value;
        CHECK_MSG(!argument_number(&value, bad[i]), "'%s' is %g", bad[i], value);
    }
}

static void a_point_is_a_point_in_every_locale(void)
{
    static const char *const commas[] = {"de_DE.UTF-8", "fr_FR.UTF-8", "es_ES.UTF-8", "de_DE"};
    const char *set = NULL;
    for (size_t i = 0; i < sizeof commas / sizeof *commas && !set; i++)
        set = setlocale(LC_ALL, commas[i]);
    if (!set) printf("SKIP: no locale with a decimal comma is installed\n");
    double value = 0;
    CHECK(argument_number(&value, "0.5"));
    CHECK(fabs(value - 0.5) < 1e-12);
    char text[ARGUMENT_PRINTED];
    argument_print(text, 8000.5);
    CHECK(strcmp(text, "8000.5") == 0);
    setlocale(LC_ALL, "C");
}

static void a_printed_number_is_read_as_the_same(void)
{
    static const double numbers[] = {0.1, 44100, 16000 / 3.0, 1e-9, 0x1p52};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        char text[ARGUMENT_PRINTED];
        double value = 0;
        argument_print(text, numbers[i]);
        CHECK_MSG(argument_number(&value, text) && value == numbers[i], "%s", text);
    }
}

static void expect_error(const char *text, const char *message)
{
    double seconds;
    sigrep_error error = {.text = ""};
    CHECK(argument_seconds(&seconds, "stage", text, &error) == SIGREP_BAD_FRONT_END);
    CHECK_MSG(strcmp(error.text, message) == 0, "'%s' gives \"%s\"", text, error.text);
}

static void seconds_are_finite_and_above_0(void)
{
    double seconds = 0;
    CHECK(argument_seconds(&seconds, "stage", "0.25", NULL) == SIGREP_OK);
    CHECK(fabs(seconds - 0.25) < 1e-12);
    expect_error("x", "stage=x: SECONDS must be a number");
    expect_error("0", "stage=0: SECONDS must be greater than 0 and finite");
    expect_error("-1", "stage=-1: SECONDS must be greater than 0 and finite");
    expect_error("1e999", "stage=1e999: SECONDS must be greater than 0 and finite");
}

static void seconds_become_samples_up_to_the_limit(void)
{
    double samples = 0;
    sigrep_error error = {.text = ""};
    CHECK(argument_samples(&samples, "stage", 0.3, 15, &error) == SIGREP_OK);
    CHECK(fabs(samples - 4.5) < 1e-12);
    const double most = (double)ARGUMENT_MAX_SAMPLES;
    CHECK(argument_samples(&samples, "stage", most, 1, &error) == SIGREP_OK);
    CHECK(argument_samples(&samples, "stage", most, 1.01, &error) == SIGREP_BAD_FRONT_END);
    CHECK(argument_samples(&samples, "stage", 1e12, 8, &error) == SIGREP_BAD_FRONT_END);
    CHECK_MSG(strcmp(error.text, "stage=1e+12: too long, 8e+12 samples at 8 Hz "
                                 "(at most 1099511627776)") == 0,
              "%s", error.text);
}

int main(void)
{
    RUN(decimal_numbers_are_read);
    RUN(all_else_is_refused);
    RUN(a_point_is_a_point_in_every_locale);
    RUN(a_printed_number_is_read_as_the_same);
    RUN(seconds_are_finite_and_above_0);
    RUN(seconds_become_samples_up_to_the_limit);
    return check_done();
}
