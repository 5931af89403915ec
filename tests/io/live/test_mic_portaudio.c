/*
 * The real sound system, as far as it goes without a device; tests/live has one. With and without
 * devices it must leave the rest of the process alone.
 */
#include <signal.h>
#include <string.h>
#include <unistd.h>

#include "check.h"
#include "io/live/mic_driver.h"

static char reason[256];
static const mic_patience patience = {.wake_fd = -1};

#ifdef SIGREP_NO_MIC

static void built_without_it_reports_that(void)
{
    CHECK(!mic_portaudio.begin(&patience, reason, sizeof reason));
    CHECK(strcmp(reason, "built without microphones") == 0);
}

int main(void)
{
    RUN(built_without_it_reports_that);
    return check_done();
}

#else

/* ALSA unloads plugins whose libraries never free some memory. The leak check calls it lost unless
 * the libraries stay loaded. */
__attribute__((visibility("default"))) int dlclose(void *library);
int dlclose(void *library)
{
    (void)library;
    return 0;
}

static bool begins(void)
{
    reason[0] = '\0';
    const bool begun = mic_portaudio.begin(&patience, reason, sizeof reason);
    const bool known = strcmp(reason, "no capture devices: ALSA is not set up") == 0 ||
                       strncmp(reason, "no sound system: ", 17) == 0;
    CHECK_MSG(begun ? !*reason : known, "%s", reason);
    return begun;
}

static void it_begins_or_gives_a_reason(void)
{
    for (int i = 0; i < 2; i++)
        if (begins()) mic_portaudio.end();
}

static void devices_can_capture(void)
{
    if (!begins()) return;
    size_t n_default = 0;
    for (size_t i = 0; i < mic_portaudio.count(); i++) {
        const mic_device device = mic_portaudio.device(i);
        CHECK(device.name && *device.name && device.channels > 0 && device.rate_hz > 0);
        n_default += device.is_default;
    }
    CHECK(n_default <= 1);
    mic_portaudio.end();
}

/* ALSA and JACK would print; what the program prints after them must come out. */
static void standard_error_is_silent_and_comes_back(void)
{
    int ends[2], saved = dup(STDERR_FILENO);
    char got[64];
    if (saved < 0 || pipe(ends) != 0) abort();
    dup2(ends[1], STDERR_FILENO);
    close(ends[1]);
    if (begins()) mic_portaudio.end();
    const bool written = write(STDERR_FILENO, "ours", 4) == 4;
    dup2(saved, STDERR_FILENO);
    close(saved);
    CHECK(written && read(ends[0], got, sizeof got) == 4 && memcmp(got, "ours", 4) == 0);
    close(ends[0]);
}

static void ignored_child_signals_stay_ignored(void)
{
    struct sigaction now;
    const struct sigaction ignore = {.sa_handler = SIG_IGN}, standard = {.sa_handler = SIG_DFL};
    CHECK(sigaction(SIGCHLD, &ignore, NULL) == 0);
    if (begins()) mic_portaudio.end();
    CHECK(sigaction(SIGCHLD, NULL, &now) == 0 && now.sa_handler == SIG_IGN);
    sigaction(SIGCHLD, &standard, NULL);
}

int main(void)
{
    RUN(it_begins_or_gives_a_reason);
    RUN(devices_can_capture);
    RUN(standard_error_is_silent_and_comes_back);
    RUN(ignored_child_signals_stay_ignored);
    return check_done();
}

#endif
