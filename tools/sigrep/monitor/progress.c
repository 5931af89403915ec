#include "tools/sigrep/monitor/progress.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "io/fdio.h"
#include "tools/common/messages/messages.h"

enum { BAR = 30 };
static const double PAUSE_S = 0.2, LOG_PAUSE_S = 1;

double monotonic_s(void)
{
    return 1e-9 * (double)fd_now_ns();
}

void progress_begin(progress *p, bool shown, uint64_t total, double rate_hz)
{
    double now = shown ? monotonic_s() : 0;
    *p = (progress){
        .shown = shown, .total = total, .rate_hz = rate_hz, .began_s = now, .shown_s = now};
    p->pause_s = shown && isatty(STDERR_FILENO) ? PAUSE_S : LOG_PAUSE_S;
}

/* "[=====>    ]  52%", or the count if the end is unknown. */
static int put_position(const progress *p, char *line, size_t size, uint64_t frames)
{
    if (p->total == 0) return snprintf(line, size, "sigrep: %" PRIu64 " samples", frames);
    double part = (double)frames / (double)p->total;
    if (part > 1) part = 1;
    char bar[BAR + 1];
    int filled = (int)(part * BAR);
    memset(bar, ' ', BAR);
    memset(bar, '=', (size_t)filled);
    if (filled < BAR) bar[filled] = '>';
    bar[BAR] = '\0';
    return snprintf(line, size, "sigrep: [%s] %3d%%", bar, (int)(part * 100));
}

void progress_show(progress *p, uint64_t frames, uint64_t matches)
{
    if (!p->shown) return;
    double now = monotonic_s();
    if (now - p->shown_s < p->pause_s) return;
    p->shown_s = now;
    char line[160];
    int n = put_position(p, line, sizeof line, frames);
    double speed = (double)frames / (now - p->began_s);
    if (p->rate_hz > 1)
        n += snprintf(line + n, sizeof line - (size_t)n, "  %.3gx real time", speed / p->rate_hz);
    else
        n += snprintf(line + n, sizeof line - (size_t)n, "  %.3g samples/s", speed);
    snprintf(line + n, sizeof line - (size_t)n, "  %" PRIu64 " match%s", matches,
             matches == 1 ? "" : "es");
    report_progress(line);
}
