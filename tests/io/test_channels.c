/* io/channels.c: which values of a frame are read, by every format alike. */
#include <math.h>

#include "tests/io/source_help.h"

/* Frames of three channels: as text, raw and NPY. */
static const char text[] = "1,2,3\n4,5,6\n";
static const float raw[] = {1, 2, 3, 4, 5, 6};

static size_t make_npy(char *npy)
{
    memcpy(npy, "\x93NUMPY\x01\0v\0", 10);
    sprintf(npy + 10, "%-117s\n", "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }");
    memcpy(npy + 128, raw, sizeof raw);
    return 128 + sizeof raw;
}

static bool all_give(source_options o, const char *words)
{
    char npy[256];
    const size_t n = make_npy(npy);
    bool good = true;
    o.format = SOURCE_NPY;
    good &= help_gives_bytes(&o, npy, n, words);
    o.format = SOURCE_TEXT;
    good &= help_gives(&o, text, words);
    o.format = SOURCE_F32;
    o.channels = 3;
    return good & help_gives_bytes(&o, raw, sizeof raw, words);
}

/* Regression: columns_that_were_ignored_outside_of_text. */
static void columns_are_read_in_their_order(void)
{
    static const size_t columns[] = {3, 1, 2};
    source_options o = help_options(SOURCE_AUTO);
    o.columns = columns;
    o.n_columns = 2;
    CHECK(all_give(o, "3 1 | 6 4"));
    o.n_columns = 3;
    CHECK(all_give(o, "3 1 2 | 6 4 5"));
    o.choice = CHANNEL_ONE;
    o.channel = 2;
    CHECK(all_give(o, "1 | 4"));
    o.choice = CHANNEL_MIX;
    o.n_columns = 2;
    CHECK(all_give(o, "2 | 5"));
}

static void what_is_not_there_is_refused(void)
{
    static const size_t beyond[] = {4}, unnamed[] = {0};
    static const char *const names[] = {"x"};
    source_options o = help_options(SOURCE_F32);
    o.channels = 3;
    o.columns = beyond;
    o.n_columns = 1;
    CHECK(help_gives_bytes(&o, raw, sizeof raw, "!! has 3 channels, no channel 4"));
    o.columns = unnamed;
    o.column_names = names;
    CHECK(help_gives_bytes(&o, raw, sizeof raw,
                           "!! no names of columns in this format: give --columns their numbers"));
    o.n_columns = 0;
    o.choice = CHANNEL_ONE;
    o.channel = 4;
    CHECK(all_give(o, "!! has 3 channels, no channel 4"));
}

/* Regression: template_of_one_channel_that_lacked_the_second. */
static void a_template_may_hold_what_is_chosen_alone(void)
{
    source_options o = help_options(SOURCE_TEXT);
    o.is_template = true;
    o.choice = CHANNEL_ONE;
    o.channel = 2;
    CHECK(help_gives(&o, "7\n8\n", "7 | 8"));
    CHECK(help_gives(&o, "7,1\n8,2\n", "1 | 2"));
    o.channels = 2;
    CHECK(help_gives(&o, "7\n8\n", "7 | 8"));
    CHECK(help_gives(&o, "7,1,2\n", "!! line 1: 3 values, expected 2"));
    o.channels = 0;
    o.channel = 3;
    CHECK(help_gives(&o, "7,1\n8,2\n", "!! has 2 channels, no channel 3"));
    o.is_template = false;
    CHECK(help_gives(&o, "7\n8\n", "!! has 1 channel, no channel 3"));
}

int main(void)
{
    RUN(columns_are_read_in_their_order);
    RUN(what_is_not_there_is_refused);
    RUN(a_template_may_hold_what_is_chosen_alone);
    return check_done();
}
