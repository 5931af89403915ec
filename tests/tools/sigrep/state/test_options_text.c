#include "tools/sigrep/state/options_text.h"

#include <stdlib.h>
#include <string.h>

#include "check.h"

static text_buffer text_of(char **words, int n, bool with_names)
{
    char error[ARGUMENTS_ERROR_SIZE];
    text_buffer text = {0};
    options o;
    CHECK(options_parse(&o, n, words, error) == ARGUMENTS_OK);
    options_text(&text, &o, with_names);
    options_free(&o);
    return text;
}

/* What differs between no options and these; "" if nothing does. */
static const char *differs(const char *first, const char *second)
{
    static char line[64];
    char program[] = "sigrep", t[] = "t.txt", a[64], b[64];
    snprintf(a, sizeof a, "%s", first);
    snprintf(b, sizeof b, "%s", second ? second : "");
    char *plain[] = {program, t}, *with[] = {program, a, b, t};
    if (!second) with[2] = t;
    text_buffer before = text_of(plain, 2, false);
    text_buffer now = text_of(with, second ? 4 : 3, false);
    if (!options_text_differ(before.data, before.length, &now, line, sizeof line)) line[0] = '\0';
    free(before.data);
    free(now.data);
    return line;
}

static void what_changes_the_output_is_named(void)
{
    static const char *const cases[][3] = {{"-o", "json", "--output"},
                                           {"-T", "samples", "--time"},
                                           {"-c", NULL, "--count"},
                                           {"--hold", "2", "--hold"},
                                           {"-m", "3", "--max-count"},
                                           {"-f", "s16", "--format"},
                                           {"-f", "f32be", "--format"},
                                           {"-r", "100", "--rate"},
                                           {"--channels", "2", "--channels"},
                                           {"--channel", "2", "--channel"},
                                           {"--columns", "x,2", "--columns"},
                                           {"--time-column", "t", "--time-column"},
                                           {"--fill", "1", "--fill"},
                                           {"--skip-bad", NULL, "--skip-bad"},
                                           {"-v", NULL, ""},
                                           {"-j", "2", ""},
                                           {"--stats", NULL, ""},
                                           {"--chunk", "9", ""},
                                           {"--duration", "9", ""}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const char *got = differs(cases[i][0], cases[i][1]);
        CHECK_MSG(strcmp(got, cases[i][2]) == 0, "%s: '%s'", cases[i][0], got);
    }
}

static void names_in_lines_count(void)
{
    char program[] = "sigrep", t[] = "t.txt", line[64];
    char *words[] = {program, t};
    text_buffer with = text_of(words, 2, true), without = text_of(words, 2, false);
    CHECK(options_text_differ(with.data, with.length, &without, line, sizeof line));
    CHECK(strcmp(line, "--with-filename") == 0);
    CHECK(!options_text_differ(with.data, with.length, &with, line, sizeof line));
    CHECK(options_text_differ(with.data, with.length - 9, &with, line, sizeof line)); /* cut */
    free(with.data);
    free(without.data);
}

int main(void)
{
    RUN(what_changes_the_output_is_named);
    RUN(names_in_lines_count);
    return check_done();
}
