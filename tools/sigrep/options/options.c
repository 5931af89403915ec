/* options.c - each option once: its names, its argument, its line in --help, its effect. */
#include "tools/sigrep/options/options.h"

#include <getopt.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "io/live/mic.h"
#include "tools/common/options/number.h"
#include "tools/common/options/template_spec.h"
#include "tools/common/templates/bundle_file.h"

/* Bounds that keep sums of sizes far from overflow, not limits of taste. */
enum { MAX_CHUNK = 1 << 22 };

static const char *set_output(void *user, const char *text)
{
    options *o = user;
    o->output = writer_find(text);
    return o->output ? NULL : "unknown format (text, json, csv, labels, raven)";
}

static const char *set_time(void *user, const char *text)
{
    options *o = user;
    o->has_times = true;
    return time_style_parse(text, &o->times) ? NULL
                                             : "unknown style (seconds, samples, hms, clock)";
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

static const char *set_file_time(void *user, const char *text)
{
    options *o = user;
    o->has_file_time = true;
    o->file_time_is_utc = text != NULL;
    return !text || strcmp(text, "utc") == 0 ? NULL : "not utc, the only word for it";
}

static const char *set_log(void *user, const char *text)
{
    options *o = user;
    if (!*text) return "the file name is empty";
    if (strcmp(text, "-") == 0) return "matches go to standard output without it; name a file";
    o->log_path = text;
    return NULL;
}

/* SECONDS,FILE */
static const char *set_stats_every(void *user, const char *text)
{
    options *o = user;
    const size_t n = strcspn(text, ",");
    if (!number_real_part(text, n, &o->stats_every_s) ||
        !(o->stats_every_s >= 1 && o->stats_every_s <= 1e6))
        return "not SECONDS,FILE with 1 to 1e6 seconds";
    if (text[n] != ',' || !text[n + 1]) return "no file is named: SECONDS,FILE";
    if (strcmp(text + n, ",-") == 0) return "standard output is for matches; name a file";
    o->stats_path = text + n + 1;
    return NULL;
}

static const char *set_scores(void *user, const char *text)
{
    options *o = user;
    if (!*text) return "the file name is empty";
    if (strcmp(text, "-") == 0) return "standard output is for matches; name a file";
    o->scores_path = text;
    return NULL;
}

/* Is there a state before the comma, and no file of the whole name? Then a word is misspelt. */
static bool is_slip(const char *text, size_t comma)
{
    struct stat st;
    char *before = strndup(text, comma);
    const bool is_state = before && stat(before, &st) == 0 && S_ISREG(st.st_mode);
    free(before);
    return is_state && stat(text, &st) != 0;
}

/* FILE, FILE,replay or FILE,continue. */
static const char *set_state(void *user, const char *text)
{
    options *o = user;
    const char *comma = strrchr(text, ',');
    const bool is_replay = comma && strcmp(comma, ",replay") == 0;
    const bool is_continued = comma && strcmp(comma, ",continue") == 0;
    const bool has_word = is_replay || is_continued;
    const size_t before = comma ? (size_t)(comma - text) : 0;
    const size_t n = has_word ? before : strlen(text);
    if (n == 0) return "the file name is empty";
    if (n == 1 && *text == '-') return "standard output is for matches; name a file";
    if (comma && !has_word && is_slip(text, before))
        return "neither 'replay' nor 'continue' follows the comma";
    free(o->state_path);
    o->state_path = strndup(text, n);
    o->state_stream = is_replay ? STATE_REPLAY : is_continued ? STATE_CONTINUE : STATE_ANY;
    return o->state_path ? NULL : "out of memory";
}

/* Seconds: digits, perhaps a point among them. */
static bool parse_seconds(const char *text, size_t n, double *seconds)
{
    return strspn(text, "0123456789.") >= n && number_real_part(text, n, seconds);
}

static const char *set_group_by(void *user, const char *text)
{
    options *o = user;
    const char *reason = column_list_parse_few(
        &o->group_column, 1, text, "neither the number of a column, from 1, nor a name");
    if (reason) return reason;
    o->shared.source.group_column = o->group_column.numbers[0];
    o->shared.source.group_name = o->group_column.names[0];
    return NULL;
}

static const char *set_range(void *user, const char *text)
{
    options *o = user;
    const size_t n = strcspn(text, "-");
    const char *end = text + n + 1;
    o->has_range = text[n] == '-' && parse_seconds(text, n, &o->start_s);
    o->end_s = INFINITY;
    if (o->has_range && *end) o->has_range = parse_seconds(end, strlen(end), &o->end_s);
    if (!o->has_range) return "not START-END in seconds, or START- for all that follows";
    return o->start_s < o->end_s ? NULL : "it ends where it begins, or before";
}

static const char *set_page(void *user, const char *text)
{
    options *o = user;
    o->has_page = number_whole(text, 0, UINT16_MAX, &o->page_port);
    return o->has_page ? NULL : "not a port, 0 to 65535";
}

/* What counts from the beginning of an input, or needs all of it. */
static const char *option_of_whole_inputs(const options *o)
{
    const given_option all[] = {{o->best > 0, "--best"},
                                {o->save_folder, "--save"},
                                {o->scores_path, "--scores"},
                                {o->monitor, "--monitor"},
                                {o->has_page, "--monitor-page"},
                                {o->state_path, "--state"},
                                {o->shared.duration_s > 0, "--duration"}};
    return arguments_first_given(all, sizeof all / sizeof *all);
}

/* What is no list of matches on standard output. */
static const char *option_of_other_output(const options *o)
{
    const given_option all[] = {
        {o->max_count != UINT64_MAX, "--max-count"},
        {o->count, "--count"},
        {o->list_files, "-l or -L"},
        {o->quiet, "--quiet"},
        {o->exec_command, "--exec"},
        {o->output_dir, "--output-dir"},
        {o->log_path, "--log"},
        {o->stats_path, "--stats-every"},
        {o->output->has_numbers, "--output raven"},
        {o->hold_s > 0 && source_wants_times(&o->shared.source), "--hold of a time column"}};
    return arguments_first_given(all, sizeof all / sizeof *all);
}

/* `option` is of files alone. */
static arguments_status check_are_files(const options *o, const char *option, char *error)
{
    for (size_t i = 0; i < o->shared.n_inputs; i++)
        if (strcmp(o->shared.inputs[i], "-") == 0 || mic_is_named(o->shared.inputs[i]))
            return arguments_bad(error, "%s needs a file by its name, not '%s'", option,
                                 o->shared.inputs[i]);
    return ARGUMENTS_OK;
}

static arguments_status check_part(const options *o, char *error)
{
    const bool is_plan = o->shard_size_s > 0, has_shards = is_plan || o->shard;
    const char *name = has_shards ? "a shard" : "--range";
    const char *other = option_of_whole_inputs(o);
    if (!o->has_range && !has_shards) return ARGUMENTS_OK;
    if (!other && has_shards) other = option_of_other_output(o);
    if (o->shard && !o->has_range) return arguments_bad(error, "--shard needs --range");
    if (o->shard && o->shared.n_inputs != 1) return arguments_bad(error, "a shard has one input");
    if (is_plan && (o->has_range || o->shard))
        return arguments_bad(error, "--shard-size and --range exclude each other");
    if (other) return arguments_bad(error, "%s does not go with %s", other, name);
    return check_are_files(o, name, error);
}

/* --state goes on with one input, and with what is printed. What else is done about a match might
 * be done twice, or not at all, if the program is killed. */
static arguments_status check_state(const options *o, char *error)
{
    const given_option all[] = {{o->best > 0, "--best"},
                                {o->list_files == LIST_MATCHED, "--files-with-matches"},
                                {o->list_files == LIST_UNMATCHED, "--files-without-match"},
                                {o->quiet, "--quiet"},
                                {o->recursive, "--recursive"},
                                {o->output_dir, "--output-dir"},
                                {o->scores_path, "--scores"},
                                {o->save_folder, "--save"},
                                {o->exec_command, "--exec"}};
    const char *other = arguments_first_given(all, sizeof all / sizeof *all);
    if (!o->state_path) return ARGUMENTS_OK;
    if (other) return arguments_bad(error, "--state and %s exclude each other", other);
    if (o->shared.n_inputs > 1) return arguments_bad(error, "--state needs exactly one input");
    return ARGUMENTS_OK;
}

/* --retry goes on with an input that has no end. */
static arguments_status check_retry(const options *o, char *error)
{
    const given_option all[] = {{o->best > 0, "--best"},
                                {o->recursive, "--recursive"},
                                {o->list_files == LIST_UNMATCHED, "--files-without-match"},
                                {o->state_path, "--state"},
                                {o->has_range, "--range"},
                                {o->shard_size_s > 0, "--shard-size"},
                                {o->has_file_time, "--file-time"},
                                {source_wants_groups(&o->shared.source), "--group-by"},
                                {source_wants_times(&o->shared.source), "--time-column"}};
    const char *other = arguments_first_given(all, sizeof all / sizeof *all);
    if (o->retry_s == 0) return ARGUMENTS_OK;
    if (other) return arguments_bad(error, "--retry and %s exclude each other", other);
    if (o->shared.n_inputs != 1) return arguments_bad(error, "--retry needs exactly one input");
    if (strcmp(o->shared.inputs[0], "-") == 0)
        return arguments_bad(error, "--retry cannot open standard input again; start its command "
                                    "in a loop, or name a pipe that mkfifo made");
    return ARGUMENTS_OK;
}

/* --file-time prints dates, of the names of files. */
static arguments_status check_file_time(const options *o, char *error)
{
    if (!o->has_file_time) return ARGUMENTS_OK;
    if (source_wants_times(&o->shared.source))
        return arguments_bad(error, "--file-time and --time-column exclude each other");
    if (o->has_times && o->times != TIME_CLOCK)
        return arguments_bad(error, "--file-time prints dates, so --time can only be clock");
    return o->recursive ? ARGUMENTS_OK : check_are_files(o, "--file-time", error);
}

/* --time-zone must have a clock to show. */
static arguments_status check_time_zone(const options *o, char *error)
{
    bool has_clock = o->has_file_time || (o->has_times && o->times == TIME_CLOCK);
    if (!o->time_zone) return ARGUMENTS_OK;
    if (source_wants_times(&o->shared.source))
        return arguments_bad(error, "--time-zone does not go with --time-column, whose dates are "
                                    "in UTC or name their zone");
    for (size_t i = 0; i < o->shared.n_inputs; i++)
        has_clock = has_clock || mic_is_named(o->shared.inputs[i]);
    if (!has_clock)
        return arguments_bad(error, "--time-zone belongs to --file-time, --time clock or mic:");
    return ARGUMENTS_OK;
}

/* Each group is an input of its own, and all are searched at once. */
static arguments_status check_groups(const options *o, char *error)
{
    const given_option all[] = {
        {o->state_path, "--state"},   {o->save_folder, "--save"},
        {o->scores_path, "--scores"}, {o->stats_path, "--stats-every"},
        {o->monitor, "--monitor"},    {o->has_page, "--monitor-page"},
        {o->shard, "--shard"},        {o->shard_size_s > 0, "--shard-size"}};
    const char *other = arguments_first_given(all, sizeof all / sizeof *all);
    if (!source_wants_groups(&o->shared.source) || !other) return ARGUMENTS_OK;
    return arguments_bad(error, "--group-by and %s exclude each other", other);
}

/* Options that exclude each other. */
static arguments_status check_together(const options *o, char *error)
{
    if ((o->shared.has_threshold || o->shared.auto_threshold) && o->best)
        return arguments_bad(error, "--threshold and --best exclude each other");
    const given_option contexts[] = {{o->after_s >= 0, "--after-context"},
                                     {o->before_s >= 0, "--before-context"},
                                     {o->context_s >= 0, "--context"}};
    const char *context = arguments_first_given(contexts, sizeof contexts / sizeof *contexts);
    if (context && !o->save_folder)
        return arguments_bad(error, "%s belongs to --save DIR", context);
    if (o->save_folder && o->shared.source.even_hz > 0)
        return arguments_bad(error, "--save writes rows, so not with --resample-times");
    if (o->path && !o->output->has_path)
        return arguments_bad(error, "--path belongs to --output json");
    if (o->monitor && o->progress)
        return arguments_bad(error, "--monitor and --progress exclude each other");
    if (o->monitor && o->has_page)
        return arguments_bad(error, "--monitor and --monitor-page exclude each other");
    if (o->best && o->hold_s > 0)
        return arguments_bad(error, "--hold takes matches as they come, so not with --best");
    if (o->best && o->shared.min_matches > 1)
        return arguments_bad(error, "--min-matches needs a threshold, so not --best");
    if (o->output_dir && (o->count || o->list_files || o->quiet))
        return arguments_bad(error, "--output-dir writes matches, so not with -c, -l, -L or -q");
    if (o->log_path && o->quiet)
        return arguments_bad(error, "--log gets what is printed, and -q prints nothing");
    if (o->log_path && o->output_dir)
        return arguments_bad(error, "--log and --output-dir exclude each other");
    if (o->new_only && !o->output_dir)
        return arguments_bad(error, "--new-only belongs to --output-dir DIR");
    size_t template_reads = 0, input_reads = 0; /* of standard input, which can be read once */
    for (size_t i = 0; i < o->shared.n_templates; i++)
        template_reads += strcmp(o->shared.templates[i].path, "-") == 0;
    for (size_t i = 0; i < o->shared.n_inputs; i++) {
        input_reads += strcmp(o->shared.inputs[i], "-") == 0;
        if (o->best && o->shared.duration_s == 0 && mic_is_named(o->shared.inputs[i]))
            return arguments_bad(error, "--best waits for the end of '%s': give --duration SECONDS",
                                 o->shared.inputs[i]);
    }
    if (template_reads && input_reads)
        return arguments_bad(error, "standard input cannot be a template and an input");
    if (template_reads + input_reads > 1)
        return arguments_bad(error, "standard input can be named only once");
    static arguments_status (*const checks[])(const options *, char *) = {
        check_part, check_groups, check_state, check_retry, check_file_time, check_time_zone};
    arguments_status status = ARGUMENTS_OK;
    for (size_t i = 0; i < sizeof checks / sizeof *checks && !status; i++)
        status = checks[i](o, error);
    return status;
}

/* Of --show. */
static arguments_status take_bundle(options *o, int n, char **operands, char *error)
{
    if (n != 1 || !bundle_is_named(operands[0]))
        return arguments_bad(error, "--show needs one bundle, NAME.sigrep");
    const char *reason = shared_options_set_inputs(&o->shared, n, operands);
    return reason ? arguments_bad(error, "%s", reason) : ARGUMENTS_OK;
}

static arguments_status take_operands(void *user, int n, char **operands, char *error)
{
    options *o = user;
    shared_options *shared = &o->shared;
    if (o->list_devices) return ARGUMENTS_OK;
    if (o->show) return take_bundle(o, n, operands, error);
    if (shared->n_templates == 0) {
        if (n == 0) return ARGUMENTS_NONE;
        const char *reason = shared_options_set(shared, "template", operands[0]);
        if (reason) return arguments_bad(error, "template '%.300s': %s", operands[0], reason);
        o->names_template = true;
        operands++;
        n--;
    }
    const char *reason = shared_options_set_inputs(shared, n, operands);
    if (reason) return arguments_bad(error, "%s", reason);
    o->searches_here = o->recursive && n == 0;
    if (o->searches_here) shared->inputs[0] = ".";
    o->own_thresholds = !shared->has_threshold && !shared->auto_threshold && !o->best;
    const arguments_status status = check_together(o, error);
    shared->auto_threshold |= o->own_thresholds;
    return status;
}

/* Of a row: so many seconds, with no bound that matters. */
#define SECONDS(letter, long_name, member, text)                                                   \
    ARGUMENT_REAL(letter, long_name, "SECONDS", options, member, 0, 1e9,                           \
                  "not a number of seconds, 0 to 1e9", text)

static const argument_row rows[] = {
    ARGUMENT_HEADING("What to search for:"),
    ARGUMENT_SHARED('e', "template", "T", "a template; may be repeated"),
    ARGUMENT_SHARED('t', "threshold", "X",
                    "report matches with score <= X (mean cost per\n"
                    "template sample); auto: an estimate for each\n"
                    "template (default: a bundle's, else auto)"),
    ARGUMENT_WHOLE(
        'b', "best", "N", options, best, 1, SIZE_MAX,
        "no threshold: the N best disjoint matches of each\nlabel in each input, best first"),
    ARGUMENT_WHOLE('m', "max-count", "N", options, max_count, 0, UINT64_MAX,
                   "stop after N matches of an input"),
    ARGUMENT_SHARED('g', "length", "MIN,MAX", "length of a match in template lengths (0.5,2)"),
    ARGUMENT_SHARED(0, "min-matches", "N", "takes of a label that must agree (1)"),
    ARGUMENT_SHARED('p', "front-end", "F",
                    "what is compared (default: as a bundle was made,\n"
                    "else raw for numbers, mfcc for audio templates):\n"
                    "raw, znorm=SECONDS, diff, envelope=SECONDS,\n"
                    "bandpass=LO-HI, resample=HZ, zmatch=BAND;\n"
                    "for sounds logmel=BANDS, mfcc, speech, voices,\n"
                    "words; joined by +"),

    ARGUMENT_HEADING("Input:"),
    ARGUMENTS_OF_INPUT,
    ARGUMENT_SHARED(0, "duration", "SECONDS", "end each input after that much of it"),
    ARGUMENT_REAL(0, "retry", "SECONDS", options, retry_s, 0.1, 1e6,
                  "not a number of seconds, 0.1 to 1e6",
                  "open a microphone or a named pipe again that went\naway, every so often"),
    ARGUMENT(0, "range", "START-END", set_range,
             "search this part only, in seconds; a match belongs\nto the part in which it ends"),
    ARGUMENT_TEXT(0, "shard", "NAME", options, shard, "the name is empty",
                  "print a result for sigrep-shards, which wrote NAME"),
    ARGUMENT_REAL(0, "shard-size", "SECONDS", options, shard_size_s, 1e-9, 1e9,
                  "not a number of seconds, 1e-9 to 1e9",
                  "print the shards of that size: see sigrep-shards"),
    ARGUMENT(0, "group-by", "N", set_group_by,
             "text: rows with the same word in this column, such\n"
             "as a device, are a stream; N: number or name"),
    ARGUMENT_FLAG(0, "recursive", options, recursive,
                  "a directory stands for all signals below it"),
    ARGUMENT(0, "include", "GLOB", add_include, "only files whose name matches; may be repeated"),
    ARGUMENT(0, "exclude", "GLOB", add_exclude, "no files whose name matches; may be repeated"),

    ARGUMENT_HEADING("Output:"),
    ARGUMENT('o', "output", "F", set_output,
             "text (default), json (JSON Lines), csv, labels\n(Audacity), raven (selection table)"),
    ARGUMENT_FLAG(0, "path", options, path,
                  "with -o json: the warping path of each match, in\n"
                  "pairs of a template's frame and a sample"),
    ARGUMENT('T', "time", "F", set_time,
             "seconds (default), samples, hms, clock (UTC,\ndefault for a microphone and ISO 8601 "
             "times)"),
    ARGUMENT(0, "file-time", "[=utc]", set_file_time,
             "dates: an input begins at the time in its name,\n"
             "such as 20260101_120000 (AudioMoth, Song Meter);\n"
             "=utc: that is UTC, whatever --time-zone says"),
    ARGUMENT_TEXT(0, "time-zone", "NAME", options, time_zone, "the name is empty",
                  "the zone of such names and of clocks (UTC), such\nas Europe/Berlin"),
    ARGUMENT_FLAG('c', "count", options, count, "print only the number of matches of each input"),
    ARGUMENT_CHOICE('l', "files-with-matches", options, list_files, LIST_MATCHED,
                    "print only the names of inputs with a match"),
    ARGUMENT_CHOICE('L', "files-without-match", options, list_files, LIST_UNMATCHED,
                    "print only the names of inputs without a match"),
    ARGUMENT_FLAG('q', "quiet", options, quiet, "print nothing; stop at the first match"),
    ARGUMENT_CHOICE('H', "with-filename", options, names, FILE_NAMES_ALWAYS,
                    "begin lines with the input's name"),
    ARGUMENT_CHOICE('h', "no-filename", options, names, FILE_NAMES_NEVER,
                    "never begin lines with a name"),
    ARGUMENT_TEXT(0, "output-dir", "DIR", options, output_dir, "the name is empty",
                  "write the matches of each input to a file in DIR"),
    ARGUMENT_FLAG(0, "new-only", options, new_only,
                  "with --output-dir: inputs without a file there"),
    ARGUMENT(0, "log", "FILE", set_log,
             "append to FILE what would be printed; SIGHUP opens\nit anew, for logrotate"),
    ARGUMENT(0, "scores", "FILE", set_scores,
             "also write the score of every frame, raw float32,\ntemplates interleaved"),
    ARGUMENT(0, "state", "FILE", set_state,
             "go on where the last run with FILE ended; saved\n"
             "every 2 s, on signals and at the end; FILE,replay:\n"
             "a pipe begins anew; FILE,continue: it goes on"),

    ARGUMENT_HEADING("What to do about matches:"),
    SECONDS(0, "hold", hold_s, "after a match, none of that label for so long"),
    ARGUMENT_TEXT(0, "save", "DIR", options, save_folder, "the folder's name is empty",
                  "write each match to a file in DIR: WAV, or CSV\nwith the input's lines"),
    SECONDS('A', "after-context", after_s, "save so much after each match (0)"),
    SECONDS('B', "before-context", before_s, "save so much before each match (0)"),
    SECONDS('C', "context", context_s, "both"),
    ARGUMENT_TEXT(0, "exec", "CMD", options, exec_command, "the command is empty",
                  "run CMD by sh for each match, which is in SIGREP_*\n"
                  "variables; one at a time, beside the search"),

    ARGUMENT_HEADING("Where and how it runs (results never depend on it):"),
    ARGUMENT_SHARED('d', "device", "D", "auto (default), cpu, cuda, cuda:N or cuda:all"),
    ARGUMENT_SHARED('j', "threads", "N", "threads to use (1)"),
    ARGUMENT_TEXT(0, "kernel", "NAME", options, kernel, NULL,
                  "the code that computes scores (the fastest usable)"),
    ARGUMENT_WHOLE(0, "chunk", "N", options, chunk, 1, MAX_CHUNK, "most frames computed at once"),

    ARGUMENT_HEADING("On standard error:"),
    ARGUMENT_FLAG(
        0, "progress", options, progress,
        "how far the search is (default if standard error\nis a terminal and the input a file)"),
    ARGUMENT_FLAG(0, "monitor", options, monitor,
                  "level, best scores and last matches; redrawn on a\n"
                  "terminal, else a line a second (slows the search)"),
    ARGUMENT(0, "monitor-page", "PORT", set_page,
             "the same on a page for browsers of this machine,\n"
             "http://127.0.0.1:PORT/; 0: a free port"),
    ARGUMENT_FLAG(0, "stats", options, stats, "figures at the end"),
    ARGUMENT(0, "stats-every", "SECONDS,FILE", set_stats_every,
             "write figures for Prometheus to FILE, so often"),
    ARGUMENT_FLAG('s', "no-messages", options, no_messages,
                  "nothing about inputs that cannot be read"),
    ARGUMENT_FLAG('v', "verbose", options, shared.verbose,
                  "what was loaded, its format, and what is used"),

    ARGUMENT_HEADING("On standard output:"),
    ARGUMENT_FLAG(0, "list-devices", options, list_devices, "list the microphones"),
    ARGUMENT_FLAG(0, "show", options, show, "what is in a bundle: sigrep --show NAME.sigrep"),
};

const argument_table option_table = {
    .program = "sigrep",
    .usage = "sigrep [OPTION]... TEMPLATE [INPUT]...",
    .short_help = /* one screen of 24 lines */
    "Find every place where a signal resembles a template, by time warping.\n"
    "Prints start, end (seconds), score (0: a copy) and label of each match.\n"
    "\n"
    "  sigrep bark.wav day.flac                       where it barks, in seconds\n"
    "  sigrep -b 3 day.flac@80.5-82 night.flac        the best places of a part\n"
    "  sigrep --time-column time --columns amps start.csv log.csv\n"
    "  sigrep --recursive -o labels --output-dir found bark.wav folder\n"
    "  sigrep --exec 'mpc toggle' word.sigrep mic:    listen, run a command\n"
    "\n"
    "  -t, --threshold X     matches with score <= X (default: by an estimate)\n"
    "  -b, --best N          the N best matches of each input, whatever their scores\n"
    "  -p, --front-end F     what is compared: raw, diff, znorm=1, speech, words\n"
    "      --columns LIST    columns of a table, by number or name\n"
    "      --time-column N   the column of the times\n"
    "      --recursive       search folders\n"
    "  -o, --output F        text, json, csv, labels (Audacity), raven\n"
    "  -T, --time F          seconds, samples, hms, clock\n"
    "      --save DIR        write each match to a file in DIR\n"
    "      --exec CMD        run CMD for each match\n"
    "\n"
    "For words, begin with sigrep-record and sigrep-train. All options: sigrep\n"
    "--help=all; explained: man sigrep.\n",
    .about = "       sigrep [OPTION]... -e TEMPLATE [-e TEMPLATE]... [INPUT]...\n"
             "       sigrep --list-devices\n"
             "       sigrep --show BUNDLE\n"
             "Find every place where a signal resembles a template, by time warping.\n\n"
             "TEMPLATE is [LABEL=]FILE[@START-END] (seconds), [LABEL=]FILE@TABLE[:ROW] (marks\n"
             "of Raven or Audacity), a bundle NAME.sigrep that sigrep-train wrote, or a\n"
             "directory of files.\n"
             "INPUT is a file, - for standard input (the default), or mic: or mic:NAME for a\n"
             "live microphone.\n",
    .rows = rows,
    .n_rows = sizeof rows / sizeof *rows,
    .end = "Exit status: 0 a match, 1 none, 2 an error.\n"
           "Examples and all details: man sigrep\n",
    .take_operands = take_operands,
};

arguments_status options_parse(options *o, int argc, char **argv, char error[ARGUMENTS_ERROR_SIZE])
{
    *o = (options){.shared = shared_options_defaults(),
                   .max_count = UINT64_MAX,
                   .output = &writer_text,
                   .before_s = -1,
                   .after_s = -1,
                   .context_s = -1};
    const arguments_status status = arguments_parse(&option_table, o, argc, argv, error);
    o->words = (const char *const *)(argv + 1);
    o->n_words = optind > 1 ? (size_t)optind - 1 : 0;
    return status;
}

void options_free(options *o)
{
    shared_options_free(&o->shared);
    column_list_free(&o->group_column);
    free(o->globs);
    free(o->state_path);
    *o = (options){0};
}
