#include "tools/sigrep/monitor/alive.h"

#include <math.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "tools/common/messages/messages.h"
#include "tools/sigrep/runner.h"

enum { SILENT_MS = 2000 };

static bool is_wanted(const runner *r)
{
    return !r->o->quiet && isatty(STDERR_FILENO);
}

void alive_wait(const runner *r, const char *path)
{
    struct pollfd ready[] = {{.fd = STDIN_FILENO, .events = POLLIN},
                             {.fd = r->run->wake_fd, .events = POLLIN}};
    if (strcmp(path, "-") != 0 || !is_wanted(r)) return;
    if (isatty(STDIN_FILENO))
        report_of(r->input.name,
                  "reads samples from the terminal; ^D ends; or name a file or mic: as INPUT");
    else if (poll(ready, 2, SILENT_MS) == 0)
        report_of(r->input.name, "nothing has come yet; waiting (^C ends)");
}

void alive_listens(const runner *r, const source_info *info)
{
    char thresholds[96];
    double least = INFINITY, most = 0;
    if (!info->microphone || !is_wanted(r)) return;
    for (size_t i = 0; i < r->set->n; i++) {
        const double threshold = sigrep_get_threshold(r->search, i);
        least = fmin(least, threshold);
        most = fmax(most, threshold);
    }
    if (r->o->best)
        snprintf(thresholds, sizeof thresholds, "no threshold");
    else if (least == most)
        snprintf(thresholds, sizeof thresholds, "threshold %.4g", most);
    else
        snprintf(thresholds, sizeof thresholds, "thresholds %.4g to %.4g", least, most);
    report_of(r->input.name, "listening at %.9g Hz, %zu template%s, %s; ^C ends", info->rate_hz,
              r->set->n, r->set->n == 1 ? "" : "s", thresholds);
}
