#include "io/live/mic.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "io/fdio.h"
#include "io/live/mic_clock.h"
#include "io/live/mic_driver.h"
#include "io/live/ring.h"
#include "io/source_ops.h"

enum { RING_MOST = 1 << 24 }; /* frames: MIC_RING_S at 1.6 MHz, beyond any device */

/* A frozen sound server never closes a stream. The wait must not delay the report of the loss, nor
 * the end of the program. */
static const double CLOSE_BEFORE_REPORT_S = 0.5, CLOSE_S = 2;

/* A clock that runs while the machine is suspended: the samples of that time are lost too. */
#define RUNNING_CLOCK CLOCK_BOOTTIME

typedef struct {
    const mic_driver *driver;
    void *stream;         /* NULL before it is opened and after it is closed */
    const char *why_lost; /* NULL while it runs */
    ring *ring;
    uint64_t zeros;  /* values in a row */
    bool is_mute;    /* that was reported */
    mic_clock clock; /* used by the callback alone while the stream runs */
} mic;

/* The audio callback, fit for real time: clock_gettime makes no system call here, the rest is
 * arithmetic and the ring. */
static void on_frames(void *user, const float *frames, size_t n, bool overflow)
{
    mic *m = user;
    struct timespec now;
    clock_gettime(RUNNING_CLOCK, &now);
    double now_s = (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
    uint64_t lost = mic_clock_note(&m->clock, now_s, n, overflow);
    if (lost > 0) ring_add_gap(m->ring, lost);
    ring_write(m->ring, frames, n);
}

/* The microphone is lost. The last frames are still in the ring. */
static void end_stream(mic *m, const char *why)
{
    m->why_lost = why;
    if (!m->driver->close(m->stream, CLOSE_BEFORE_REPORT_S)) return; /* callbacks may follow */
    m->stream = NULL;
    ring_end(m->ring);
}

/* A device that is muted, or has no plug, gives zeros without any noise. */
static void check_mute(source *src, mic *m, const float *frames, size_t n)
{
    const size_t channels = src->native_channels;
    for (size_t i = 0; i < n * channels; i++) m->zeros = frames[i] == 0 ? m->zeros + 1 : 0;
    if (m->is_mute || (double)m->zeros < MIC_MUTE_S * src->info.rate_hz * (double)channels) return;
    m->is_mute = true;
    source_warn(src, "gives only zeros: is it muted, or another microphone in use?");
}

/*
 * Waits at the ring's semaphore, the one thing that a callback may post. It wakes at least every
 * POLL_S to see whether a signal (wake_fd) ended the input or the device disappeared. Silence is
 * counted in such waits, not in seconds: a process that was stopped for a while must not blame
 * the microphone.
 */
static ssize_t read_frames(source *src, float *frames, exact_time *times, size_t max, bool wait)
{
    static const double POLL_S = 0.05;
    mic *m = src->state;
    unsigned silent = 0;
    (void)times;
    if (!wait) return 0; /* no gathering: source_gap describes a single read */
    for (;;) {
        uint64_t lost;
        if (fd_is_ready(src->options.wake_fd)) return 0;
        size_t n = ring_read(m->ring, frames, max, &lost);
        src->gap += lost;
        check_mute(src, m, frames, n);
        if (n > 0) return (ssize_t)n;
        if (m->why_lost) {
            source_fail(src, "microphone lost: %s", m->why_lost);
            return -1;
        }
        if (ring_wait(m->ring, POLL_S))
            silent = 0;
        else if (!m->driver->alive(m->stream))
            end_stream(m, "its stream has ended");
        else if (++silent * POLL_S >= MIC_SILENCE_S)
            end_stream(m, "no sample for " MIC_SILENCE_TEXT);
    }
}

static void close_mic(source *src)
{
    mic *m = src->state;
    if (m->stream) m->driver->close(m->stream, CLOSE_S);
    if (!m->driver->end()) return; /* its threads may still use the ring */
    ring_destroy(m->ring);
    free(m);
}

static const source_ops ops = {read_frames, NULL, close_mic};

/* The number of channels that the options name, else as many as the choice of channels needs. */
static size_t wanted_channels(const source_options *o)
{
    if (o->channels > 0) return o->channels;
    return o->choice == CHANNEL_ONE && o->channel > 0 ? o->channel : 1;
}

/* Open the device's stream, and the ring that it fills. */
static bool start(source *src, mic *m, size_t index, const mic_patience *patience)
{
    char reason[SOURCE_REASON];
    mic_device device = m->driver->device(index);
    mic_request request = {.device = index,
                           .channels = wanted_channels(&src->options),
                           .rate_hz = src->options.rate_hz,
                           .callback = on_frames,
                           .user = m};
    if (request.rate_hz <= 0) request.rate_hz = device.rate_hz;
    if (request.channels > device.channels)
        return source_fail(src, "has %zu channel%s, not %zu", device.channels,
                           device.channels == 1 ? "" : "s", request.channels);
    double room = fmin(ceil(request.rate_hz * MIC_RING_S), RING_MOST);
    m->ring = ring_create((size_t)room, request.channels);
    if (!m->ring) return source_fail(src, "out of memory");
    mic_clock_init(&m->clock, request.rate_hz);
    m->stream = m->driver->open(&request, patience, reason, sizeof reason);
    if (!m->stream) return source_fail(src, "%s", reason);
    src->info.rate_hz = request.rate_hz;
    src->info.channels = request.channels;
    src->info.rate_known = src->info.audio = src->info.live = src->info.microphone = true;
    return true;
}

bool mic_open(source *src, const char *name)
{
    char reason[SOURCE_REASON];
    size_t index;
    const mic_driver *driver = mic_get_driver();
    const mic_patience patience = {src->options.wake_fd, src->options.mic_is_slow};
    mic *m = calloc(1, sizeof *m);
    if (!m) return source_fail(src, "out of memory");
    if (!driver->begin(&patience, reason, sizeof reason)) {
        free(m);
        return source_fail(src, "%s", reason);
    }
    m->driver = driver;
    src->ops = &ops; /* from here on source_close cleans up */
    src->state = m;
    if (!mic_find(driver, name, &index, reason, sizeof reason))
        return source_fail(src, "%s", reason);
    return start(src, m, index, &patience);
}

int mic_list(mic_list_fn *each, void *user, void (*slow)(void), char *reason, size_t size)
{
    const mic_driver *driver = mic_get_driver();
    if (!driver->begin(&(mic_patience){-1, slow}, reason, size)) return -1;
    size_t n = driver->count();
    for (size_t i = 0; i < n; i++) {
        mic_device d = driver->device(i);
        each(user, d.name, d.channels, d.rate_hz, d.is_default);
    }
    driver->end();
    return (int)n;
}
