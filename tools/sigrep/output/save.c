#include "tools/sigrep/output/save.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "io/escape.h"
#include "io/fdio.h"
#include "io/writers/wav_out.h"
#include "tools/common/messages/messages.h"
#include "tools/common/messages/signals.h"
#include "tools/sigrep/output/recent.h"

enum {
    MOST_OF_NAME = 80, /* bytes of the input's name, and of the label */
    MOST_OF_TIME = 40,
    LAST_NUMBER = 1 << 30,
    PATIENCE_MS = 2000, /* after a signal */
};

/* A match, and the records of its file. */
typedef struct {
    save_match m;
    recent_span span; /* from the match's first record on, as of the last look */
    uint64_t first;   /* with the context before it */
    uint64_t over;    /* the end of the match itself */
    uint64_t end;     /* with the context after it, as far as that is known */
} pending;

struct save {
    save_settings set;
    recent *recent;
    text_buffer lines; /* scratch; NULL data: none yet */
    const text_buffer *header;
    pending *pending;
    size_t n_pending, room;
    bool is_lost; /* out of memory */
    uint64_t failures;
};

bool save_file_make_folder(const char *folder)
{
    struct stat st;
    if (mkdir(folder, 0777) == 0) return true;
    int failure = errno;
    if (failure == EEXIST && stat(folder, &st) == 0) failure = S_ISDIR(st.st_mode) ? 0 : ENOTDIR;
    if (failure) report_of(folder, "--save: %s", strerror(failure));
    return !failure;
}

/* Does a character of n bytes stay as it is, which escape.h shows so? */
static bool is_safe(const char *text, size_t n, const char *shown, bool is_first)
{
    const char c = *text;
    const bool is_letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
    if (n > 1) return strlen(shown) == n;
    if (is_first && (c == '.' || c == '-')) return false;
    return is_letter || (c >= '0' && c <= '9') || strchr("._+=@,%-", c) != NULL;
}

/* Append what is safe of `text`, up to `end`, in at most `most` bytes. */
static void add_part(char *name, const char *text, const char *end, size_t most)
{
    size_t length = strlen(name);
    const size_t limit = length + most;
    char shown[ESCAPE_SIZE];
    for (size_t n; text < end; text += n) {
        n = escape_next(text, shown);
        const bool safe = is_safe(text, n, shown, length == 0);
        const bool repeats = length == 0 || name[length - 1] == '_';
        if (length + (safe ? n : 1) > limit) break;
        if (safe)
            memcpy(name + length, text, n);
        else if (!repeats)
            name[length] = '_';
        length += safe ? n : !repeats;
    }
    name[length] = '\0';
}

void save_file_name(char name[SAVE_FILE_NAME], const char *input, const char *label,
                    const char *start)
{
    const char *slash = strrchr(input, '/'), *base = slash ? slash + 1 : input;
    const char *dot = strrchr(base, '.');
    const char *end = dot && dot > base ? dot : base + strlen(base);
    name[0] = '\0';
    add_part(name, base, end, MOST_OF_NAME);
    if (!*name || name[strlen(name) - 1] != '_') strcat(name, "_");
    add_part(name, label, label + strlen(label), MOST_OF_NAME);
    if (name[strlen(name) - 1] != '_') strcat(name, "_");
    add_part(name, start, start + strlen(start), MOST_OF_TIME);
}

/* The parts of a path; a number from 2 on is a part of it. */
typedef struct {
    const char *folder, *name, *extension;
    text_buffer *path;
} file_name;

/* Compose the path with this number. false: out of memory. */
static bool set_number(const file_name *f, int number)
{
    f->path->length = 0;
    text_add_format(f->path, "%s/%s", f->folder, f->name);
    if (number > 1) text_add_format(f->path, "-%d", number);
    text_add(f->path, f->extension, strlen(f->extension) + 1);
    return !f->path->failed;
}

/* Is there no file of this number? A path that cannot be looked at is for open(2) to report. */
static bool is_free(const file_name *f, int number)
{
    struct stat st;
    return !set_number(f, number) || lstat(f->path->data, &st) != 0;
}

/* A number that is free, one above a number that is taken: 1 is. If thousands of matches have one
 * name, few numbers are looked at. */
static int free_number(const file_name *f)
{
    int taken = 1, number = 2;
    while (number < LAST_NUMBER && !is_free(f, number)) {
        taken = number;
        number *= 2;
    }
    while (number - taken > 1) {
        const int middle = taken + (number - taken) / 2;
        if (is_free(f, middle))
            number = middle;
        else
            taken = middle;
    }
    return number;
}

