/* feed.h - reads an input to its end, or for --duration, into a search. */
#ifndef TOOLS_SIGREP_CALIBRATE_FEED_H
#define TOOLS_SIGREP_CALIBRATE_FEED_H

#include "io/source.h"
#include "sigrep.h"

typedef struct {
    const char *name;  /* in messages */
    double duration_s; /* 0: all */
    uint64_t searched; /* samples, gaps left out */
} feed;

/* SIGINT and SIGTERM end the input. false after a failure, which is reported: of the input, of the
 * search, or that all its samples are the same, or gaps. */
bool feed_search(feed *f, source *src, sigrep *search);

#endif
