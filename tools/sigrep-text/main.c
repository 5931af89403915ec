/* main.c - sigrep-text: strings in texts, with edits. */
#include <math.h>
#include <string.h>

#include "tools/common/options/arguments.h"
#include "tools/common/options/number.h"
#include "tools/common/start.h"
#include "tools/sigrep-text/options.h"

enum {
    KEY_ALPHABET = 256,
    KEY_SUBSTITUTIONS,
    KEY_OVERHANG,
    KEY_FASTA,
    KEY_KERNEL,
    KEY_WHOLE,
    KEY_DTW,
    KEY_PATH
};

/* A percentage such as 5% or 2.5%, in hundredths of a percent, below 100%. */
static bool read_rate(const char *text, uint64_t *rate)
{
    double percent;
    const size_t n = strlen(text);
    if (n == 0 || text[n - 1] != '%' || !number_real_part(text, n - 1, &percent)) return false;
    if (!(percent >= 0 && percent < 100)) return false;
    *rate = (uint64_t)llround(100 * percent);
    return fabs(100 * percent - (double)*rate) < 1e-6;
}

static const char *set_edits(void *user, const char *text)
{
    text_options *o = user;
    o->rate = UINT64_MAX;
    if (number_whole(text, 0, SIGREP_TEXT_MAX_LENGTH, &o->edits)) return NULL;
    o->edits = 0;
    return read_rate(text, &o->rate)
               ? NULL
               : "not a whole number from 0 to 268435456, and no rate from 0% "
                 "to 99.99%";
}

/* In hundredths of an edit, as a percentage. */
static const char *set_overhang(void *user, const char *text)
{
    text_options *o = user;
    double percent;
    const size_t n = strlen(text);
    if (n < 2 || text[n - 1] != '%' || !number_real_part(text, n - 1, &percent) || percent < 1 ||
        percent > 100 || percent != floor(percent))
        return "not a whole percentage from 1% to 100%";
    o->overhang = (uint64_t)percent;
    return NULL;
}

static const char *set_alphabet(void *user, const char *text)
{
    static const char *const names[] = {
        [ALPHABET_BYTES] = "bytes", [ALPHABET_DNA] = "dna", [ALPHABET_UTF8] = "utf8"};
    text_options *o = user;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        if (strcmp(names[i], text) != 0) continue;
        o->alphabet = (text_alphabet)i;
        return NULL;
    }
    return "not one of bytes, dna, utf8";
}

static const char *set_output(void *user, const char *text)
{
    text_options *o = user;
    o->output = writer_find_sequence(text);
    return o->output ? NULL : "not one of text, json, csv, bed, gff, sam";
}

static const char *set_kernel(void *user, const char *text)
{
    text_options *o = user;
    int usable = 0;
    size_t i = 0;
    while ((o->kernel = sigrep_text_kernel_name(i, NULL)) && strcmp(o->kernel, text) != 0) i++;
    if (!sigrep_text_kernel_name(i, &usable)) return "unknown kernel";
    return usable ? NULL : "this machine cannot run it";
}

