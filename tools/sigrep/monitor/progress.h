/* progress.h - how far an input is, on standard error, a few times a second. */
#ifndef TOOLS_SIGREP_MONITOR_PROGRESS_H
#define TOOLS_SIGREP_MONITOR_PROGRESS_H

#include <stdbool.h>
#include <stdint.h>

typedef struct {
    bool shown;
    uint64_t total; /* frames of the input, 0: unknown */
    double rate_hz; /* 0: unknown */
    double began_s, shown_s;
    double pause_s;
} progress;

/* Seconds of a clock that never goes back. */
double monotonic_s(void);

void progress_begin(progress *p, bool shown, uint64_t total, double rate_hz);
/* Print the line if the last one is old enough. */
void progress_show(progress *p, uint64_t frames, uint64_t matches);

#endif
