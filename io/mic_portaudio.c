/*
 * mic_portaudio.c - microphones by PortAudio, always by its callback (over JACK its
 * blocking reads corrupt memory).
 *
 * Starting up, opening and closing a device, PortAudio and the libraries below it (ALSA,
 * JACK) write to standard error, which nobody can turn off. So for these calls alone
 * descriptor 2 is /dev/null, for the whole process.
 *
 * PortAudio 19.6 aborts the process where ALSA is configured without a device named
 * "default". So a child tries it first.
 */
#include <stdio.h>

#include "io/mic_driver.h"

#ifdef SIGREP_NO_MIC

static bool begin(char *reason, size_t size)
{
    snprintf(reason, size, "microphones are not built into this program");
    return false;
}

const mic_driver mic_portaudio = {.begin = begin};

#else

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <portaudio.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

/* The device's own buffer: long enough for a busy machine, short enough for a match to be
 * told at once. */
static const double LATENCY_S = 0.2;

typedef struct {
    PaStream *stream;
    mic_callback *callback;
    void *user;
} capture;

/* Silence standard error. What hush_end needs to bring it back. */
static int hush_begin(void)
{
    int saved_fd = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
    int null_fd = saved_fd < 0 ? -1 : open("/dev/null", O_WRONLY | O_CLOEXEC);
    if (null_fd >= 0) {
        dup2(null_fd, STDERR_FILENO);
        close(null_fd);
    }
    return saved_fd;
}

static void hush_end(int saved_fd)
{
    if (saved_fd < 0) return;
    dup2(saved_fd, STDERR_FILENO);
    close(saved_fd);
}

static const char *words(PaError error)
{
    const PaHostErrorInfo *host =
        error == paUnanticipatedHostError ? Pa_GetLastHostErrorInfo() : NULL;
    return host && host->errorText && *host->errorText ? host->errorText : Pa_GetErrorText(error);
}

/* Does a child survive Pa_Initialize? Where SIGCHLD is ignored, which is inherited, waitpid
 * would not know. */
static bool can_begin(void)
{
    const struct sigaction waited_for = {.sa_handler = SIG_DFL};
    struct sigaction before;
    sigaction(SIGCHLD, &waited_for, &before);
    pid_t child = fork();
    if (child == 0) {
        setrlimit(RLIMIT_CORE, &(struct rlimit){0, 0});
        Pa_Initialize();
        _exit(0);
    }
    int status = 0;
    while (child > 0 && waitpid(child, &status, 0) < 0 && errno == EINTR) continue;
    sigaction(SIGCHLD, &before, NULL);
    return !WIFSIGNALED(status);
}

static bool begin(char *reason, size_t size)
{
    int saved_fd = hush_begin();
    bool can = can_begin();
    PaError error = can ? Pa_Initialize() : paInternalError;
    hush_end(saved_fd);
    if (error == paNoError) return true;
    if (can)
        snprintf(reason, size, "no sound system: %s", words(error));
    else
        snprintf(reason, size, "no capture devices: ALSA is not set up");
    return false;
}

static void end(void)
{
    int saved_fd = hush_begin();
    Pa_Terminate();
    hush_end(saved_fd);
}

/* PortAudio's number of the i-th device that captures; the count of them is i after all. */
static PaDeviceIndex number(size_t i, size_t *count)
{
    PaDeviceIndex n = Pa_GetDeviceCount();
    *count = 0;
    for (PaDeviceIndex k = 0; k < n; k++) {
        const PaDeviceInfo *info = Pa_GetDeviceInfo(k);
        if (info && info->maxInputChannels > 0 && (*count)++ == i) return k;
    }
    return paNoDevice;
}

static size_t count(void)
{
    size_t n;
    number((size_t)-1, &n);
    return n;
}

static mic_device device(size_t i)
{
    size_t seen;
    PaDeviceIndex k = number(i, &seen);
    const PaDeviceInfo *info = Pa_GetDeviceInfo(k);
    return (mic_device){.name = info->name,
                        .channels = (size_t)info->maxInputChannels,
                        .rate_hz = info->defaultSampleRate,
                        .is_default = k == Pa_GetDefaultInputDevice()};
}

static int on_frames(const void *input, void *output, unsigned long n,
                     const PaStreamCallbackTimeInfo *time, PaStreamCallbackFlags flags, void *user)
{
    const capture *c = user;
    (void)output, (void)time;
    if (input) c->callback(c->user, input, n, (flags & paInputOverflow) != 0);
    return paContinue;
}

/* PortAudio opens ALSA's nearest rate, up to 1 % off. Times would drift, and what the clock
 * misses look like losses; so only what a quartz may be off by counts as the rate asked for. */
static bool has_rate(PaStream *stream, double rate_hz)
{
    const PaStreamInfo *info = Pa_GetStreamInfo(stream);
    return info && fabs(info->sampleRate - rate_hz) <= 2e-4 * rate_hz;
}

static PaError start(capture *c, const mic_request *request)
{
    size_t seen;
    PaStreamParameters parameters = {.device = number(request->device, &seen),
                                     .channelCount = (int)request->channels,
                                     .sampleFormat = paFloat32};
    const PaDeviceInfo *info = Pa_GetDeviceInfo(parameters.device);
    double least_s = info->defaultHighInputLatency;
    parameters.suggestedLatency = least_s > LATENCY_S ? least_s : LATENCY_S;
    PaError error =
        Pa_OpenStream(&c->stream, &parameters, NULL, request->rate_hz, paFramesPerBufferUnspecified,
                      paClipOff | paDitherOff, on_frames, c);
    if (error) return error;
    error = has_rate(c->stream, request->rate_hz) ? Pa_StartStream(c->stream)
                                                  : (PaError)paInvalidSampleRate;
    if (error) Pa_CloseStream(c->stream);
    return error;
}

static void *open_stream(const mic_request *request, char *reason, size_t size)
{
    capture *c = malloc(sizeof *c);
    if (!c) {
        snprintf(reason, size, "out of memory");
        return NULL;
    }
    *c = (capture){.callback = request->callback, .user = request->user};
    /* The audio threads inherit the mask, and so never run the program's handlers. */
    sigset_t all, mask;
    sigfillset(&all);
    int saved_fd = hush_begin();
    pthread_sigmask(SIG_BLOCK, &all, &mask);
    PaError error = start(c, request);
    pthread_sigmask(SIG_SETMASK, &mask, NULL);
    hush_end(saved_fd);
    if (!error) return c;
    if (error == paInvalidSampleRate)
        snprintf(reason, size, "refuses a rate of %.9g Hz; its own is %.9g Hz", request->rate_hz,
                 device(request->device).rate_hz);
    else if (error == paDeviceUnavailable)
        snprintf(reason, size, "is busy, or gone");
    else
        snprintf(reason, size, "cannot be opened: %s", words(error));
    free(c);
    return NULL;
}

static bool alive(void *stream)
{
    const capture *c = stream;
    return Pa_IsStreamActive(c->stream) == 1;
}

static void close_stream(void *stream)
{
    capture *c = stream;
    int saved_fd = hush_begin();
    Pa_AbortStream(c->stream);
    Pa_CloseStream(c->stream);
    hush_end(saved_fd);
    free(c);
}

const mic_driver mic_portaudio = {begin, end, count, device, open_stream, alive, close_stream};

#endif