static const argument_row rows[] = {
    ARGUMENT_HEADING("What to search for:"),
    ARGUMENT('k', "edits", "EDITS", set_edits,
             "report matches with at most EDITS letters\n"
             "inserted, deleted or replaced; or a rate such as\n5% of the pattern's letters"),
    ARGUMENT('e', "pattern", "P", patterns_add, "a pattern; may be repeated"),
    ARGUMENT('f', "file", "FILE", patterns_add_file,
             "each line of FILE is a pattern, or with --fasta or\n--alphabet dna each record of "
             "FASTA or FASTQ"),
    ARGUMENT_FLAG('i', "ignore-case", text_options, ignore_case,
                  "ASCII letters match in either case"),
    ARGUMENT(KEY_ALPHABET, "alphabet", "A", set_alphabet,
             "bytes (default); dna: IUPAC codes in either case,\n"
             "on both strands; utf8: characters"),
    ARGUMENT_FLAG(KEY_SUBSTITUTIONS, "substitutions", text_options, substitutions,
                  "letters are only replaced"),
    ARGUMENT(KEY_OVERHANG, "overhang", "PERCENT", set_overhang,
             "patterns may hang over the ends of a text; each\n"
             "letter that does costs so much of an edit: 50%"),
    ARGUMENT_WHOLE('m', "max-count", "N", text_options, max_count, 0, UINT64_MAX,
                   "stop after N matches of an input"),
    ARGUMENT_WHOLE(
        'b', "best", "N", text_options, best, 1, UINT32_MAX,
        "only the N best matches of each pattern in each\ninput, best first, at its end"),

    ARGUMENT_HEADING("Input:"),
    ARGUMENT_FLAG(KEY_FASTA, "fasta", text_options, fasta,
                  "inputs are FASTA or FASTQ (by itself with\n--alphabet dna)"),

    ARGUMENT_HEADING("Output:"),
    ARGUMENT('o', "output", "FORMAT", set_output,
             "text (default), json (JSON Lines), csv, bed,\ngff (GFF3), sam"),
    ARGUMENT_FLAG('c', "count", text_options, count,
                  "print only the number of matches of each input"),
    ARGUMENT_CHOICE('l', "files-with-matches", text_options, list, TEXT_LIST_MATCHED,
                    "print only the names of inputs with a match"),
    ARGUMENT_CHOICE('L', "files-without-match", text_options, list, TEXT_LIST_UNMATCHED,
                    "print only the names of inputs without a match"),
    ARGUMENT_FLAG('q', "quiet", text_options, quiet, "print nothing; stop at the first match"),
    ARGUMENT_CHOICE('H', "with-filename", text_options, names, TEXT_NAMES_ALWAYS,
                    "begin lines with the input's name"),
    ARGUMENT_CHOICE('h', "no-filename", text_options, names, TEXT_NAMES_NEVER,
                    "never begin lines with a name"),
    ARGUMENT_FLAG('s', "no-messages", text_options, no_messages,
                  "nothing about inputs that cannot be read"),

    ARGUMENT_HEADING("Two inputs as wholes, instead of a search:"),
    ARGUMENT_FLAG(KEY_WHOLE, "whole", text_options, whole, "print the edit distance of two inputs"),
    ARGUMENT_FLAG(KEY_DTW, "dtw", text_options, dtw,
                  "with --whole: inputs are signals, as sigrep reads\n"
                  "them; print the cost of dynamic time warping"),
    ARGUMENT_FLAG(KEY_PATH, "path", text_options, path,
                  "with --whole and -o json: the alignment, in pairs\nof positions"),

    ARGUMENT_HEADING("How it runs (results never depend on it):"),
    ARGUMENT_WHOLE('j', "threads", "N", text_options, threads, 1, 1024, "threads to use (1)"),
    ARGUMENT(KEY_KERNEL, "kernel", "NAME", set_kernel,
             "the code that computes distances (the fastest\nusable)"),
};

/* Take the inputs; without one, standard input. */
static arguments_status take_inputs(text_options *o, int n, char **operands, char *error)
{
    static char *standard_input[] = {"-"};
    o->inputs = n > 0 ? operands : standard_input;
    o->n_inputs = n > 0 ? (size_t)n : 1;
    for (size_t i = 0; i < o->n_inputs; i++) o->stdin_reads += strcmp(o->inputs[i], "-") == 0;
    if (o->stdin_reads <= 1) return ARGUMENTS_OK;
    return arguments_bad(error, "standard input can be named only once");
}

static arguments_status take_wholes(text_options *o, int n, char **operands, char *error)
{
    const given_option searches[] = {{o->max_count != UINT64_MAX, "-m"},
                                     {o->best != UINT64_MAX, "-b"},
                                     {o->count, "-c"},
                                     {o->list == TEXT_LIST_MATCHED, "-l"},
                                     {o->list == TEXT_LIST_UNMATCHED, "-L"},
                                     {o->quiet, "-q"},
                                     {o->no_messages, "-s"},
                                     {o->substitutions, "--substitutions"},
                                     {o->overhang > 0, "--overhang"},
                                     {o->kernel, "--kernel"},
                                     {o->threads > 0, "-j"},
                                     {o->names == TEXT_NAMES_NEVER, "-h"},
                                     {o->alphabet == ALPHABET_UTF8, "--alphabet utf8"}};
    const char *other = arguments_first_given(searches, sizeof searches / sizeof *searches);
    if (n != 2) return arguments_bad(error, "--whole takes two inputs");
    if (o->edits != UINT64_MAX || o->n_patterns > 0)
        return arguments_bad(error, "--whole takes no pattern and no -k");
    if (other) return arguments_bad(error, "%s is for searches, so not with --whole", other);
    if (o->dtw && (o->ignore_case || o->alphabet == ALPHABET_DNA || o->fasta))
        return arguments_bad(error, "--dtw takes none of -i, --alphabet dna, --fasta");
    if (o->path && !o->output->has_path) return arguments_bad(error, "--path needs -o json");
    if (!writer_find(o->output->name))
        return arguments_bad(error, "-o %s is for searches, so not with --whole", o->output->name);
    return take_inputs(o, n, operands, error);
}

