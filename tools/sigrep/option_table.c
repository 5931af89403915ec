/* option_table.c - each option once: its names, its argument, its line in --help, its effect. */
#include <stdlib.h>
#include <string.h>

#include "tools/common/options/number.h"
#include "tools/sigrep/options.h"

/* Bounds that keep sums of sizes far from overflow, not limits of taste. */
enum {
    MAX_CHUNK = 1 << 22,
};

/* Options without a letter. */
enum {
    KEY_MIN_MATCHES = 256,
    KEY_RECURSIVE,
    KEY_INCLUDE,
    KEY_EXCLUDE,
    KEY_PATH,
    KEY_OUTPUT_DIR,
    KEY_DURATION,
    KEY_LIST_DEVICES,
    KEY_SHOW,
    KEY_SCORES,
    KEY_KERNEL,
    KEY_CHUNK,
    KEY_PROGRESS,
    KEY_MONITOR,
    KEY_STATS,
    KEY_HOLD,
    KEY_EXEC,
    KEY_SAVE,
};

static const char *set_best(void *user, const char *text)
{
    options *o = user;
    return number_whole(text, 1, SIZE_MAX, &o->best) ? NULL : "not a whole number, 1 or above";
}

static const char *set_max_count(void *user, const char *text)
{
    options *o = user;
    return number_whole(text, 0, UINT64_MAX, &o->max_count) ? NULL
                                                            : "not a whole number, 0 or above";
}

static const char *set_output(void *user, const char *text)
{
    options *o = user;
    o->output = writer_find(text);
    return o->output ? NULL : "unknown format (text, json, csv, labels)";
}

static const char *set_time(void *user, const char *text)
{
    options *o = user;
    o->has_times = true;
    return time_style_parse(text, &o->times) ? NULL
                                             : "unknown style (seconds, samples, hms, clock)";
}

static const char *set_with_names(void *user, const char *text)
{
    options *o = user;
    (void)text;
    o->names = FILE_NAMES_ALWAYS;
    return NULL;
}

static const char *set_no_names(void *user, const char *text)
{
    options *o = user;
    (void)text;
    o->names = FILE_NAMES_NEVER;
    return NULL;
}

static const char *set_list_matched(void *user, const char *text)
{
    options *o = user;
    (void)text;
    o->list_files = LIST_MATCHED;
    return NULL;
}

static const char *set_list_unmatched(void *user, const char *text)
{
    options *o = user;
    (void)text;
    o->list_files = LIST_UNMATCHED;
    return NULL;
}

static const char *add_glob(options *o, const char *glob, bool excludes)
{
    name_glob *globs = realloc(o->globs, (o->n_globs + 1) * sizeof *globs);
    if (!globs) return "out of memory";
    o->globs = globs;
    globs[o->n_globs++] = (name_glob){.glob = glob, .excludes = excludes};
    return NULL;
}

static const char *add_include(void *user, const char *text)
{
    return add_glob(user, text, false);
}

static const char *add_exclude(void *user, const char *text)
{
    return add_glob(user, text, true);
}

static const char *set_output_dir(void *user, const char *text)
{
    options *o = user;
    o->output_dir = text;
    return *text ? NULL : "the name is empty";
}

static const char *set_scores(void *user, const char *text)
{
    options *o = user;
    if (!*text) return "the file name is empty";
    if (strcmp(text, "-") == 0) return "standard output is for matches; name a file";
    o->scores_path = text;
    return NULL;
}

static const char *set_device(void *user, const char *text)
{
    options *o = user;
    o->device = text;
    if (strcmp(text, "auto") == 0 || strcmp(text, "cpu") == 0) return NULL;
    if (strcmp(text, "cuda") == 0 || strcmp(text, "cuda:all") == 0) return NULL;
    uint64_t gpu;
    if (strncmp(text, "cuda:", 5) == 0 && number_whole(text + 5, 0, 999, &gpu)) return NULL;
    return "unknown device (auto, cpu, cuda, cuda:N, cuda:all)";
}

static const char *set_kernel(void *user, const char *text)
{
    options *o = user;
    o->kernel = text;
    return NULL;
}

