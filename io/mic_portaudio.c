/*
 * mic_portaudio.c - microphones through PortAudio. Three of its faults are worked around:
 *
 *   1. Its blocking reads corrupt memory over JACK. Only its callback is used.
 *   2. ALSA and JACK below it print to standard error when a device is opened or closed. For the
 *      time of these calls descriptor 2 is /dev/null, in the whole process.
 *   3. PortAudio 19.6 aborts if ALSA is set up without a device "default". A child tries it first.
 */
#include <stdio.h>

#include "io/mic_driver.h"

#ifdef SIGREP_NO_MIC

static bool begin(char *reason, size_t size)
{
    snprintf(reason, size, "built without microphones (make MIC=0)");
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

/* The device's buffer: long enough for a busy machine, short enough to report matches at once. */
static const double LATENCY_S = 0.2;

typedef struct {
    PaStream *stream;
    mic_callback *callback;
    void *user;
} capture;

/* Silence standard error. Returns the argument for restore_stderr. */
static int silence_stderr(void)
{
    int saved_fd = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
    int null_fd = saved_fd < 0 ? -1 : open("/dev/null", O_WRONLY | O_CLOEXEC);
    if (null_fd >= 0) {
        dup2(null_fd, STDERR_FILENO);
        close(null_fd);
    }
    return saved_fd;
}

static void restore_stderr(int saved_fd)
{
    if (saved_fd < 0) return;
    dup2(saved_fd, STDERR_FILENO);
    close(saved_fd);
}

static const char *error_text(PaError error)
{
    const PaHostErrorInfo *host =
        error == paUnanticipatedHostError ? Pa_GetLastHostErrorInfo() : NULL;
    return host && host->errorText && *host->errorText ? host->errorText : Pa_GetErrorText(error);
}

/* Does a child survive Pa_Initialize? SIGCHLD may be ignored, by inheritance; waitpid would then
 * not see the child's status. */
static bool can_begin(void)
{
    const struct sigaction standard = {.sa_handler = SIG_DFL};
    struct sigaction saved;
    sigaction(SIGCHLD, &standard, &saved);
    pid_t child = fork();
    if (child == 0) {
        setrlimit(RLIMIT_CORE, &(struct rlimit){0, 0});
        Pa_Initialize();
        _exit(0);
    }
    int status = 0;
    while (child > 0 && waitpid(child, &status, 0) < 0 && errno == EINTR) continue;
    sigaction(SIGCHLD, &saved, NULL);
    return !WIFSIGNALED(status);
}

static bool begin(char *reason, size_t size)
{
    int saved_fd = silence_stderr();
    bool can = can_begin();
    PaError error = can ? Pa_Initialize() : paInternalError;
    restore_stderr(saved_fd);
    if (error == paNoError) return true;
    if (can)
        snprintf(reason, size, "no sound system: %s", error_text(error));
    else
        snprintf(reason, size, "no capture devices: ALSA is not set up");
    return false;
}

static void end(void)
{
    int saved_fd = silence_stderr();
    Pa_Terminate();
    restore_stderr(saved_fd);
}

/* PortAudio's number of the i-th capture device. For i beyond the last one, *count becomes their
 * number. */
static PaDeviceIndex device_number(size_t i, size_t *count)
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
    device_number((size_t)-1, &n);
    return n;
}

static mic_device device(size_t i)
{
    size_t unused;
    PaDeviceIndex k = device_number(i, &unused);
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

/* PortAudio opens the nearest rate of ALSA, up to 1 % off. Times would drift and mic_clock would
 * see losses. So the rate may differ by no more than a quartz does. */
static bool has_rate(PaStream *stream, double rate_hz)
{
    const PaStreamInfo *info = Pa_GetStreamInfo(stream);
    return info && fabs(info->sampleRate - rate_hz) <= 2e-4 * rate_hz;
}

static PaError start(capture *c, const mic_request *request)
{
    size_t unused;
    PaStreamParameters parameters = {.device = device_number(request->device, &unused),
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
    /* The audio threads inherit this mask, so they never run the program's signal handlers. */
    sigset_t all, mask;
    sigfillset(&all);
    int saved_fd = silence_stderr();
    pthread_sigmask(SIG_BLOCK, &all, &mask);
    PaError error = start(c, request);
    pthread_sigmask(SIG_SETMASK, &mask, NULL);
    restore_stderr(saved_fd);
    if (!error) return c;
    if (error == paInvalidSampleRate)
        snprintf(reason, size, "refuses a rate of %.9g Hz; its own is %.9g Hz", request->rate_hz,
                 device(request->device).rate_hz);
    else if (error == paDeviceUnavailable)
        snprintf(reason, size, "is in use by another program, or unplugged");
    else
        snprintf(reason, size, "cannot be opened: %s", error_text(error));
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
    int saved_fd = silence_stderr();
    Pa_AbortStream(c->stream);
    Pa_CloseStream(c->stream);
    restore_stderr(saved_fd);
    free(c);
}

const mic_driver mic_portaudio = {begin, end, count, device, open_stream, alive, close_stream};

#endif