int save_file_create(const char *folder, const char *name, const char *extension, text_buffer *path)
{
    const file_name f = {folder, name, extension, path};
    for (int number = 1; set_number(&f, number); number = free_number(&f)) {
        const int fd = open(path->data, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        if (fd >= 0 || errno != EEXIST || number == LAST_NUMBER) return fd;
    }
    errno = ENOMEM;
    return -1;
}

/* WAV has whole rates. */
static uint32_t whole_rate(double rate_hz)
{
    const double whole = round(rate_hz);
    return whole < 1 ? 1 : whole > UINT32_MAX ? UINT32_MAX : (uint32_t)whole;
}

static size_t frame_bytes(const wav_format *f)
{
    return f->channels * (f->is_wide ? sizeof(double) : sizeof(float));
}

save *save_create(const save_settings *settings)
{
    const recent_settings kept = {.frame_bytes = frame_bytes(&settings->format),
                                  .rate_hz = settings->scale.rate_hz,
                                  .has_times = settings->scale.from_column,
                                  .has_lines = settings->has_lines,
                                  .keeps_all = settings->horizon == UINT64_MAX};
    save *s = calloc(1, sizeof *s);
    if (!s) return NULL;
    s->set = *settings;
    s->set.format.rate_hz = whole_rate(kept.rate_hz);
    s->recent = recent_create(&kept);
    if (!s->recent) {
        free(s);
        return NULL;
    }
    const double rate_hz = kept.rate_hz;
    if (!kept.has_lines && whole_rate(rate_hz) != rate_hz)
        report_of(settings->input, "warning: --save: WAV has whole rates, so %.9g Hz becomes %u Hz",
                  rate_hz, (unsigned)whole_rate(rate_hz));
    return s;
}

/* Only the first failure is reported by itself. */
static void fail(save *s, const char *path, const char *reason)
{
    if (s->failures++ == 0) report_of(path, "--save: %s", reason);
}

/* Is some value of the frame not finite as float32? */
static bool is_gap(const wav_format *f, const void *frames, uint64_t frame)
{
    const size_t at = (size_t)frame * f->channels;
    const float *narrow = frames;
    const double *wide = frames;
    for (size_t c = at; c < at + f->channels; c++)
        if (!isfinite(f->is_wide ? (float)wide[c] : narrow[c])) return true;
    return false;
}

/* Drop the context from the first gap on, seen from the match. */
static void cut_at_gaps(const save *s, const pending *p, const void *frames, uint64_t *from,
                        uint64_t *to)
{
    for (uint64_t i = p->span.record; i > p->first && *from == p->first; i--)
        if (is_gap(&s->set.format, frames, i - 1 - p->first)) *from = i;
    for (uint64_t i = p->over; i < p->end && *to == p->end; i++)
        if (is_gap(&s->set.format, frames, i - p->first)) *to = i;
}

static const char *write_lines(save *s, int fd, uint64_t from, uint64_t to)
{
    s->lines.length = 0;
    if (s->header) text_add(&s->lines, s->header->data, s->header->length);
    const char *wrong = recent_lines(s->recent, from, to, &s->lines);
    if (s->lines.failed) return "out of memory";
    const int failure = wrong ? 0 : fd_write_all(fd, s->lines.data, s->lines.length);
    return failure ? strerror(failure) : wrong;
}

/* Write the file of a match. NULL, or what went wrong. */
static const char *write_records(save *s, const pending *p, int fd)
{
    const size_t bytes = frame_bytes(&s->set.format);
    uint64_t from = p->first, to = p->end;
    char *frames = malloc((size_t)(to - from) * bytes);
    if (!frames) return "out of memory";
    const char *wrong = recent_frames(s->recent, from, to, frames);
    if (!wrong) cut_at_gaps(s, p, frames, &from, &to);
    if (!wrong && s->set.has_lines) {
        wrong = write_lines(s, fd, from, to);
    } else if (!wrong) {
        const int failure = wav_write_frames(fd, &s->set.format, frames + (from - p->first) * bytes,
                                             (size_t)(to - from));
        if (failure) wrong = strerror(failure);
    }
    free(frames);
    return wrong;
}

/* Write a match, all of whose records are there, to a new file. */
static void write_match(save *s, pending *p)
{
    char name[SAVE_FILE_NAME], start[TIME_TEXT_SIZE];
    text_buffer path = {0};
    writer_start_text(start, s->set.times, &p->m.match);
    save_file_name(name, s->set.input, p->m.match.label, start);
    const bool is_late = signals_overdue_by(PATIENCE_MS);
    const int fd = is_late ? -1 : save_file_create(s->set.folder, name, s->set.extension, &path);
    const char *wrong = is_late  ? "interrupted: a match was not saved"
                        : fd < 0 ? strerror(errno)
                                 : write_records(s, p, fd);
    if (fd >= 0 && close(fd) != 0 && !wrong) wrong = strerror(errno);
    if (wrong) fail(s, path.failed || is_late ? s->set.folder : path.data, wrong);
    if (wrong && fd >= 0) unlink(path.data);
    s->set.done(s->set.user, &p->m, wrong ? NULL : path.data);
    free(path.data);
}

/* Is all of its file there? */
static bool is_whole(save *s, pending *p)
{
    bool whole;
    const uint64_t record = p->span.record;
    p->span = recent_find(s->recent, p->m.match.start);
    p->span.record = record; /* perhaps cut */
    p->end = recent_after(s->recent, &p->span, p->over, p->end, s->set.after_s, p->m.match.end_time,
                          &whole);
    return whole;
}

/* Write the files that are whole, in the order of the matches: it must not depend on how the input
 * is cut. So a file waits for those before it. */
static void write_whole(save *s)
{
    size_t n = 0;
    while (n < s->n_pending && is_whole(s, &s->pending[n])) write_match(s, &s->pending[n++]);
    if (n == 0) return;
    s->n_pending -= n;
    memmove(s->pending, s->pending + n, s->n_pending * sizeof *s->pending);
}

static void lose(save *s, const char *reason)
{
    if (!s->is_lost) fail(s, s->set.input, reason);
    s->is_lost = true;
}

bool save_add(save *s, const void *frames, const exact_time *times, kept_lines *lines, size_t n)
{
    const char *wrong = NULL;
    s->lines.length = 0;
    if (lines && !kept_lines_take(lines, n, &s->lines)) wrong = "out of memory";
    if (lines) s->header = &lines->header;
    if (!wrong) wrong = recent_add(s->recent, frames, times, &s->lines, n);
    if (wrong) lose(s, wrong);
    if (wrong) return false;
    write_whole(s);
    uint64_t needed = UINT64_MAX;
    for (size_t i = 0; i < s->n_pending; i++)
        if (s->pending[i].first < needed) needed = s->pending[i].first;
    recent_forget(s->recent, s->set.horizon, s->set.before_s, needed);
    return true;
}

bool save_gap(save *s, uint64_t n)
{
    const char *wrong = recent_gap(s->recent, n);
    if (wrong) lose(s, wrong);
    return !wrong;
}

/* Find the records of a match. false: they are forgotten. */
static bool find(save *s, pending *p)
{
    const writer_match *match = &p->m.match;
    p->span = recent_find(s->recent, match->start);
    p->over = p->span.record + (match->end - match->start);
    if (p->over > p->span.to) p->over = p->span.to;
    if (p->over <= p->span.from) return false;
    if (p->span.record < p->span.from) {
        report_of(s->set.input,
                  "warning: --save: the match of %s at sample %" PRIu64
                  " began too long ago; its file lacks the first samples",
                  match->label, match->start);
        p->span.record = p->span.from;
    }
    p->first = recent_before(s->recent, &p->span, s->set.before_s, match->start_time);
    p->end = p->over;
    return true;
}

/* Room for one more. */
static bool make_room(save *s)
{
    if (s->n_pending < s->room) return true;
    const size_t room = s->room ? 2 * s->room : 16;
    pending *larger = realloc(s->pending, room * sizeof *larger);
    if (!larger) return false;
    s->pending = larger;
    s->room = room;
    return true;
}

void save_take(save *s, const save_match *m)
{
    pending p = {.m = *m};
    const bool is_there = !s->is_lost && find(s, &p);
    if (is_there && make_room(s)) {
        s->pending[s->n_pending++] = p;
        if (s->n_pending == 1) write_whole(s);
    } else {
        fail(s, s->set.input, is_there ? "out of memory" : "the samples of a match are not kept");
        s->set.done(s->set.user, &p.m, NULL);
    }
}

bool save_waits(const save *s)
{
    return s->n_pending > 0 && !s->is_lost;
}

uint64_t save_samples(const save *s)
{
    return recent_samples(s->recent);
}

bool save_finish(save *s)
{
    if (!s) return true;
    recent_end(s->recent);
    write_whole(s);
    const uint64_t more = s->failures > 1 ? s->failures - 1 : 0;
    const bool good = s->failures == 0;
    if (more > 0)
        report_of(s->set.input, "--save: %" PRIu64 " more match%s not saved", more,
                  more == 1 ? " was" : "es were");
    recent_destroy(s->recent);
    free(s->lines.data);
    free(s->pending);
    free(s);
    return good;
}