/* Options that would have no effect beside others. `has_output`: -o is given. */
static arguments_status check_effects(const text_options *o, bool has_output, char *error)
{
    const given_option others[] = {{o->quiet, "-q"},
                                   {o->list == TEXT_LIST_MATCHED, "-l"},
                                   {o->list == TEXT_LIST_UNMATCHED, "-L"},
                                   {o->count, "-c"}};
    const given_option lines[] = {{o->best != UINT64_MAX, "-b"}, {has_output, "-o"}};
    const char *other = arguments_first_given(others, sizeof others / sizeof *others);
    const char *line = arguments_first_given(lines, sizeof lines / sizeof *lines);
    const bool has_name = o->output == &writer_text;
    if ((o->quiet != 0) + (o->list != 0) + (o->count != 0) > 1)
        return arguments_bad(error, "of -q, -c and -l or -L only one has an effect");
    if (line && other)
        return arguments_bad(error, "%s prints no matches, so not with %s", other, line);
    if (o->names != TEXT_NAMES_BY_COUNT && (!has_name || o->quiet || o->list))
        return arguments_bad(error, "-H and -h have an effect on text and -c alone");
    if (o->best != UINT64_MAX && o->max_count != UINT64_MAX)
        return arguments_bad(error, "-b needs all matches, so not -m");
    return ARGUMENTS_OK;
}

static arguments_status check_alphabet(const text_options *o, char *error)
{
    if (o->alphabet == ALPHABET_DNA && o->ignore_case)
        return arguments_bad(error, "-i and --alphabet dna exclude each other: DNA has no case");
    if (o->alphabet == ALPHABET_UTF8 && o->fasta)
        return arguments_bad(error, "--alphabet utf8 and --fasta exclude each other");
    if (o->output == &writer_sam && o->alphabet != ALPHABET_DNA)
        return arguments_bad(error, "-o sam is for DNA: give --alphabet dna");
    return ARGUMENTS_OK;
}

/* The first operand is a pattern, unless others are given. */
static arguments_status take_patterns(text_options *o, int *n, char ***operands, char *error)
{
    if (o->n_patterns == 0) {
        if (*n == 0) return ARGUMENTS_NONE;
        const char *wrong = patterns_add(o, (*operands)[0]);
        if (wrong) return arguments_bad(error, "%s", wrong);
        ++*operands;
        --*n;
    }
    if (o->edits == UINT64_MAX)
        return arguments_bad(error, "how many edits? give -k EDITS (0: none)");
    return patterns_load(o, error, ARGUMENTS_ERROR_SIZE) ? ARGUMENTS_OK : ARGUMENTS_BAD;
}

static arguments_status take_operands(void *user, int n, char **operands, char *error)
{
    text_options *o = user;
    const bool has_output = o->output != NULL;
    if (!has_output) o->output = &writer_text;
    arguments_status status = check_alphabet(o, error);
    if (status) return status;
    if (o->whole) return take_wholes(o, n, operands, error);
    if (o->dtw || o->path)
        return arguments_bad(error, "--%s needs --whole", o->dtw ? "dtw" : "path");
    *error = 0;
    status = take_patterns(o, &n, &operands, error);
    if (!status) status = check_effects(o, has_output, error);
    return status ? status : take_inputs(o, n, operands, error);
}

static const argument_table table = {
    .program = "sigrep-text",
    .usage = "sigrep-text -k EDITS [OPTION]... PATTERN [INPUT]...",
    .about = "       sigrep-text -k EDITS [OPTION]... -e PATTERN [-e PATTERN]... [INPUT]...\n"
             "       sigrep-text --whole [OPTION]... INPUT INPUT\n"
             "Find every place where a text resembles a pattern, with at most EDITS letters\n"
             "inserted, deleted or replaced.\n\n"
             "A letter is a byte. INPUT is a file, or - for standard input (the default);\n"
             "gzip and zstd are unpacked.\n",
    .rows = rows,
    .n_rows = sizeof rows / sizeof *rows,
    .end = "A line for each match: START, END, edits and pattern; with --fasta or\n"
           "--alphabet dna also strand and record. Positions count letters from 0.\n"
           "Exit status: 0 a match, 1 none, 2 an error.\n"
           "Examples and all details: man sigrep-text\n",
    .take_operands = take_operands,
};

int main(int argc, char **argv)
{
    char error[ARGUMENTS_ERROR_SIZE];
    text_options o = {
        .edits = UINT64_MAX, .rate = UINT64_MAX, .max_count = UINT64_MAX, .best = UINT64_MAX};
    start_program();
    const arguments_status parsed = arguments_parse(&table, &o, argc, argv, error);
    const int status = parsed    ? arguments_answer(&table, parsed, error)
                       : o.whole ? run_whole(&o)
                                 : run_search(&o);
    text_options_free(&o);
    return status;
}
