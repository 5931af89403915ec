/*
 * metrics.h - --stats-every SECONDS,FILE: figures of the run in Prometheus' text format.
 *
 *     inputs that have ended: metrics --+
 *     the open input: worker -----------+--> text --> FILE, replaced --> node_exporter, ...
 *
 * https://prometheus.io/docs/instrumenting/exposition_formats/ has the format, and
 * https://prometheus.io/docs/practices/naming/ the names.
 */
#ifndef TOOLS_SIGREP_METRICS_H
#define TOOLS_SIGREP_METRICS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct search_run search_run; /* tools/sigrep/worker.h */
typedef struct worker worker;         /* likewise */

/* Of the inputs that have ended. There is one worker. */
typedef struct {
    uint64_t samples;
    double seconds;
    uint64_t *matches;   /* by template, at the first one of each label; owned */
    uint64_t gaps, lost; /* these of the open input, too */
    uint64_t gap_end;    /* sample after the last gap */
    const worker *open;  /* its input is read; NULL: none is */
    double began_s;      /* since 1970 */
    bool has_failed;     /* to be written, which was reported */
} metrics;

/* Begin, and write the file for the first time. false after a failure, which is reported. */
bool metrics_begin(search_run *run);
void metrics_free(metrics *m);

/* n samples of the open input are missing next; 0: none. */
void metrics_gap(metrics *m, uint64_t n);

/* An input is open, or ends. */
void metrics_begin_input(metrics *m, const worker *w);
void metrics_end_input(metrics *m);

/* Replace the file. The first failure is reported; false after any. */
bool metrics_write(search_run *run);

#endif
