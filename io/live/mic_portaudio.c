/*
 * mic_portaudio.c - microphones through PortAudio. Four of its faults are worked around:
 *
 *   1. Its blocking reads corrupt memory over JACK. Only its callback is used.
 *   2. ALSA and JACK below it print to standard error when a device is opened or closed. For the
 *      time of these calls descriptor 2 is /dev/null, in the whole process.
 *   3. PortAudio 19.6 aborts if ALSA is set up without a device "default". A child tries it first.
 *   4. Its calls block while the sound server is frozen. A worker makes them; one that does not
 *      return is left behind, and the sound system cannot begin again.
 */
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <portaudio.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "io/fdio.h"
#include "io/live/mic.h"
#include "io/live/mic_driver.h"
#include "io/live/worker.h"

/* The device's buffer: long enough for a busy machine, short enough to report matches at once. */
static const double LATENCY_S = 0.2;
static const double END_S = 2;

typedef struct {
    PaStream *stream;
    mic_request request;
    PaError error; /* of opening it */
    bool is_closing;
} capture;

/* PortAudio's one state in this process. A worker that is left behind stays here and uses it. */
static struct {
    worker *worker;   /* makes all calls that may block; NULL: the sound system has not begun */
    atomic_int child; /* that tries Pa_Initialize; 0 when somebody has ended it */
    bool child_was_killed;
    PaError error; /* of Pa_Initialize */
} sound;

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

/* Let the worker do a job of opening. false if it does not end in time or a signal comes. */
static bool call(worker_job *job, void *user, const mic_patience *patience, char *reason,
                 size_t size)
{
    int saved_fd = silence_stderr();
    worker_start(sound.worker, job, user);
    bool done = worker_wait(sound.worker, patience->wake_fd, MIC_SLOW_S);
    if (!done && patience->slow && !fd_is_ready(patience->wake_fd)) {
        restore_stderr(saved_fd);
        patience->slow();
        saved_fd = silence_stderr();
    }
    done = done || worker_wait(sound.worker, patience->wake_fd, MIC_ANSWER_S - MIC_SLOW_S);
    restore_stderr(saved_fd);
    if (!done) snprintf(reason, size, "the sound system does not answer");
    return done;
}

/* The child must not outlive its parent: it holds the parent's standard output. */
static pid_t fork_child(void)
{
    const pid_t child = fork();
    if (child != 0) return child;
    setrlimit(RLIMIT_CORE, &(struct rlimit){0, 0});
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    Pa_Initialize();
    _exit(0);
}

/* Whoever takes the number out of sound.child ends the child: until then, the number is its own. */
static void initialize(void *unused)
{
    (void)unused;
    siginfo_t how = {0};
    const pid_t child = atomic_load(&sound.child);
    while (child > 0 && waitid(P_PID, (id_t)child, &how, WEXITED | WNOWAIT) < 0 && errno == EINTR)
        continue;
    sound.child_was_killed = how.si_code == CLD_KILLED || how.si_code == CLD_DUMPED;
    if (atomic_exchange(&sound.child, 0) > 0) waitpid(child, NULL, 0);
    sound.error = sound.child_was_killed ? (PaError)paInternalError : Pa_Initialize();
}

static void terminate(void *unused)
{
    (void)unused;
    Pa_Terminate();
}

static bool destroy_worker(void)
{
    if (!worker_destroy(sound.worker)) return false;
    sound.worker = NULL;
    return true;
}

/* Start a worker, then Pa_Initialize on it if a child survives that. */
static bool try_begin(const mic_patience *patience, char *reason, size_t size)
{
    int saved_fd = silence_stderr();
    atomic_store(&sound.child, fork_child()); /* first: a child has no threads but its own */
    restore_stderr(saved_fd);
    sound.worker = worker_create();
    if (!sound.worker) snprintf(reason, size, "out of memory");
    const bool done = sound.worker && call(initialize, NULL, patience, reason, size);
    const pid_t child = atomic_exchange(&sound.child, 0);
    if (child > 0) kill(child, SIGKILL);
    while (child > 0 && !sound.worker && waitpid(child, NULL, 0) < 0 && errno == EINTR) continue;
    if (!done) return false;
    if (sound.child_was_killed)
        snprintf(reason, size, "no capture devices: ALSA is not set up");
    else if (sound.error)
        snprintf(reason, size, "no sound system: %s", error_text(sound.error));
    if (!sound.error) return true;
    destroy_worker();
    return false;
}

static bool end(void)
{
    if (!worker_wait(sound.worker, -1, 0)) return false;
    int saved_fd = silence_stderr();
    worker_start(sound.worker, terminate, NULL);
    worker_wait(sound.worker, -1, END_S);
    restore_stderr(saved_fd);
    return destroy_worker();
}

/* SIGCHLD may be ignored, by inheritance; the child's status would then be lost. */
static bool begin(const mic_patience *patience, char *reason, size_t size)
{
    const struct sigaction standard = {.sa_handler = SIG_DFL};
    struct sigaction saved;
    if (sound.worker && !end()) { /* one that was left behind may have come back */
        snprintf(reason, size, "the sound system does not answer");
        return false;
    }
    sigaction(SIGCHLD, &standard, &saved);
    const bool begun = try_begin(patience, reason, size);
    sigaction(SIGCHLD, &saved, NULL);
    return begun;
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
    if (input) c->request.callback(c->request.user, input, n, (flags & paInputOverflow) != 0);
    return paContinue;
}

/* PortAudio opens the nearest rate of ALSA, up to 1 % off. Times would drift and mic_clock would
 * see losses. So the rate may differ by no more than a quartz does. */
static bool has_rate(PaStream *stream, double rate_hz)
{
    const PaStreamInfo *info = Pa_GetStreamInfo(stream);
    return info && fabs(info->sampleRate - rate_hz) <= 2e-4 * rate_hz;
}

static PaError start(capture *c)
{
    size_t unused;
    const mic_request *request = &c->request;
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

static void open_job(void *user)
{
    capture *c = user;
    c->error = start(c);
}

static void *open_stream(const mic_request *request, const mic_patience *patience, char *reason,
                         size_t size)
{
    capture *c = malloc(sizeof *c);
    if (!c) {
        snprintf(reason, size, "out of memory");
        return NULL;
    }
    *c = (capture){.request = *request};
    if (!call(open_job, c, patience, reason, size)) return NULL; /* the worker still uses c */
    const PaError error = c->error;
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

static void close_job(void *user)
{
    const capture *c = user;
    Pa_AbortStream(c->stream);
    Pa_CloseStream(c->stream);
}

static bool close_stream(void *stream, double timeout_s)
{
    capture *c = stream;
    int saved_fd = silence_stderr();
    if (!c->is_closing) worker_start(sound.worker, close_job, c);
    c->is_closing = true;
    const bool closed = worker_wait(sound.worker, -1, timeout_s);
    restore_stderr(saved_fd);
    if (closed) free(c);
    return closed;
}

const mic_driver mic_portaudio = {begin, end, count, device, open_stream, alive, close_stream};