static const char *set_chunk(void *user, const char *text)
{
    options *o = user;
    return number_whole(text, 1, MAX_CHUNK, &o->chunk) ? NULL
                                                       : "not a whole number from 1 to 4194304";
}

static const double MOST_SECONDS = 1e9;

static const char *set_seconds(double *seconds, const char *text)
{
    const bool good = number_real(text, seconds) && *seconds >= 0 && *seconds <= MOST_SECONDS;
    return good ? NULL : "not a number of seconds, 0 to 1e9";
}

static const char *set_hold(void *user, const char *text)
{
    options *o = user;
    return set_seconds(&o->hold_s, text);
}

static const char *set_exec(void *user, const char *text)
{
    options *o = user;
    o->exec_command = text;
    return *text ? NULL : "the command is empty";
}

static const char *set_save(void *user, const char *text)
{
    options *o = user;
    o->save_folder = text;
    return *text ? NULL : "the folder's name is empty";
}

static const char *set_after(void *user, const char *text)
{
    options *o = user;
    o->has_after = true;
    return set_seconds(&o->after_s, text);
}

static const char *set_before(void *user, const char *text)
{
    options *o = user;
    o->has_before = true;
    return set_seconds(&o->before_s, text);
}

static const char *set_context(void *user, const char *text)
{
    options *o = user;
    o->has_context = true;
    return set_seconds(&o->context_s, text);
}

