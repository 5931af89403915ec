#include "tools/sigrep/monitor/monitor.h"

#include <fcntl.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "io/fdio.h"
#include "tools/common/messages/messages.h"
#include "tools/sigrep/monitor/monitor_page.h"
#include "tools/sigrep/monitor/monitor_view.h"

enum {
    BAR = 30,
    MOST_COLUMNS = 120,
    LINE_BYTES = 4096 /* a write to a pipe is whole (PIPE_BUF) */
};
static const double PAUSE_S = 1 / 15.0, LINE_PAUSE_S = 1, LATELY_S = 1, PROGRESS_PAUSE_S = 0.2;

double monotonic_s(void)
{
    return 1e-9 * (double)fd_now_ns();
}

void progress_begin(progress *p, bool shown, uint64_t total, double rate_hz, size_t number,
                    size_t n_inputs)
{
    double now = shown ? monotonic_s() : 0;
    *p = (progress){.shown = shown,
                    .total = total,
                    .rate_hz = rate_hz,
                    .began_s = now,
                    .shown_s = now,
                    .number = number,
                    .n_inputs = n_inputs};
    p->pause_s = shown && report_can_wipe() ? PROGRESS_PAUSE_S : LINE_PAUSE_S;
}

/* "3 of 40 [=====>    ]  52%", or the count if the end is unknown. */
static int put_position(const progress *p, char *line, size_t size, uint64_t frames, double part)
{
    char of_inputs[48] = "";
    if (p->n_inputs > 1)
        snprintf(of_inputs, sizeof of_inputs, "%zu of %zu ", p->number, p->n_inputs);
    if (p->total > 0) part = (double)frames / (double)p->total;
    if (part < 0) return snprintf(line, size, "sigrep: %s%" PRIu64 " samples", of_inputs, frames);
    if (part > 1) part = 1;
    char bar[BAR + 1];
    int filled = (int)(part * BAR);
    memset(bar, ' ', BAR);
    memset(bar, '=', (size_t)filled);
    if (filled < BAR) bar[filled] = '>';
    bar[BAR] = '\0';
    return snprintf(line, size, "sigrep: %s[%s] %3d%%", of_inputs, bar, (int)(part * 100));
}

void progress_show(progress *p, uint64_t frames, double part, uint64_t matches)
{
    if (!p->shown) return;
    double now = monotonic_s();
    if (now - p->shown_s < p->pause_s) return;
    p->shown_s = now;
    char line[160];
    int n = put_position(p, line, sizeof line, frames, part);
    double speed = (double)frames / (now - p->began_s);
    if (p->rate_hz > 1)
        n += snprintf(line + n, sizeof line - (size_t)n, "  %.3gx real time", speed / p->rate_hz);
    else
        n += snprintf(line + n, sizeof line - (size_t)n, "  %.3g samples/s", speed);
    snprintf(line + n, sizeof line - (size_t)n, "  %" PRIu64 " match%s", matches,
             matches == 1 ? "" : "es");
    report_progress(line);
}

/* ---- --monitor and --monitor-page ---- */

struct monitor {
    const template_set *set;
    const sigrep *search;
    monitor_page *page; /* NULL: standard error */
    int terminal_fd;    /* -1: lines, or the page */
    double shown_s;
    bool is_in_gap; /* the last sample was missing */
    monitor_view view;
    monitor_row *rows;     /* a label each */
    size_t *row_of;        /* of each template */
    float *best, *earlier; /* of each template, now and in the second before */
    uint64_t best_since;   /* samples */
    /* Of the page: the level in the second before, and when that was. */
    monitor_level earlier_level;
    double earlier_s;
    text_buffer recent[MONITOR_MATCHES];
    text_buffer text;
};

/* The terminal of standard error, opened once more: not to block is a property of an open file,
 * which others share. -1: it is none, or can only take lines. */
