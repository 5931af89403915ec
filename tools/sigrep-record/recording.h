/*
 * recording.h - takes of an input become WAV files, with a line each on standard output.
 *
 *     source ──> cutter ──> take ──> PREFIX1.wav, PREFIX2.wav, ...
 *                             └────> refused: clipped, or without a pause
 */
#ifndef TOOLS_SIGREP_RECORD_RECORDING_H
#define TOOLS_SIGREP_RECORD_RECORDING_H

#include "tools/common/options/arguments.h"
#include "tools/common/options/shared_options.h"
#include "tools/sigrep-record/cutter.h"

enum { RECORDING_MAX_TAKES = 100000 };

typedef struct {
    shared_options o; /* how the input is read */
    cutter_rules rules;
    uint64_t takes;     /* wanted; 0: not given */
    const char *output; /* prefix of the files */
    const char *input;
} record_options;

/* Record until the input ends, enough takes are written, or a signal comes. Returns the exit
 * status, EXIT_ERROR if no take was written or something failed; both are reported. */
int record(const record_options *r);

#endif
