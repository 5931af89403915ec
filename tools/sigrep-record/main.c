/* main.c - sigrep-record: takes from a microphone, or cut out of a recording, as WAV files. */
#include <string.h>

#include "io/live/mic.h"
#include "tools/common/options/arguments.h"
#include "tools/common/options/number.h"
#include "tools/common/options/shared_options.h"
#include "tools/common/start.h"
#include "tools/sigrep-record/recording.h"

enum { KEY_PAUSE = 256, KEY_SHORTEST, KEY_LONGEST, KEY_ABOVE };

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

static arguments_status take_operands(void *user, int n, char **operands, char *error)
{
    record_options *r = user;
    if (!r->output) return arguments_bad(error, "no takes are named: give -o PREFIX");
    if (n > 1) return arguments_bad(error, "more than one input is named");
    if (n == 1) r->input = operands[0];
    return ARGUMENTS_OK;
}

static const argument_row rows[] = {
    ARGUMENT('o', "output", "PREFIX", set_output,
             "the takes become PREFIX1.wav, PREFIX2.wav, ...;\nexisting files stay"),
    ARGUMENT('n', "takes", "N", set_takes, "stop after N takes (microphone: 5, else all)"),
    ARGUMENT(KEY_PAUSE, "pause", "SECONDS", set_pause, "silence that ends a take (0.5)"),
    ARGUMENT(KEY_SHORTEST, "shortest", "SECONDS", set_shortest,
             "shorter sounds are no takes (0.15)"),
    ARGUMENT(KEY_LONGEST, "longest", "SECONDS", set_longest,
             "longer takes are cut off and not kept (5)"),
    ARGUMENT(KEY_ABOVE, "above", "DB", set_above,
             "a take is louder than the background by DB (12)"),
    ARGUMENT_SHARED('f', "format", "F", "auto (default), text, jsonl, npy, raw: f32 s16 ..."),
    ARGUMENT_SHARED('r', "rate", "HZ", "rate of raw input, and of a microphone (its own)"),
    ARGUMENT_SHARED(301, "channel", "K|mix", "one channel, or the mean (default)"),
};

static const argument_table table = {
    .program = "sigrep-record",
    .usage = "sigrep-record [OPTION]... -o PREFIX [INPUT]",
    .about = "Record takes of a word, or cut a recording into takes by its pauses.\n\n"
             "INPUT is mic: (the default) or mic:NAME, a recording, or - for standard input.\n\n",
    .rows = rows,
    .n_rows = sizeof rows / sizeof *rows,
    .end = "A line for each take on standard output: file, start and length in seconds.\n\n"
           "All details: man sigrep-record\n",
    .take_operands = take_operands,
};

int main(int argc, char **argv)
{
    char error[ARGUMENTS_ERROR_SIZE];
    record_options r = {
        .o = shared_options_defaults(),
        .rules = {.pause_s = 0.5, .shortest_s = 0.15, .longest_s = 5, .above_db = 12},
        .input = MIC_PREFIX};
    start_program();
    const arguments_status parsed = arguments_parse(&table, &r, argc, argv, error);
    const int status = parsed ? arguments_answer(&table, parsed, error) : record(&r);
    shared_options_free(&r.o);
    return status;
}
