#include "tools/sigrep-plot/ticks.h"

#include <math.h>
#include <stdio.h>

enum { DAY_S = 86400, LONG_S = 120 };

double tick_step(double span, double most)
{
    const double wanted = span / most, power = pow(10, floor(log10(wanted)));
    static const double steps[] = {1, 2, 5};
    for (size_t i = 0; i < sizeof steps / sizeof *steps; i++)
        if (steps[i] * power >= wanted) return steps[i] * power;
    return 10 * power;
}

double tick_time_step(double span_s, double most)
{
    static const double steps[] = {2,   5,    10,   15,   30,    60,    120,   300,  600,
                                   900, 1800, 3600, 7200, 10800, 21600, 43200, DAY_S};
    if (span_s / most <= 1) return tick_step(span_s, most);
    for (size_t i = 0; i < sizeof steps / sizeof *steps; i++)
        if (steps[i] >= span_s / most) return steps[i];
    return DAY_S * tick_step(span_s / DAY_S, most);
}

static int decimals_of(double step)
{
    const double decimals = -floor(log10(step * 1.0001));
    return decimals > 0 ? decimals < 9 ? (int)decimals : 9 : 0;
}

void tick_text(char text[TICK_TEXT_SIZE], double value, double step)
{
    if (fabs(value) < step / 2) value = 0;
    if (fabs(value) >= 1e6 || step < 1e-6)
        snprintf(text, TICK_TEXT_SIZE, "%.3g", value);
    else
        snprintf(text, TICK_TEXT_SIZE, "%.*f", decimals_of(step), value);
}

static bool has_dates(const source_info *info)
{
    return info->times == SOURCE_ISO || info->times == SOURCE_EPOCH;
}

double tick_shift(const timeline *t, const source_info *info)
{
    if (!exact_time_is_known(t->origin)) return 0;
    if (!has_dates(info)) return exact_time_as_double(t->origin);
    const int64_t days = t->origin.seconds / DAY_S - (t->origin.seconds % DAY_S < 0);
    return (double)(t->origin.seconds - days * DAY_S) + (double)t->origin.ns / 1e9;
}

void tick_time_text(char text[TICK_TEXT_SIZE], const timeline *t, const source_info *info,
                    double time_s, double step)
{
    const int decimals = decimals_of(step);
    const double rounded = round(time_s / step) * step + 0.0; /* -0 */
    const double day_s = has_dates(info) ? fmod(rounded, DAY_S) : rounded;
    const int hours = (int)(day_s / 3600), minutes = (int)(day_s / 60) % 60;
    const double seconds = day_s - 3600.0 * hours - 60.0 * minutes;
    const int width = decimals ? decimals + 3 : 2;
    if (t->counts)
        snprintf(text, TICK_TEXT_SIZE, "%.0f", time_s);
    else if (has_dates(info) && !(step < DAY_S))
        snprintf(text, TICK_TEXT_SIZE, "%.0f d", rounded / DAY_S);
    else if (has_dates(info))
        snprintf(text, TICK_TEXT_SIZE, "%02d:%02d:%0*.*f", hours, minutes, width, decimals,
                 seconds);
    else if (rounded < 0 || step * 8 < 1 || rounded > 1e7)
        tick_text(text, rounded, step);
    else if (hours)
        snprintf(text, TICK_TEXT_SIZE, "%d:%02d:%0*.*f", hours, minutes, width, decimals, seconds);
    else if (step >= LONG_S / 8)
        snprintf(text, TICK_TEXT_SIZE, "%d:%0*.*f", minutes, width, decimals, seconds);
    else
        tick_text(text, rounded, step);
}
