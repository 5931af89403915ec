/* main.c - sigrep-record: takes from a microphone, or cut out of a recording, as WAV files. */
#include <string.h>

#include "filter/cli/common/arguments.h"
#include "filter/cli/common/number.h"
#include "io/mic.h"
#include "tools/sigrep-record/recording.h"

enum { FAILED = 2, KEY_PAUSE = 256, KEY_SHORTEST, KEY_LONGEST, KEY_ABOVE };

static const char *set_output(void *user, const char *text)
{
    ((record_options *)user)->output = text;
    return *text ? NULL : "empty";
}

static const char *set_takes(void *user, const char *text)
{
    return number_whole(text, 1, RECORDING_MAX_TAKES, &((record_options *)user)->takes)
               ? NULL
               : "not a whole number from 1 to 100000";
}

static const char *set_seconds(double *seconds, const char *text)
{
    return number_real(text, seconds) && *seconds >= 0.01 && *seconds <= 600
               ? NULL
               : "not a number of seconds from 0.01 to 600";
}

static const char *set_pause(void *user, const char *text)
{
    return set_seconds(&((record_options *)user)->rules.pause_s, text);
}

static const char *set_shortest(void *user, const char *text)
{
    return set_seconds(&((record_options *)user)->rules.shortest_s, text);
}

static const char *set_longest(void *user, const char *text)
{
    return set_seconds(&((record_options *)user)->rules.longest_s, text);
}

static const char *set_above(void *user, const char *text)
{
    double *db = &((record_options *)user)->rules.above_db;
    return number_real(text, db) && *db >= 1 && *db <= 60 ? NULL : "not a number from 1 to 60";
}

static const argument_row rows[] = {
    {'o', "output", "PREFIX",
     "the takes become PREFIX1.wav, PREFIX2.wav, ...;\nexisting files stay", set_output},
    {'n', "takes", "N", "stop after N takes (microphone: 5, else all)", set_takes},
    {KEY_PAUSE, "pause", "SECONDS", "silence that ends a take (0.5)", set_pause},
    {KEY_SHORTEST, "shortest", "SECONDS", "shorter sounds are no takes (0.15)", set_shortest},
    {KEY_LONGEST, "longest", "SECONDS", "longer takes are cut off and not kept (5)", set_longest},
    {KEY_ABOVE, "above", "DB", "a take is so much louder than the background (12)", set_above},
    {'f', "format", "F", "auto (default), text, or raw: f32 f64 s16 ...", NULL},
    {'r', "rate", "HZ", "rate of raw input, and of a microphone (its own)", NULL},
    {301, "channel", "K|mix", "one channel, or the mean (default)", NULL},
};

static const argument_table table = {
    .program = "sigrep-record",
    .usage = "sigrep-record [OPTION]... -o PREFIX [INPUT]",
    .about = "Record takes of a word, or cut a recording into takes by its pauses.\n\n"
             "INPUT is mic: (the default) or mic:NAME, a recording, or - for standard input.\n",
    .rows = rows,
    .n_rows = sizeof rows / sizeof *rows,
    .end = "A line for each take on standard output: file, start and length in seconds.\n",
};

int main(int argc, char **argv)
{
    record_options r = {
        .o = shared_options_defaults(),
        .rules = {.pause_s = 0.5, .shortest_s = 0.15, .longest_s = 5, .above_db = 12}};
    int at = 0;
    arguments_status status = arguments_parse(&table, &r, argc, argv, &at);
    if (!status && !r.output) status = arguments_bad(&table, "no takes are named: give -o PREFIX");
    if (!status && argc - at > 1) status = arguments_bad(&table, "more than one input");
    r.input = !status && at < argc ? argv[at] : MIC_PREFIX;
    r.name = strcmp(r.input, "-") == 0 ? "(standard input)" : r.input;
    const bool good = status ? status == ARGUMENTS_ANSWER : record(&r);
    shared_options_free(&r.o);
    return good ? 0 : FAILED;
}
