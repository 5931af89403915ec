/*
 * open_input.h - opens inputs for all programs, and reports what is wrong with them.
 *
 *     path, options, needs --> open_input --> source
 *                                 +--> its warnings; channels or a rate that do not fit
 */
#ifndef TOOLS_COMMON_INPUT_OPEN_INPUT_H
#define TOOLS_COMMON_INPUT_OPEN_INPUT_H

#include <sys/stat.h>

#include "io/source.h"

/* What the samples of an input must have to be compared. */
typedef struct {
    const char *name;  /* of the input, in messages; NULL: that of its path */
    const char *whose; /* "the templates" or "the bundle", in messages */
    size_t channels;
    const uint64_t *names; /* source_info.names, whose order counts; NULL: any will do */
    double rate_hz;        /* 0: the input needs none */
    bool is_verbose;  /* name files that are no signal, if nobody named them (source_options) */
    bool no_messages; /* say nothing of inputs that cannot be read */
} input_needs;

/* The name in messages and output: the path, but "(standard input)" for "-". */
const char *input_name(const char *path);

/* Is it a regular file? Then *status describes it. */
bool input_is_file(const char *path, struct stat *status);

/* Is it a regular file, and this one? "-": is standard input? */
bool input_is_same_file(const char *path, const struct stat *file);

/* Open the input, print its warnings and check it. A microphone is asked for the rate and channels
 * that are needed, unless options name others. needs: NULL if any input fits. Returns NULL after a
 * failure, which is reported, or after a signal; *how.failure says why. The caller closes the
 * source. */
source *open_input(const char *path, source_options how, const input_needs *needs);

/* Does this failure of a file that nobody named (is_found) mean that it holds nothing to search? */
bool input_is_passed_over(source_failure failure);

/* Warn that the sound system has not answered for MIC_SLOW_S. */
void input_mic_is_slow(void);

/* Print the warnings of the last read. */
void input_warn(const char *name, source *src);

/* Warn of `lost` samples that are missing after the first `at`. 0: none is. */
void input_warn_of_gap(const char *name, uint64_t lost, uint64_t at, double rate_hz);

/* Is this the number of channels in `whose`, another file perhaps? If not, reports so. */
bool input_has_channels(const char *name, const source_info *info, const char *whose,
                        size_t channels, bool may_choose);

/* Has it other names of columns than `whose`, or the same order? If not, reports so. */
bool input_has_order(const char *name, const source_info *info, const char *whose,
                     const uint64_t names[2]);

/* The samples to read: those of --duration, or UINT64_MAX if duration_s is 0. */
uint64_t input_limit(double duration_s, double rate_hz);

#endif