static const argument_row rows[] = {
    ARGUMENT_HEADING("What to search for:"),
    ARGUMENT_SHARED('e', "template", "T", "a template; may be repeated"),
    ARGUMENT_SHARED('t', "threshold", "X",
                    "report matches with score <= X (mean cost per\n"
                    "template sample); auto: an estimate for each\n"
                    "template (default: a bundle's, else auto)"),
    ARGUMENT('b', "best", "N", set_best,
             "no threshold: the N best disjoint matches of each\nlabel in each input, best first"),
    ARGUMENT('m', "max-count", "N", set_max_count, "stop after N matches of an input"),
    ARGUMENT_SHARED('g', "length", "MIN,MAX", "length of a match in template lengths (0.5,2)"),
    ARGUMENT_SHARED(KEY_MIN_MATCHES, "min-matches", "N", "takes of a label that must agree (1)"),
    ARGUMENT_SHARED('p', "front-end", "F",
                    "what is compared (default: as a bundle was made,\n"
                    "else raw for numbers, mfcc for audio templates):\n"
                    "raw, znorm=SECONDS, diff, envelope=SECONDS,\n"
                    "bandpass=LO-HI, resample=HZ; for sounds\n"
                    "logmel=BANDS, mfcc, speech; joined by +"),

    ARGUMENT_HEADING("Input:"),
    ARGUMENTS_OF_INPUT,
    ARGUMENT_SHARED(KEY_DURATION, "duration", "SECONDS", "end each input after that much of it"),
    ARGUMENT_FLAG(KEY_RECURSIVE, "recursive", options, recursive,
                  "a directory stands for all signals below it"),
    ARGUMENT(KEY_INCLUDE, "include", "GLOB", add_include,
             "only files whose name matches; may be repeated"),
    ARGUMENT(KEY_EXCLUDE, "exclude", "GLOB", add_exclude,
             "no files whose name matches; may be repeated"),

    ARGUMENT_HEADING("Output:"),
    ARGUMENT('o', "output", "F", set_output,
             "text (default), json (JSON Lines), csv, labels\n(Audacity)"),
    ARGUMENT_FLAG(KEY_PATH, "path", options, path,
                  "with -o json: the warping path of each match, in\n"
                  "pairs of a template's frame and a sample"),
    ARGUMENT('T', "time", "F", set_time,
             "seconds (default), samples, hms, clock (UTC,\ndefault for a microphone and ISO 8601 "
             "times)"),
    ARGUMENT_FLAG('c', "count", options, count, "print only the number of matches of each input"),
    ARGUMENT('l', "files-with-matches", NULL, set_list_matched,
             "print only the names of inputs with a match"),
    ARGUMENT('L', "files-without-match", NULL, set_list_unmatched,
             "print only the names of inputs without a match"),
    ARGUMENT_FLAG('q', "quiet", options, quiet, "print nothing; stop at the first match"),
    ARGUMENT('H', "with-filename", NULL, set_with_names, "begin lines with the input's name"),
    ARGUMENT('h', "no-filename", NULL, set_no_names, "never begin lines with a name"),
    ARGUMENT(KEY_OUTPUT_DIR, "output-dir", "DIR", set_output_dir,
             "write the matches of each input to a file in DIR"),
    ARGUMENT(KEY_SCORES, "scores", "FILE", set_scores,
             "also write the score of every frame, raw float32,\ntemplates interleaved"),

    ARGUMENT_HEADING("What to do about matches:"),
    ARGUMENT(KEY_HOLD, "hold", "SECONDS", set_hold,
             "after a match, none of that label for so long"),
    ARGUMENT(KEY_SAVE, "save", "DIR", set_save,
             "write each match to a file in DIR: WAV, or CSV\nwith the input's lines"),
    ARGUMENT('A', "after-context", "SECONDS", set_after, "save so much after each match (0)"),
    ARGUMENT('B', "before-context", "SECONDS", set_before, "save so much before each match (0)"),
    ARGUMENT('C', "context", "SECONDS", set_context, "both"),
    ARGUMENT(KEY_EXEC, "exec", "CMD", set_exec,
             "run CMD by sh for each match, which is in SIGREP_*\n"
             "variables; one at a time, beside the search"),

    ARGUMENT_HEADING("Where and how it runs (results never depend on it):"),
    ARGUMENT('d', "device", "D", set_device, "auto (default), cpu, cuda, cuda:N or cuda:all"),
    ARGUMENT_SHARED('j', "threads", "N", "threads to use (1)"),
    ARGUMENT(KEY_KERNEL, "kernel", "NAME", set_kernel,
             "the code that computes scores (the fastest usable)"),
    ARGUMENT(KEY_CHUNK, "chunk", "N", set_chunk, "most frames computed at once"),

    ARGUMENT_HEADING("On standard error:"),
    ARGUMENT_FLAG(
        KEY_PROGRESS, "progress", options, progress,
        "how far the search is (default if standard error\nis a terminal and the input a file)"),
    ARGUMENT_FLAG(KEY_MONITOR, "monitor", options, monitor,
                  "level, best scores and last matches; redrawn on a\n"
                  "terminal, else a line a second (slows the search)"),
    ARGUMENT_FLAG(KEY_STATS, "stats", options, stats, "figures at the end"),
    ARGUMENT_FLAG('s', "no-messages", options, no_messages,
                  "nothing about inputs that cannot be read"),
    ARGUMENT_FLAG('v', "verbose", options, shared.verbose,
                  "what was loaded, its format, and what is used"),

    ARGUMENT_HEADING("On standard output:"),
    ARGUMENT_FLAG(KEY_LIST_DEVICES, "list-devices", options, list_devices, "list the microphones"),
    ARGUMENT_FLAG(KEY_SHOW, "show", options, show,
                  "what is in a bundle: sigrep --show NAME.sigrep"),
};

const argument_table option_table = {
    .program = "sigrep",
    .usage = "sigrep [OPTION]... TEMPLATE [INPUT]...",
    .about = "       sigrep [OPTION]... -e TEMPLATE [-e TEMPLATE]... [INPUT]...\n"
             "       sigrep --list-devices\n"
             "       sigrep --show BUNDLE\n"
             "Find every place where a signal resembles a template, by time warping.\n\n"
             "TEMPLATE is [LABEL=]FILE[@START-END] (seconds), a bundle NAME.sigrep that\n"
             "sigrep-train wrote, or a directory of files.\n"
             "INPUT is a file, - for standard input (the default), or mic: or mic:NAME for a\n"
             "live microphone.\n",
    .rows = rows,
    .n_rows = sizeof rows / sizeof *rows,
    .end = "Exit status: 0 a match, 1 none, 2 an error.\n"
           "Examples and all details: man sigrep\n",
    .take_operands = options_take_operands,
};
