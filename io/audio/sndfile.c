/*
 * sndfile.c - audio but plain WAV, FLAC and MP3, through libsndfile.
 *
 *     file ----------------> virtual file (our reads) ------+
 *     pipe ----------------> feeder.h --> pipe -------------+--> libsndfile --> frames
 *
 * With reads of our own we see offsets, interruptions and read errors. libsndfile does not report
 * files that were cut short; declared_size.h finds them.
 */
#include <math.h>
#include <sndfile.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "io/audio/declared_size.h"
#include "io/audio/feeder.h"
#include "io/fdio.h"
#include "io/source_ops.h"

enum {
    SNDFILE_CHANNELS = 1024,       /* the most that libsndfile reads */
    MOST_PIPED_FRAMES = 0x0f000000 /* below the placeholder of sox, at 8 bytes a frame */
};

typedef struct {
    SNDFILE *file;
    SF_INFO info;
    declared_size declared_size;
    feeder feeder;
    int pipe;        /* the read end of the feeder's pipe; -1: a virtual file */
    sf_count_t at;   /* position in the virtual file, bytes */
    uint64_t frames; /* declared; 0: unknown */
    uint64_t given;  /* frames read so far */
} audio;

static sf_count_t file_length(void *user)
{
    const source *src = user;
    return (sf_count_t)(src->in.size - src->in.start);
}

static sf_count_t file_seek(sf_count_t offset, int whence, void *user)
{
    source *src = user;
    audio *a = src->state;
    sf_count_t base = whence == SEEK_CUR ? a->at : whence == SEEK_END ? file_length(user) : 0;
    if (offset < -base || offset > INT64_MAX - base) return -1;
    return a->at = base + offset;
}

static sf_count_t file_read(void *bytes, sf_count_t count, void *user)
{
    source *src = user;
    audio *a = src->state;
    if (count <= 0) return 0;
    uint64_t at = (uint64_t)a->at;
    size_t n = input_read_at(&src->in, at, bytes, (size_t)count);
    a->at += (sf_count_t)n;
    return (sf_count_t)n;
}

static sf_count_t file_write(const void *bytes, sf_count_t count, void *user)
{
    (void)bytes, (void)count, (void)user;
    return 0;
}

static sf_count_t file_tell(void *user)
{
    const source *src = user;
    const audio *a = src->state;
    return a->at;
}

static bool open_virtual(source *src, audio *a)
{
    SF_VIRTUAL_IO calls = {file_length, file_seek, file_read, file_write, file_tell};
    a->file = sf_open_virtual(&calls, SFM_READ, &a->info, src);
    return a->file != NULL;
}

/* Closing the read end first unblocks the thread. */
static void stop_feeder(audio *a)
{
    if (a->pipe < 0) return;
    close(a->pipe);
    a->pipe = -1;
    feeder_stop(&a->feeder);
}

static bool open_fed(source *src, audio *a)
{
    int error = feeder_start(&a->feeder, &src->in, &a->declared_size, &a->pipe);
    if (error) return source_fail(src, "%s", strerror(error));
    a->file = sf_open_fd(a->pipe, SFM_READ, &a->info, 0);
    return a->file != NULL;
}

/* Formats that libsndfile 1.2 reads wrongly from a pipe (their beginning is lost, or everything),
 * and those that were not tested. */
static bool needs_file(detect_kind kind)
{
    return kind == DETECT_CAF || kind == DETECT_OTHER;
}

/* The number of frames by libsndfile, if it can be trusted; 0: unknown. From pipes, counts of Ogg
 * and W64 are nonsense, and AIFF and AU may declare a placeholder of nearly 2 GiB. */
static uint64_t trusted_frames(const source *src, const audio *a)
{
    uint64_t frames = a->info.frames > 0 ? (uint64_t)a->info.frames : 0;
    if (frames > SF_COUNT_MAX / 4) return 0;
    if (a->pipe < 0) return frames;
    bool sized = src->kind == DETECT_AIFF || src->kind == DETECT_AU;
    return sized && frames < MOST_PIPED_FRAMES ? frames : 0;
}

/* 0: the frames are compressed. */
static size_t frame_bytes(const SF_INFO *info)
{
    const size_t channels = (size_t)info->channels;
    switch (info->format & SF_FORMAT_SUBMASK) {
    case SF_FORMAT_PCM_S8:
    case SF_FORMAT_PCM_U8:
    case SF_FORMAT_ULAW:
    case SF_FORMAT_ALAW: return channels;
    case SF_FORMAT_PCM_16: return 2 * channels;
    case SF_FORMAT_PCM_24: return 3 * channels;
    case SF_FORMAT_PCM_32:
    case SF_FORMAT_FLOAT: return 4 * channels;
    case SF_FORMAT_DOUBLE: return 8 * channels;
    default: return 0;
    }
}

