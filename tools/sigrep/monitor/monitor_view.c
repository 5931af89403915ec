#include "tools/sigrep/monitor/monitor_view.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "io/escape.h"

enum { LABEL_COLUMNS = 24, BAR_COLUMNS = 40, LEAST_BAR = 5, NUMBER_COLUMNS = 9 };

/* Columns of a character, at most: some of three bytes and more take two. */
static size_t columns_of(const char *shown)
{
    if (shown[0] == '\\') return strlen(shown);
    return strlen(shown) >= 3 ? 2 : 1;
}

/* Add the text, escaped, as far as it fits in so many columns. Returns the columns that it takes.
 */
static size_t add_cut(text_buffer *out, const char *text, size_t columns)
{
    char shown[ESCAPE_SIZE];
    size_t used = 0;
    while (*text) {
        text += escape_next(text, shown);
        if (used + columns_of(shown) > columns) break;
        used += columns_of(shown);
        text_add_string(out, shown);
    }
    return used;
}

/* How near the score is to its threshold, 0 to 1. */
static double nearness(const monitor_row *row)
{
    if (!isfinite(row->score)) return 0;
    if (row->score <= row->threshold) return 1;
    return row->threshold / row->score;
}

static void add_bar(text_buffer *out, double part, size_t columns)
{
    const size_t filled = (size_t)(part * (double)columns);
    text_add_string(out, " [");
    for (size_t i = 0; i < columns; i++)
        text_add_string(out, i < filled ? "=" : i == filled ? ">" : " ");
    text_add_string(out, "]");
}

static void put_number(char text[SCORE_TEXT], double value)
{
    if (isfinite(value))
        score_short_text(text, value);
    else
        snprintf(text, SCORE_TEXT, "-");
}

static void add_row(text_buffer *out, const monitor_row *row, size_t label_columns, size_t columns)
{
    char score[SCORE_TEXT], threshold[SCORE_TEXT];
    put_number(score, row->score);
    put_number(threshold, row->threshold);
    const size_t used = add_cut(out, row->label, label_columns);
    if (label_columns + NUMBER_COLUMNS + 1 > columns) return;
    text_add_format(out, "%*s%*s", (int)(label_columns - used), "", NUMBER_COLUMNS + 1, score);
    const size_t others = label_columns + 2 * (NUMBER_COLUMNS + 1) + 4; /* numbers, brackets */
    if (!isfinite(row->threshold) || columns < others + LEAST_BAR) return;
    const size_t left = columns - others;
    add_bar(out, nearness(row), left < BAR_COLUMNS ? left : BAR_COLUMNS);
    text_add_format(out, "  %s", threshold);
}

static double decibels(double amplitude)
{
    return 20 * log10(amplitude);
}

double monitor_level_db(const monitor_level *level)
{
    return decibels(sqrt(level->sum_squares / (double)level->n));
}

double monitor_peak_db(const monitor_level *level)
{
    return decibels(fmax(fabs(level->low), fabs(level->high)));
}

/* "level -20.1 dB, peak -3.0 dB", or "values -1 to 3". */
static void put_level(char *text, size_t size, const monitor_view *v)
{
    if (v->level.n == 0)
        snprintf(text, size, "no values");
    else if (v->is_audio)
        snprintf(text, size, "level %.1f dB, peak %.1f dB", monitor_level_db(&v->level),
                 monitor_peak_db(&v->level));
    else
        snprintf(text, size, "values %.4g to %.4g", v->level.low, v->level.high);
}

static void put_position(char text[32], const monitor_view *v)
{
    if (v->rate_known)
        snprintf(text, 32, "%.1f s", (double)v->samples / v->rate_hz);
    else
        snprintf(text, 32, "%" PRIu64 " samples", v->samples);
}

static void put_matches(char text[32], const monitor_view *v)
{
    snprintf(text, 32, "%" PRIu64 " match%s", v->matches, v->matches == 1 ? "" : "es");
}

static void add_status(text_buffer *out, const monitor_view *v, size_t columns)
{
    char line[200], position[32], level[96], matches[32];
    put_position(position, v);
    put_level(level, sizeof level, v);
    put_matches(matches, v);
    snprintf(line, sizeof line, "  %s  %s  %s", position, level, matches);
    /* The name gives way. */
    const size_t rest = strlen(line);
    const size_t used = add_cut(out, v->name, rest < columns ? columns - rest : 0);
    add_cut(out, line, columns - used);
}

static int compare(const void *a, const void *b)
{
    const size_t x = *(const size_t *)a, y = *(const size_t *)b;
    return (x > y) - (x < y);
}

size_t monitor_nearest(const monitor_view *v, size_t *chosen, size_t most)
{
    size_t n = 0;
    for (size_t i = 0; i < v->n_rows; i++) {
        size_t at = n;
        while (at > 0 && nearness(&v->rows[chosen[at - 1]]) < nearness(&v->rows[i])) at--;
        if (at == most) continue;
        if (n < most) n++;
        memmove(chosen + at + 1, chosen + at, (n - 1 - at) * sizeof *chosen);
        chosen[at] = i;
    }
    qsort(chosen, n, sizeof *chosen, compare);
    return n;
}

static size_t widest_label(const monitor_view *v, size_t most)
{
    text_buffer scratch = {0};
    size_t widest = 0;
    for (size_t i = 0; i < v->n_rows && widest < most; i++) {
        const size_t columns = add_cut(&scratch, v->rows[i].label, most);
        if (columns > widest) widest = columns;
        scratch.length = 0;
    }
    free(scratch.data);
    return widest;
}

void monitor_draw(text_buffer *out, const monitor_view *v, size_t columns, size_t lines)
{
    size_t chosen[MONITOR_LINES] = {0}, recent = 0;
    const size_t width = columns > 2 ? columns - 1 : 1, third = width / 3 + 1;
    const size_t label = widest_label(v, third < LABEL_COLUMNS ? third : LABEL_COLUMNS);
    const size_t left = lines > MONITOR_LINES ? MONITOR_LINES - 1 : lines > 1 ? lines - 1 : 0;
    while (recent < MONITOR_MATCHES && v->recent[recent]) recent++;
    if (left < v->n_rows + recent && left < 2 * MONITOR_MATCHES) recent = 0;
    const size_t n = monitor_nearest(v, chosen, left - recent);
    add_status(out, v, width);
    for (size_t i = 0; i < n; i++) {
        text_add_string(out, "\r\n");
        add_row(out, &v->rows[chosen[i]], label, width);
    }
    while (recent-- > 0) {
        text_add_string(out, "\r\n");
        add_cut(out, v->recent[recent], width);
    }
}

void monitor_line(text_buffer *out, const monitor_view *v, size_t most)
{
    char position[32], level[96], matches[32], score[32], threshold[32];
    text_buffer field = {0};
    put_position(position, v);
    put_level(level, sizeof level, v);
    put_matches(matches, v);
    text_add_string(out, "sigrep: ");
    add_cut(out, v->name, most / 4);
    text_add_format(out, ": %s\t%s\t%s", position, level, matches);
    for (size_t i = 0; i < v->n_rows; i++) {
        put_number(score, v->rows[i].score);
        put_number(threshold, v->rows[i].threshold);
        field.length = 0;
        text_add_format(&field, "\t%s/%s ", score, threshold);
        text_add_escaped(&field, v->rows[i].label);
        if (out->length + field.length >= most) break;
        text_add(out, field.data, field.length);
    }
    text_add_string(out, "\n");
    free(field.data);
}
