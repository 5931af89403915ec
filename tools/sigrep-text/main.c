/* main.c - sigrep-text: strings in texts, with edits. */
#include <string.h>

#include "tools/common/options/arguments.h"
#include "tools/common/start.h"
#include "tools/sigrep-text/options.h"

enum { KEY_ALPHABET = 256, KEY_FASTA, KEY_KERNEL, KEY_WHOLE, KEY_DTW, KEY_PATH };

static const char *set_alphabet(void *user, const char *text)
{
    text_options *o = user;
    o->dna = strcmp(text, "dna") == 0;
    return o->dna || strcmp(text, "bytes") == 0 ? NULL : "not one of bytes, dna";
}

static const char *set_output(void *user, const char *text)
{
    text_options *o = user;
    o->output = writer_find(text);
    return o->output && !o->output->has_one_input ? NULL : "not one of text, json, csv";
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
    ARGUMENT_WHOLE('k', "edits", "EDITS", text_options, edits, 0, SIGREP_TEXT_MAX_LENGTH,
                   "report matches with at most EDITS letters\ninserted, deleted or replaced"),
    ARGUMENT('e', "pattern", "P", patterns_add, "a pattern; may be repeated"),
    ARGUMENT('f', "file", "FILE", patterns_add_file,
             "each line of FILE is a pattern; may be repeated"),
    ARGUMENT_FLAG('i', "ignore-case", text_options, ignore_case,
                  "ASCII letters match in either case"),
    ARGUMENT(KEY_ALPHABET, "alphabet", "A", set_alphabet,
             "bytes (default), or dna: IUPAC codes in either\ncase, on both strands"),
    ARGUMENT_WHOLE('m', "max-count", "N", text_options, max_count, 0, UINT64_MAX,
                   "stop after N matches of an input"),

    ARGUMENT_HEADING("Input:"),
    ARGUMENT_FLAG(KEY_FASTA, "fasta", text_options, fasta,
                  "inputs are FASTA (by itself with --alphabet dna,\nif the first byte is >)"),

    ARGUMENT_HEADING("Output:"),
    ARGUMENT('o', "output", "FORMAT", set_output, "text (default), json (JSON Lines), csv"),
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
    if (n != 2) return arguments_bad(error, "--whole takes two inputs");
    if (o->edits != UINT64_MAX || o->n_patterns > 0)
        return arguments_bad(error, "--whole takes no pattern and no -k");
    if (o->max_count != UINT64_MAX || o->count || o->list || o->quiet || o->no_messages)
        return arguments_bad(error, "--whole takes none of -m, -c, -l, -L, -q, -s");
    if (o->dtw && (o->ignore_case || o->dna || o->fasta))
        return arguments_bad(error, "--dtw takes none of -i, --alphabet dna, --fasta");
    if (o->path && !o->output->has_path) return arguments_bad(error, "--path needs -o json");
    return take_inputs(o, n, operands, error);
}

static arguments_status take_operands(void *user, int n, char **operands, char *error)
{
    text_options *o = user;
    if (o->dna && o->ignore_case)
        return arguments_bad(error, "-i and --alphabet dna exclude each other: DNA has no case");
    if (o->whole) return take_wholes(o, n, operands, error);
    if (o->dtw || o->path)
        return arguments_bad(error, "--%s needs --whole", o->dtw ? "dtw" : "path");
    if (o->n_patterns == 0) {
        if (n == 0) return ARGUMENTS_NONE;
        const char *wrong = patterns_add(o, operands[0]);
        if (wrong) return arguments_bad(error, "%s", wrong);
        operands++;
        n--;
    }
    if (o->edits == UINT64_MAX)
        return arguments_bad(error, "how many edits? give -k EDITS (0: none)");
    return take_inputs(o, n, operands, error);
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
    .end = "A line for each match: START, END, edits and pattern. Positions count bytes\n"
           "from 0.\n"
           "Exit status: 0 a match, 1 none, 2 an error.\n"
           "Examples and all details: man sigrep-text\n",
    .take_operands = take_operands,
};

int main(int argc, char **argv)
{
    char error[ARGUMENTS_ERROR_SIZE];
    text_options o = {.edits = UINT64_MAX, .max_count = UINT64_MAX, .output = &writer_text};
    start_program();
    const arguments_status parsed = arguments_parse(&table, &o, argc, argv, error);
    const int status = parsed    ? arguments_answer(&table, parsed, error)
                       : o.whole ? run_whole(&o)
                                 : run_search(&o);
    text_options_free(&o);
    return status;
}