/* Read what libsndfile leaves in the pipe, so that declared_size sees all bytes. */
static void drain(const audio *a)
{
    char bytes[4096];
    while (fd_read(a->pipe, -1, bytes, sizeof bytes) > 0) continue;
}

static ssize_t end_of_audio(source *src, audio *a)
{
    char reason[SOURCE_REASON];
    if (a->pipe >= 0 && sf_error(a->file) == SF_ERR_NO_ERROR) drain(a);
    bool ended = a->pipe < 0 || feeder_ended(&a->feeder);
    if (ended && !source_truly_ended(src)) return src->failed ? -1 : 0;
    uint64_t total = 0; /* src->in is the feeder's until it has ended */
    if (ended) total = a->pipe < 0 ? src->in.size - src->in.start : src->in.consumed;
    if (a->frames > a->given)
        source_fail(src, "cut short: %llu of %llu frames", (unsigned long long)a->given,
                    (unsigned long long)a->frames);
    else if (ended && !declared_size_met(&a->declared_size, total, reason, sizeof reason))
        source_fail(src, "%s", reason);
    else if (sf_error(a->file) != SF_ERR_NO_ERROR)
        source_fail(src, "cut short or damaged: %s", sf_strerror(a->file));
    else if (a->given == 0 && !src->in.regular)
        source_fail(src,
                    "no samples could be read from this %s pipe: "
                    "convert it by ffmpeg -i FILE -f wav -",
                    detect_name(src->kind));
    return src->failed ? -1 : 0;
}

/* libsndfile 1.2.0 takes a longer request for the end if the file ends at a multiple of this. */
enum { MOST_ADPCM = 4096 }; /* samples */

static bool is_ms_adpcm(const audio *a)
{
    return (a->info.format & SF_FORMAT_SUBMASK) == SF_FORMAT_MS_ADPCM;
}

/* The number of frames to request at once. libsndfile waits for all of them, so live input is read
 * 10 ms at a time. */
static size_t request_size(const source *src, const audio *a)
{
    const size_t channels = (size_t)a->info.channels;
    size_t frames = src->info.live ? (size_t)a->info.samplerate / 100 + 1 : 1 << 16;
    if (is_ms_adpcm(a) && frames > MOST_ADPCM / channels) frames = MOST_ADPCM / channels;
    return frames;
}

/* Would another request return at once? From a pipe libsndfile reads a whole request, or pages of a
 * container, so a lot of bytes must be there. */
static bool has_request(const source *src, const audio *a)
{
    enum { MUCH = 1 << 15 }; /* bytes */
    int bytes;
    if (!src->info.live) return true;
    return a->pipe >= 0 && ioctl(a->pipe, FIONREAD, &bytes) == 0 && bytes >= MUCH;
}

/* libsndfile makes up the frames of a block that it could not read. Of a pipe the frames are real
 * as long as bytes are left in it. */
static bool may_be_made_up(const source *src, audio *a)
{
    int left;
    if (a->pipe < 0) return src->in.failure || src->in.fault;
    if (!feeder_ended(&a->feeder) || !(src->in.failure || src->in.fault)) return false;
    return ioctl(a->pipe, FIONREAD, &left) != 0 || left == 0;
}

/* Can float32 not hold all samples? */
static bool is_wide(const SF_INFO *info)
{
    const int type = info->format & SF_FORMAT_SUBMASK;
    return type == SF_FORMAT_DOUBLE || type == SF_FORMAT_PCM_32 || type == SF_FORMAT_ALAC_32;
}

/* See source_info.integer_bits. */
static unsigned integer_bits(const SF_INFO *info)
{
    switch (info->format & SF_FORMAT_SUBMASK) {
    case SF_FORMAT_PCM_S8:
    case SF_FORMAT_PCM_U8: return 8;
    case SF_FORMAT_ULAW:
    case SF_FORMAT_ALAW:
    case SF_FORMAT_ALAC_16:
    case SF_FORMAT_PCM_16: return 16;
    case SF_FORMAT_ALAC_20:
    case SF_FORMAT_ALAC_24:
    case SF_FORMAT_PCM_24: return 24;
    case SF_FORMAT_ALAC_32:
    case SF_FORMAT_PCM_32: return 32;
    default: return 0;
    }
}

