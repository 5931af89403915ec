#include "io/text_buffer.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"

static bool is(const text_buffer *text, const char *wanted)
{
    const size_t n = strlen(wanted);
    return !text->failed && text->length == n && memcmp(text->data, wanted, n) == 0;
}

static void text_grows(void)
{
    text_buffer text = {0};
    for (int i = 0; i < 100000; i++) text_add_format(&text, "%05d", i);
    CHECK(text.length == 500000 && !text.failed);
    CHECK(memcmp(text.data + 5 * 77777, "77777", 5) == 0);
    free(text.data);
}

static void pieces_are_joined(void)
{
    text_buffer text = {0};
    text_add(&text, "", 0);
    CHECK(text.length == 0 && !text.data);
    text_add(&text, "a\0b", 3);
    CHECK(text.length == 3 && memcmp(text.data, "a\0b", 3) == 0);
    text.length = 0;
    text_add_string(&text, "one ");
    text_add_format(&text, "%d%s", 2, "");
    text_add_format(&text, "%s", "");
    CHECK(is(&text, "one 2"));
    free(text.data);
}

static void control_characters_are_escaped_and_no_others(void)
{
    text_buffer text = {0};
    text_add_escaped(&text, "\t\n\r\x1b\x7f \\ \xc3\xa4\xff\xc2\x9b");
    CHECK(is(&text, "\\t\\n\\r\\x1b\\x7f \\ \xc3\xa4\\xff\\u009b"));
    free(text.data);
}

static bool prints(double score, const char *wanted)
{
    char out[SCORE_TEXT];
    return strcmp(score_text(out, score), wanted) == 0;
}

static void scores_are_short_and_rounded_up(void)
{
    CHECK(prints(0, "0") && prints(0.1, "0.1") && prints(20, "20") && prints(1e9, "1e+09"));
    CHECK(prints(1.0 / 3, "0.33333334") && prints(2.0 / 3, "0.6666667"));
    CHECK(prints(0.0344827586206896546, "0.03448276") && prints(1.72398190, "1.723982"));
    CHECK(prints(0.9999999, "0.9999999") && prints(0.9999999999, "1"));
    CHECK(prints(1e-5, "1e-05") && prints(123456789.25, "123456790"));
    CHECK(prints(-1.0 / 3, "-0.33333333") && prints(INFINITY, "inf") && prints(NAN, "nan"));
}

/* Regression: nine digits round down, so half of all printed scores missed their matches as
 * thresholds. */
static void a_printed_score_is_at_least_the_score_and_below_the_next(void)
{
    char out[SCORE_TEXT];
    uint64_t random = check_seed("a_printed_score");
    for (int i = 0; i < 200000; i++) {
        const float d =
            ldexpf((float)(1 + check_random(&random)), (int)check_below(&random, 120) - 90);
        const double m = (double)(1 + check_below(&random, 4096));
        const double read = strtod(score_text(out, (double)d / m), NULL);
        CHECK_MSG(read >= (double)d / m && read < (double)nextafterf(d, INFINITY) / m, "%s", out);
    }
}

static bool prints_short(double score, const char *wanted)
{
    char out[SCORE_TEXT];
    return strcmp(score_short_text(out, score), wanted) == 0;
}

/* Regression: --monitor printed four digits that were rounded down. */
static void short_scores_are_rounded_up(void)
{
    CHECK(prints_short(0, "0") && prints_short(1.84162896, "1.842"));
    CHECK(prints_short(1.0 / 3, "0.3334") && prints_short(0.99999, "1"));
    CHECK(prints_short(20, "20") && prints_short(INFINITY, "inf"));
}

static void nothing_is_added_after_a_failure(void)
{
    text_buffer text = {.failed = true};
    text_add(&text, "x", 1);
    text_add_format(&text, "%d", 1);
    CHECK(text.failed && text.length == 0 && !text.data);
}

int main(void)
{
    RUN(text_grows);
    RUN(pieces_are_joined);
    RUN(control_characters_are_escaped_and_no_others);
    RUN(scores_are_short_and_rounded_up);
    RUN(a_printed_score_is_at_least_the_score_and_below_the_next);
    RUN(short_scores_are_rounded_up);
    RUN(nothing_is_added_after_a_failure);
    return check_done();
}
