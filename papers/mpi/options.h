/* options.h - the command line of sigrep-mpi. */
#ifndef PAPERS_MPI_OPTIONS_H
#define PAPERS_MPI_OPTIONS_H

#include "papers/mpi/cells.h"
#include "papers/mpi/messages.h"
#include "tools/common/options/arguments.h"

enum { MPI_MOST_RUNS = 99 /* of a system beside a prediction */ };

typedef struct {
    parallel_system which;
    bool predicts; /* PRE, instead of a system */
    bool counts;   /* print what was sent, instead of distances */
    cells_kind kind;
    uint64_t h;      /* 0: not given */
    uint64_t repeat; /* those runs */
    const char *x_path, *y_path;
} mpi_options;

mpi_options mpi_options_defaults(void);
extern const argument_table mpi_option_table;

#endif