/* As sf_readf_double. Takes note of values that are too large for float32. */
static sf_count_t read_doubles(source *src, const audio *a, double *frames, sf_count_t n)
{
    n = sf_readf_double(a->file, frames, n);
    for (sf_count_t i = 0; i < n * a->info.channels; i++)
        if (isinf((float)frames[i]) && isfinite(frames[i])) atomic_store(&src->beyond, true);
    return n;
}

static ssize_t read_frames(source *src, channels_output to, size_t max, bool wait)
{
    audio *a = src->state;
    if (!wait && !has_request(src, a)) return 0;
    const size_t request = request_size(src, a);
    if (max > request) max = request;
    const sf_count_t n = to.wide ? read_doubles(src, a, to.wide, (sf_count_t)max)
                                 : sf_readf_float(a->file, to.narrow, (sf_count_t)max);
    if (n <= 0 || may_be_made_up(src, a)) return end_of_audio(src, a);
    a->given += (uint64_t)n;
    return (ssize_t)n;
}

static ssize_t sndfile_read(source *src, float *frames, exact_time *times, size_t max, bool wait)
{
    (void)times;
    return read_frames(src, (channels_output){.narrow = frames}, max, wait);
}

static ssize_t sndfile_read_doubles(source *src, double *frames, exact_time *times, size_t max,
                                    bool wait)
{
    (void)times;
    return read_frames(src, (channels_output){.wide = frames}, max, wait);
}

static void sndfile_close(source *src)
{
    audio *a = src->state;
    if (a->file) sf_close(a->file);
    stop_feeder(a);
    free(a);
}

static const source_ops sndfile_ops = {sndfile_read, NULL, sndfile_close};

/* Fail with libsndfile's reason and what is missing, or with the reason why the bytes stopped. */
static bool open_failed(source *src, audio *a)
{
    char reason[SOURCE_REASON / 2], missing[SOURCE_REASON / 4] = "";
    bool fed = a->pipe >= 0;
    snprintf(reason, sizeof reason, "cannot be read as %s: %s", detect_name(src->kind),
             sf_strerror(NULL));
    stop_feeder(a);
    if (!fed && src->in.regular)
        declared_size_met(&a->declared_size, src->in.size - src->in.start, missing, sizeof missing);
    else if (fed && src->in.ended && input_have(&src->in) == 0)
        declared_size_met(&a->declared_size, src->in.consumed, missing, sizeof missing);
    size_t n = strlen(reason);
    if (!missing[0] && reason[n - 1] == '.') n--;
    if (missing[0])
        snprintf(reason + n, sizeof reason - n, " (%s)", missing);
    else
        snprintf(reason + n, sizeof reason - n, ": convert it by ffmpeg -i FILE -f wav -");
    return source_fail_open(src, reason);
}

static bool open_audio(source *src, audio *a)
{
    char reason[SOURCE_REASON];
    declared_size_init(&a->declared_size, src->kind);
    if (!src->in.regular) return open_fed(src, a);
    declared_size_scan(&a->declared_size, &src->in);
    bool is_whole =
        declared_size_met(&a->declared_size, src->in.size - src->in.start, reason, sizeof reason);
    if (src->kind != DETECT_OGG || is_whole) return open_virtual(src, a);
    /* libsndfile may refuse an Ogg file without its last page, but reads it as a stream. */
    declared_size_init(&a->declared_size, src->kind);
    return input_resume(&src->in) && open_fed(src, a);
}

bool sndfile_open(source *src)
{
    if (!src->in.regular && needs_file(src->kind))
        return source_fail_seekable(src, "%s", detect_name(src->kind));
    audio *a = calloc(1, sizeof *a);
    if (!a) return source_fail(src, "out of memory");
    a->pipe = -1;
    src->state = a;
    src->ops = &sndfile_ops;
    if (!open_audio(src, a)) return open_failed(src, a);
    if (a->info.channels < 1 || a->info.samplerate < 1)
        return source_fail(src, "bad header: %d channels at %d Hz", a->info.channels,
                           a->info.samplerate);
    a->frames = trusted_frames(src, a);
    a->declared_size.frame_bytes = frame_bytes(&a->info);
    if (is_wide(&a->info)) src->read_doubles = sndfile_read_doubles;
    src->info.audio = src->info.rate_known = true;
    src->info.rate_hz = a->info.samplerate;
    src->info.channels = (size_t)a->info.channels;
    src->info.integer_bits = integer_bits(&a->info);
    src->info.frames = a->frames;
    return true;
}
