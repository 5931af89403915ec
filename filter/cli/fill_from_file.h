/*
 * run_fill.h - samples of a file straight into the searcher, read by all of its threads.
 */
#ifndef FILTER_CLI_FILL_FROM_FILE_H
#define FILTER_CLI_FILL_FROM_FILE_H

#include "io/source.h"
#include "sigrep.h"

/* As sigrep_feed of at most `most` samples that source_read would give; *got of them. None and
 * SIGREP_OK where they cannot be had so, or are few: read and feed them. */
sigrep_status run_fill(sigrep *session, source *src, size_t most, size_t *got);

#endif
