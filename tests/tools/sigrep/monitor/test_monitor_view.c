#include "tools/sigrep/monitor/monitor_view.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"

/* Three labels: a match, half way, and nothing yet. */
static const monitor_row rows[] = {{"hello", 6.5, 7}, {"world", 14, 7}, {"third", INFINITY, 7}};

static monitor_view view(void)
{
    return (monitor_view){.name = "mic:",
                          .rate_known = true,
                          .is_audio = true,
                          .rate_hz = 1000,
                          .samples = 12300,
                          .matches = 1,
                          .level = {.n = 100, .sum_squares = 1, .low = -1, .high = 0.5},
                          .rows = rows,
                          .n_rows = 3,
                          .recent = {"newest", "oldest"}};
}

/* Is the text `wanted`? Frees it. */
static bool is_text(text_buffer *text, const char *wanted)
{
    text_add(text, "", 1);
    const bool same = !text->failed && strcmp(text->data, wanted) == 0;
    if (!same) fprintf(stderr, "got:\n%s\n", text->data);
    free(text->data);
    *text = (text_buffer){0};
    return same;
}

static bool draws(const monitor_view *v, size_t columns, size_t lines, const char *wanted)
{
    text_buffer text = {0};
    monitor_draw(&text, v, columns, lines);
    return is_text(&text, wanted);
}

static bool prints(const monitor_view *v, size_t most, const char *wanted)
{
    text_buffer text = {0};
    monitor_line(&text, v, most);
    return is_text(&text, wanted);
}

static void a_bar_is_full_at_a_match(void)
{
    const monitor_view v = view();
    CHECK(draws(&v, 80, 24,
                "mic:  12.3 s  level -20.0 dB, peak 0.0 dB  1 match\r\n"
                "hello       6.5 [========================================]  7\r\n"
                "world        14 [====================>                   ]  7\r\n"
                "third         - [>                                       ]  7\r\n"
                "oldest\r\nnewest"));
}

static void no_line_fills_the_last_column(void)
{
    monitor_view v = view();
    v.name = "caf\xc3\xa9 \xe6\x97\xa5\xe6\x9c\xac.wav";
    for (size_t columns = 1; columns < 100; columns++) {
        text_buffer text = {0};
        monitor_draw(&text, &v, columns, 24);
        size_t used = 0, widest = 0;
        for (size_t i = 0; i < text.length; i++) {
            const unsigned char byte = (unsigned char)text.data[i];
            if (byte < 0x80 || byte >= 0xc0) used += byte >= 0xe0 ? 2 : 1;
            if (byte == '\r' || byte == '\n') used = 0;
            if (used > widest) widest = used;
        }
        CHECK_MSG(widest < columns || columns == 1, "%zu of %zu columns", widest, columns);
        free(text.data);
    }
}

static void a_narrow_terminal_has_no_bar(void)
{
    const monitor_view v = view();
    CHECK(draws(&v, 24, 24,
                "  12.3 s  level -20.0 d\r\nhello       6.5\r\nworld        14\r\n"
                "third         -\r\noldest\r\nnewest"));
}

static void of_many_labels_the_nearest_are_shown(void)
{
    const monitor_view v = view();
    CHECK(draws(&v, 24, 3, "  12.3 s  level -20.0 d\r\nhello       6.5\r\nworld        14"));
    CHECK(draws(&v, 24, 1, "  12.3 s  level -20.0 d"));
    monitor_row many[200];
    for (size_t i = 0; i < 200; i++) many[i] = (monitor_row){"far", 50, 7};
    many[3] = rows[1];
    many[150] = rows[0];
    const monitor_view w = {.name = "x", .rows = many, .n_rows = 200};
    CHECK(draws(&w, 24, 3, "  0 samples  no values \r\nworld        14\r\nhello       6.5"));
    text_buffer text = {0};
    size_t lines = 1;
    monitor_draw(&text, &w, 80, 500);
    for (size_t i = 0; i < text.length; i++) lines += text.data[i] == '\n';
    CHECK(lines == MONITOR_LINES);
    free(text.data);
}

static void silence_and_no_threshold_have_words(void)
{
    const monitor_row best = {"a\tb", 0.25, INFINITY};
    monitor_view v = {.name = "n\033.txt",
                      .samples = 7,
                      .level = {.n = 1, .low = -1.5, .high = 2},
                      .rows = &best,
                      .n_rows = 1};
    CHECK(
        draws(&v, 80, 24, "n\\x1b.txt  7 samples  values -1.5 to 2  0 matches\r\na\\tb      0.25"));
    v.is_audio = true;
    v.level.low = v.level.high = 0;
    CHECK(prints(&v, 4096,
                 "sigrep: n\\x1b.txt: 7 samples\tlevel -inf dB, peak -inf dB\t0 matches\t"
                 "0.25/- a\\tb\n"));
}

static void a_line_has_all_labels_that_fit(void)
{
    const monitor_view v = view();
    static const char all[] = "sigrep: mic:: 12.3 s\tlevel -20.0 dB, peak 0.0 dB\t1 match"
                              "\t6.5/7 hello\t14/7 world\t-/7 third\n";
    CHECK(prints(&v, 4096, all));
    CHECK(prints(&v, strlen(all), all));
    CHECK(prints(&v, strlen(all) - 1,
                 "sigrep: mic:: 12.3 s\tlevel -20.0 dB, peak 0.0 dB\t1 match"
                 "\t6.5/7 hello\t14/7 world\n"));
}

int main(void)
{
    RUN(a_bar_is_full_at_a_match);
    RUN(no_line_fills_the_last_column);
    RUN(a_narrow_terminal_has_no_bar);
    RUN(of_many_labels_the_nearest_are_shown);
    RUN(silence_and_no_threshold_have_words);
    RUN(a_line_has_all_labels_that_fit);
    return check_done();
}
