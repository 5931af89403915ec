#include "filter/cli/common/help.h"

#include <stdlib.h>
#include <string.h>

#include "check.h"

/* The lines of one option are `wanted`. */
static void shows(int key, const char *name, const char *argument, const char *help,
                  const char *wanted)
{
    text_buffer out = {0};
    help_add_option(&out, key, name, argument, help);
    CHECK_MSG(out.length == strlen(wanted) && !memcmp(out.data, wanted, out.length), "%.*s",
              (int)out.length, out.data);
    free(out.data);
}

static void names_and_text_share_a_line(void)
{
    shows('t', "threshold", "X", "highest score", "  -t, --threshold X          highest score\n");
    shows(300, "stats", NULL, "figures", "      --stats                figures\n");
}

static void more_lines_stand_below_the_first(void)
{
    shows('g', "length", "MIN", "one\ntwo",
          "  -g, --length MIN           one\n                             two\n");
}

static void long_names_have_a_line_of_their_own(void)
{
    shows(300, "a-name-that-is-long", "ARGUMENT", "text",
          "      --a-name-that-is-long ARGUMENT\n                             text\n");
}

int main(void)
{
    RUN(names_and_text_share_a_line);
    RUN(more_lines_stand_below_the_first);
    RUN(long_names_have_a_line_of_their_own);
    return check_done();
}
