#include "tools/common/options/shared_options.h"

#include <string.h>

#include "check.h"
#include "tools/common/options/template_spec.h"

static bool takes(shared_options *o, const char *name, const char *argument)
{
    return shared_options_set(o, name, argument) == NULL;
}

static void good_values_are_stored(void)
{
    shared_options o = shared_options_defaults();
    CHECK(o.length_min == 0.5 && o.length_max == 2 && o.min_matches == 1 && o.source.wake_fd == -1);
    CHECK(takes(&o, "template", "beat=a.txt@1-2") && takes(&o, "template", "b.wav"));
    CHECK(o.n_templates == 2 && !strcmp(o.templates[0].label, "beat") && !o.templates[1].label);
    CHECK(takes(&o, "threshold", "1.5") && o.has_threshold && o.threshold == 1.5);
    CHECK(takes(&o, "threshold", "auto") && o.auto_threshold && !o.has_threshold);
    CHECK(takes(&o, "length", "0.25,4") && o.length_min == 0.25 && o.length_max == 4);
    CHECK(takes(&o, "min-matches", "3") && o.min_matches == 3 && o.has_min_matches);
    CHECK(takes(&o, "front-end", "mfcc") && !strcmp(o.front_end, "mfcc"));
    CHECK(takes(&o, "format", "s16be") && o.source.format == SOURCE_S16 && o.source.big_endian);
    CHECK(takes(&o, "rate", "16000") && o.source.rate_hz == 16000);
    CHECK(takes(&o, "channels", "2") && o.source.channels == 2);
    CHECK(takes(&o, "channel", "mix") && o.source.choice == CHANNEL_MIX);
    CHECK(takes(&o, "channel", "2") && o.source.choice == CHANNEL_ONE && o.source.channel == 2);
    CHECK(takes(&o, "duration", "0.5") && o.duration_s == 0.5);
    CHECK(takes(&o, "threads", "4") && o.threads == 4);
    CHECK(takes(&o, "fill", "0.25") && o.source.fill_s == 0.25);
    shared_options_free(&o);
    CHECK(!o.templates && o.n_templates == 0);
}

static void columns_are_numbers_or_names(void)
{
    shared_options o = shared_options_defaults();
    CHECK(takes(&o, "columns", "2,x") && o.source.n_columns == 2 && o.source.columns[0] == 2);
    CHECK(o.source.columns[1] == 0 && !strcmp(o.source.column_names[1], "x"));
    CHECK(takes(&o, "columns", "3") && o.source.n_columns == 1 && !o.source.column_names[0]);
    CHECK(takes(&o, "time-column", "7") && o.source.time_column == 7 && !o.source.time_name);
    CHECK(source_wants_times(&o.source));
    CHECK(takes(&o, "time-column", "7th") && !o.source.time_column);
    CHECK(!strcmp(o.source.time_name, "7th") && source_wants_times(&o.source));
    shared_options_free(&o);
}

static void inputs_are_those_named_or_standard_input(void)
{
    static char first[] = "a", second[] = "mic:";
    shared_options o = shared_options_defaults();
    CHECK(!shared_options_set_inputs(&o, 2, (char *[]){first, second}) && o.n_inputs == 2);
    CHECK(o.inputs[0] == first && o.inputs[1] == second);
    shared_options_free(&o);
    CHECK(!shared_options_set_inputs(&o, 0, NULL) && o.n_inputs == 1 && !strcmp(o.inputs[0], "-"));
    shared_options_free(&o);
}

static void bad_values_are_refused_in_words(void)
{
    static const char *const bad[][2] = {
        {"template", "=a.txt"}, {"threshold", "-1"},  {"threshold", "high"}, {"length", "2,1"},
        {"length", "1"},        {"length", "0,65"},   {"min-matches", "0"},  {"front-end", ""},
        {"format", "s17"},      {"rate", "0"},        {"channels", "4097"},  {"channel", "0"},
        {"channel", "both"},    {"duration", "0"},    {"threads", "1025"},   {"threads", "2.5"},
        {"no-such-option", ""}, {"rate", "16000 Hz"}, {"columns", "0"},      {"columns", "2,"},
        {"time-column", "0"},   {"time-column", ""},  {"fill", "0"},         {"fill", "-1"},
    };
    shared_options o = shared_options_defaults();
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        const char *reason = shared_options_set(&o, bad[i][0], bad[i][1]);
        CHECK_MSG(reason && *reason, "--%s '%s'", bad[i][0], bad[i][1]);
    }
    CHECK(o.n_templates == 0 && o.threads == 0);
    shared_options_free(&o);
}

int main(void)
{
    RUN(good_values_are_stored);
    RUN(columns_are_numbers_or_names);
    RUN(inputs_are_those_named_or_standard_input);
    RUN(bad_values_are_refused_in_words);
    return check_done();
}
