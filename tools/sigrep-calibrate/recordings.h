/* recordings.h - the inputs of the command line, one after the other, each into a search. */
#ifndef TOOLS_SIGREP_CALIBRATE_RECORDINGS_H
#define TOOLS_SIGREP_CALIBRATE_RECORDINGS_H

#include "io/source.h"
#include "sigrep.h"
#include "tools/common/input/open_input.h"
#include "tools/common/options/shared_options.h"

typedef struct recordings {
    /* The caller's. */
    const shared_options *o;
    input_needs needs;
    double cells; /* about so many a sample costs; INFINITY: not known */
    /* Make the search of the current input, which is destroyed after it. NULL after a failure,
     * which is reported. */
    sigrep *(*make_search)(void *user, const struct recordings *r);
    void *user;
    /* Of the current input, or the last one. */
    const char *name;
    source_info info;
    uint64_t searched; /* samples, gaps left out */
    double hours;      /* of all inputs, gaps left out */
} recordings;

/* Search all inputs of the options. `each`: is asked after each one; NULL: for nothing. SIGINT and
 * SIGTERM end it early. false after a failure, which is reported: of an input, of a search, by
 * `each`, or that all samples of an input are the same, or gaps. */
bool recordings_search(recordings *r, bool (*each)(void *user, const recordings *r));

#endif
