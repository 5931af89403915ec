#include "tools/common/options/arguments.h"

#include <stdlib.h>
#include <string.h>

#include "check.h"

/* The lines of the row are `wanted`. */
static void shows(argument_row row, const char *wanted)
{
    text_buffer out = {0};
    arguments_add_help(&out, &row);
    CHECK_MSG(out.length == strlen(wanted) && !memcmp(out.data, wanted, out.length), "%.*s",
              (int)out.length, out.data);
    free(out.data);
}

static void names_and_text_share_a_line(void)
{
    shows((argument_row)ARGUMENT('t', "threshold", "X", NULL, "highest score"),
          "  -t, --threshold X          highest score\n");
    shows((argument_row)ARGUMENT(300, "stats", NULL, NULL, "figures"),
          "      --stats                figures\n");
}

static void more_lines_stand_below_the_first(void)
{
    shows((argument_row)ARGUMENT('g', "length", "MIN", NULL, "one\ntwo"),
          "  -g, --length MIN           one\n                             two\n");
}

static void long_names_have_a_line_of_their_own(void)
{
    shows((argument_row)ARGUMENT(300, "a-name-that-is-long", "ARGUMENT", NULL, "text"),
          "      --a-name-that-is-long ARGUMENT\n                             text\n");
}

static void a_heading_follows_a_blank_line(void)
{
    shows((argument_row)ARGUMENT_HEADING("Output:"), "\nOutput:\n");
}

int main(void)
{
    RUN(names_and_text_share_a_line);
    RUN(more_lines_stand_below_the_first);
    RUN(long_names_have_a_line_of_their_own);
    RUN(a_heading_follows_a_blank_line);
    return check_done();
}