static int open_terminal(void)
{
    char name[256];
    if (!report_can_wipe() || ttyname_r(STDERR_FILENO, name, sizeof name) != 0) return -1;
    return open(name, O_WRONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
}

/* Empty it, and try again to find memory. */
static void renew(text_buffer *text)
{
    text->length = 0;
    text->failed = false;
}

static void forget_level(monitor_level *level)
{
    *level = (monitor_level){.low = INFINITY, .high = -INFINITY};
}

static void forget_scores(float *best, size_t n)
{
    for (size_t i = 0; i < n; i++) best[i] = INFINITY;
}

static void set_rows(monitor *m, const template_set *set)
{
    for (size_t i = 0; i < set->n; i++) {
        const loaded_template *t = &set->items[i];
        const bool is_first = t->first_of_label == i;
        m->row_of[i] = is_first ? m->view.n_rows++ : m->row_of[t->first_of_label];
        if (is_first) m->rows[m->row_of[i]].label = t->label;
    }
}

static void free_all(monitor *m)
{
    if (m->terminal_fd >= 0) close(m->terminal_fd);
    free(m->rows);
    free(m->row_of);
    free(m->best);
    free(m->earlier);
    for (size_t i = 0; i < MONITOR_MATCHES; i++) free(m->recent[i].data);
    free(m->text.data);
    free(m);
}

monitor *monitor_create(const char *name, const source_info *info, const template_set *set,
                        const sigrep *search, monitor_page *page)
{
    monitor *m = calloc(1, sizeof *m);
    if (!m) return NULL;
    m->set = set;
    m->search = search;
    m->page = page;
    m->terminal_fd = page ? -1 : open_terminal();
    m->shown_s = m->terminal_fd >= 0 ? -PAUSE_S : monotonic_s();
    m->view = (monitor_view){.name = name,
                             .rate_known = info->rate_known,
                             .is_audio = info->audio || info->microphone,
                             .rate_hz = info->rate_hz};
    m->rows = calloc(set->n, sizeof *m->rows);
    m->row_of = calloc(set->n, sizeof *m->row_of);
    m->best = calloc(set->n, sizeof *m->best);
    m->earlier = calloc(set->n, sizeof *m->earlier);
    if (!m->rows || !m->row_of || !m->best || !m->earlier) {
        free_all(m);
        return NULL;
    }
    m->view.rows = m->rows;
    set_rows(m, set);
    forget_level(&m->view.level);
    forget_level(&m->earlier_level);
    forget_scores(m->best, set->n);
    forget_scores(m->earlier, set->n);
    return m;
}

static void add_value(monitor_level *level, double x)
{
    level->n++;
    level->sum_squares += x * x;
    if (x < level->low) level->low = x;
    if (x > level->high) level->high = x;
}

static void lose(monitor *m, uint64_t n)
{
    m->view.lost += n;
    m->view.gaps += !m->is_in_gap;
    m->is_in_gap = true;
}

void monitor_samples(monitor *m, const float *samples, size_t n)
{
    if (!m) return;
    const size_t channels = m->set->channels;
    for (size_t i = 0; i < n; i++, samples += channels) {
        size_t finite = 0;
        for (size_t c = 0; c < channels; c++) {
            if (!isfinite(samples[c])) continue;
            add_value(&m->view.level, samples[c]);
            finite++;
        }
        if (finite < channels)
            lose(m, 1);
        else
            m->is_in_gap = false;
    }
}

void monitor_gap(monitor *m, uint64_t n)
{
    if (m && n > 0) lose(m, n);
}

void monitor_scores(monitor *m, const float *scores, size_t n_frames)
{
    if (!m) return;
    for (size_t frame = 0; frame < n_frames; frame++)
        for (size_t i = 0; i < m->set->n; i++, scores++)
            if (*scores < m->best[i]) m->best[i] = *scores;
}

/* `label` lives as long as the page; the match's own ends with the search. */
static void add_to_page(monitor *m, const char *label, time_style times, const writer_match *match)
{
    shown_match shown = {.input = m->view.name, .label = label, .score = match->score};
    writer_start_text(shown.start, times, match);
    writer_end_text(shown.end, times, match);
    monitor_page_match(m->page, &shown);
}

void monitor_match(monitor *m, size_t template_index, time_style times, const writer_match *match)
{
    if (!m) return;
    if (m->page) {
        add_to_page(m, m->set->items[template_index].label, times, match);
        return;
    }
    text_buffer oldest = m->recent[MONITOR_MATCHES - 1];
    for (size_t i = MONITOR_MATCHES - 1; i > 0; i--) m->recent[i] = m->recent[i - 1];
    renew(&oldest);
    char start[TIME_TEXT_SIZE], end[TIME_TEXT_SIZE];
    writer_start_text(start, times, match);
    writer_end_text(end, times, match);
    char score[SCORE_TEXT];
    text_add_format(&oldest, "  %s  %s  %s  %s", start, end, score_short_text(score, match->score),
                    match->label);
    text_add(&oldest, "", 1);
    m->recent[0] = oldest;
}

/* Of a label, the take whose score is nearest to its threshold. */
static void fill_rows(monitor *m)
{
    for (size_t i = 0; i < m->view.n_rows; i++) m->rows[i].score = m->rows[i].threshold = INFINITY;
    for (size_t i = 0; i < m->set->n; i++) {
        monitor_row *row = &m->rows[m->row_of[i]];
        const double score = fminf(m->best[i], m->earlier[i]);
        const double threshold = sigrep_get_threshold(m->search, i);
        const bool is_first = m->set->items[i].first_of_label == i;
        const bool is_nearer = isfinite(threshold) ? score * row->threshold < row->score * threshold
                                                   : score < row->score;
        if (!is_first && !is_nearer) continue;
        row->score = score;
        row->threshold = threshold;
    }
}

static void show_lines(monitor *m)
{
    struct winsize size;
    const bool has_size = ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0;
    const size_t columns = has_size ? size.ws_col : 80, lines = has_size ? size.ws_row : 24;
    for (size_t i = 0; i < MONITOR_MATCHES; i++)
        m->view.recent[i] = m->recent[i].failed ? NULL : m->recent[i].data;
    monitor_draw(&m->text, &m->view, columns < MOST_COLUMNS ? columns : MOST_COLUMNS, lines);
    text_add(&m->text, "", 1);
    if (!m->text.failed) report_display(m->terminal_fd, m->text.data);
}

static void show_line(monitor *m)
{
    struct pollfd room = {.fd = STDERR_FILENO, .events = POLLOUT};
    monitor_line(&m->text, &m->view, LINE_BYTES);
    if (m->text.failed || poll(&room, 1, 0) != 1 || !(room.revents & POLLOUT)) return;
    const ssize_t written = write(STDERR_FILENO, m->text.data, m->text.length);
    (void)written;
}

/* Begin to look for the best scores again. The display holds them for a second of the input. */
static void renew_scores(monitor *m, size_t n)
{
    const double passed = (double)(m->view.samples - m->best_since);
    if (m->terminal_fd >= 0 && passed < LATELY_S * m->view.rate_hz) return;
    m->best_since = m->view.samples;
    for (size_t i = 0; i < n && m->terminal_fd >= 0; i++) m->earlier[i] = m->best[i];
    forget_scores(m->best, n);
}

/* The page shows the level and the scores of the last one or two seconds by the clock, so that
 * somebody who looks now and then sees them all. */
static void show_page(monitor *m)
{
    monitor_view view = m->view;
    monitor_level *level = &view.level;
    level->n += m->earlier_level.n;
    level->sum_squares += m->earlier_level.sum_squares;
    level->low = fmin(level->low, m->earlier_level.low);
    level->high = fmax(level->high, m->earlier_level.high);
    monitor_page_show(m->page, &view);
    const double now = monotonic_s();
    if (now - m->earlier_s < LATELY_S) return;
    m->earlier_s = now;
    m->earlier_level = m->view.level;
    forget_level(&m->view.level);
    memcpy(m->earlier, m->best, m->set->n * sizeof *m->best);
    forget_scores(m->best, m->set->n);
}

static void show(monitor *m, uint64_t samples, uint64_t matches)
{
    m->view.samples = samples;
    m->view.matches = matches;
    fill_rows(m);
    if (m->page) {
        show_page(m);
        return;
    }
    renew(&m->text);
    if (m->terminal_fd >= 0)
        show_lines(m);
    else
        show_line(m);
    forget_level(&m->view.level);
    renew_scores(m, m->set->n);
}

void monitor_show(monitor *m, uint64_t samples, uint64_t matches)
{
    if (!m) return;
    const double now = monotonic_s();
    const double pause_s = m->page ? 0 : m->terminal_fd >= 0 ? PAUSE_S : LINE_PAUSE_S;
    if (now - m->shown_s < pause_s) return;
    m->shown_s = now;
    show(m, samples, matches);
}

void monitor_finish(monitor *m, uint64_t samples, uint64_t matches)
{
    if (!m) return;
    if (m->terminal_fd >= 0)
        report_progress_end();
    else
        show(m, samples, matches);
    free_all(m);
}
