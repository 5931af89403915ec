/* options.h - the command line of sigrep-machine. */
#ifndef PAPERS_MACHINE_OPTIONS_H
#define PAPERS_MACHINE_OPTIONS_H

#include "papers/machine/algorithms.h"
#include "tools/common/options/arguments.h"

enum { OPTIONS_NAMES = 16 };

/* `setup` lacks x, y, and the threads if none are given. */
typedef struct {
    setup setup;
    unsigned long long seed;
    const char *measured; /* `fit`: the file of measured times; NULL: a machine is simulated */
    const algorithm *named[OPTIONS_NAMES];
    size_t n_named; /* 0: all that the machine can run */
} machine_options;

extern const argument_table machine_option_table;

machine_options machine_options_defaults(void);

/* Can this algorithm run as asked? NULL, or why not. */
const char *machine_options_refuse(const machine_options *o, const algorithm *a);

#endif
