/*
 * writer_help.h - what an output format makes of a match.
 */
#ifndef TESTS_IO_WRITER_HELP_H
#define TESTS_IO_WRITER_HELP_H

#include <math.h>
#include <string.h>

#include "check.h"
#include "io/writers/writer.h"

static const writer_match help_match = {.file = "in.wav",
                                        .label = "yes",
                                        .start = 4000,
                                        .end = 8001,
                                        .score = 0.1,
                                        .threshold = 0.25,
                                        .margin = NAN,
                                        .scale = {.rate_hz = 8000}};
static const writer_style help_seconds = {.times = TIME_SECONDS};

static text_buffer help_out;

/* The line of a match. Valid until the next call. */
static inline const char *help_line(const writer_ops *ops, writer_style style, writer_match match)
{
    help_out.length = 0;
    ops->match(&help_out, &style, &match);
    text_add(&help_out, "", 1);
    return help_out.data;
}

/* Are these the same? Prints both if not. */
static inline bool help_same(const char *got, const char *wanted)
{
    if (strcmp(got, wanted) != 0) fprintf(stderr, "got  %s\nnot  %s\n", got, wanted);
    return strcmp(got, wanted) == 0;
}

#endif
