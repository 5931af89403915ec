#include "papers/mpi/options.h"

#include <string.h>

#include "papers/mpi/systems.h"

enum { KEY_REPEAT = 256 };

static const char *set_kind(void *user, const char *text)
{
    mpi_options *o = user;
    for (int i = 0; i < CELLS_KINDS; i++) {
        if (strcmp(text, cells_names[i]) != 0) continue;
        o->kind = (cells_kind)i;
        return NULL;
    }
    return "not one of signals, strings, maxshift, factors";
}

static arguments_status take_system(mpi_options *o, const char *name, char *error)
{
    o->predicts = strcmp(name, "pre") == 0;
    if (o->predicts) return ARGUMENTS_OK;
    for (int i = PASM; i <= EDM; i++) {
        if (strcmp(name, system_names[i]) != 0) continue;
        o->which = (parallel_system)i;
        return ARGUMENTS_OK;
    }
    return arguments_bad(error, "unknown system '%.300s' (pasm, opasm, edm, pre)", name);
}

static arguments_status take_operands(void *user, int n, char **operands, char *error)
{
    mpi_options *o = user;
    const bool has_factors = o->kind == CELLS_MAXSHIFT || o->kind == CELLS_FACTORS;
    if (n == 0) return ARGUMENTS_NONE;
    const arguments_status status = take_system(o, operands[0], error);
    if (status) return status;
    if (n != 3) return arguments_bad(error, "a system takes a pattern and a text");
    if (o->predicts && o->counts) return arguments_bad(error, "pre counts no messages");
    if (has_factors && o->h == 0)
        return arguments_bad(error, "how long are the factors? give -l H");
    if (!has_factors && o->h > 0) return arguments_bad(error, "-l needs -k maxshift or factors");
    if (strcmp(operands[1], "-") == 0 && strcmp(operands[2], "-") == 0)
        return arguments_bad(error, "standard input can be named only once");
    o->x_path = operands[1];
    o->y_path = operands[2];
    return ARGUMENTS_OK;
}

static const argument_row rows[] = {
    ARGUMENT('k', "kind", "KIND", set_kind,
             "signals (default), strings, maxshift (as printed,\n"
             "not exact), factors (the same, exact)"),
    ARGUMENT_WHOLE('l', "length", "H", mpi_options, h, 1, CELLS_MOST_H,
                   "letters of a factor of the pattern, for maxshift and\nfactors, from 1 to 32"),
    ARGUMENT_FLAG('c', "count", mpi_options, counts,
                  "print what the ranks sent, in place of distances"),
    ARGUMENT_WHOLE(KEY_REPEAT, "repeat", "N", mpi_options, repeat, 1, MPI_MOST_RUNS,
                   "runs that pre measures; it prints their median (5)"),
};

const argument_table mpi_option_table = {
    .program = "sigrep-mpi",
    .usage = "mpirun -n RANKS sigrep-mpi [OPTION]... pasm|opasm|edm|pre PATTERN TEXT",
    .about = "Compare a pattern with each part of a text, on several ranks that exchange cells by\n"
             "messages. Or predict how long that takes (pre). PATTERN and TEXT are signals or\n"
             "strings, in files as sigrep and sigrep-text read them; - is standard input.\n",
    .rows = rows,
    .n_rows = sizeof rows / sizeof *rows,
    .end = "A line for each sample or letter of TEXT: the distance of PATTERN to the best part\n"
           "that ends there; of maxshift and factors that of its best H letters.\n"
           "Columns of --count: messages; swapped, those in which the other rank sends one at\n"
           "the same time; bytes; steps of all ranks.\n"
           "Exit status: 0, or 2 for an error.\n",
    .take_operands = take_operands,
};

mpi_options mpi_options_defaults(void)
{
    return (mpi_options){.which = OPASM, .kind = CELLS_SIGNALS, .repeat = 5};
}
