/* main.c - sigrep-record: takes from a microphone, or cut out of a recording, as WAV files. */
#include <string.h>

#include "io/live/mic.h"
#include "tools/common/options/arguments.h"
#include "tools/common/options/shared_options.h"
#include "tools/common/start.h"
#include "tools/sigrep-record/recording.h"

enum { KEY_PAUSE = 256, KEY_SHORTEST, KEY_LONGEST, KEY_ABOVE };

/* Of a row: so many seconds. */
#define SECONDS(key, name, member, text)                                                           \
    ARGUMENT_REAL(key, name, "SECONDS", record_options, member, 0.01, 600,                         \
                  "not a number of seconds from 0.01 to 600", text)

static arguments_status take_operands(void *user, int n, char **operands, char *error)
{
    record_options *r = user;
    if (!r->output) return arguments_bad(error, "no takes are named: give -o PREFIX");
    if (n > 1) return arguments_bad(error, "more than one input is named");
    if (n == 1) r->input = operands[0];
    return ARGUMENTS_OK;
}

static const argument_row rows[] = {
    ARGUMENT_TEXT('o', "output", "PREFIX", record_options, output, "empty",
                  "the takes become PREFIX1.wav, PREFIX2.wav, ...;\nexisting files stay"),
    ARGUMENT_WHOLE('n', "takes", "N", record_options, takes, 1, RECORDING_MAX_TAKES,
                   "stop after N takes (microphone: 5, else all)"),
    SECONDS(KEY_PAUSE, "pause", rules.pause_s, "silence that ends a take (0.5)"),
    SECONDS(KEY_SHORTEST, "shortest", rules.shortest_s, "shorter sounds are no takes (0.15)"),
    SECONDS(KEY_LONGEST, "longest", rules.longest_s, "longer takes are cut off and not kept (5)"),
    ARGUMENT_REAL(KEY_ABOVE, "above", "DB", record_options, rules.above_db, 1, 60,
                  "not a number from 1 to 60", "a take is louder than the background by DB (12)"),
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
