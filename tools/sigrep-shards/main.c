/* main.c - sigrep-shards: exact shards of a search, and their results as one. */
#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "tools/common/messages/messages.h"
#include "tools/common/options/arguments.h"
#include "tools/common/start.h"
#include "tools/sigrep-shards/merge.h"

typedef struct {
    const char *size; /* as sigrep takes it; NULL: not given */
    bool merge;
    char **files;
    size_t n_files;
} shards_options;

static const argument_row rows[] = {
    ARGUMENT_TEXT(0, "size", "SECONDS", shards_options, size, "the size is empty",
                  "print the shards, about so long, of what sigrep\n"
                  "would search with these arguments"),
    ARGUMENT_FLAG(0, "merge", shards_options, merge,
                  "join what the shards printed: files of one result\n"
                  "or more, in any order (default: standard input)"),
};

static arguments_status take_operands(void *user, int n, char **operands, char *error)
{
    static char *standard_input[] = {"-"};
    shards_options *o = user;
    if (o->size) return arguments_bad(error, "--size comes first, then arguments of sigrep");
    if (!o->merge)
        return n == 0 ? ARGUMENTS_NONE : arguments_bad(error, "neither --size nor --merge");
    o->files = n > 0 ? operands : standard_input;
    o->n_files = n > 0 ? (size_t)n : 1;
    return ARGUMENTS_OK;
}

static const argument_table table = {
    .program = "sigrep-shards",
    .usage = "sigrep-shards --size SECONDS SIGREP-ARGUMENT...",
    .about = "       sigrep-shards --merge [RESULT]...\n"
             "Cut a search into shards that any machines run in any order, and join what they\n"
             "print: byte for byte the output of one run of sigrep.\n\n",
    .rows = rows,
    .n_rows = sizeof rows / sizeof *rows,
    .end = "A line of --size is a command of the shell; its output is a RESULT.\n"
           "Exit status of --merge: 0 a match, 1 none, 2 an error.\n"
           "Examples and all details: man sigrep-shards\n",
    .take_operands = take_operands,
};

/* sigrep knows its options, templates and inputs, so it prints the plan. */
static int print_plan(char **argv)
{
    argv[0] = "sigrep";
    argv[1] = "--shard-size";
    execvp(argv[0], argv);
    report_as("sigrep-shards");
    report("sigrep: %s", strerror(errno));
    return EXIT_ERROR;
}

int main(int argc, char **argv)
{
    char error[ARGUMENTS_ERROR_SIZE];
    shards_options o = {0};
    start_program();
    if (argc > 2 && strcmp(argv[1], "--size") == 0) return print_plan(argv);
    if (argc > 1 && strncmp(argv[1], "--size=", 7) == 0) {
        report("--size and SECONDS are two arguments");
        return EXIT_ERROR;
    }
    const arguments_status parsed = arguments_parse(&table, &o, argc, argv, error);
    return parsed ? arguments_answer(&table, parsed, error) : merge(o.files, o.n_files);
}
