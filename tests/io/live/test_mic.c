/* mic.c over a fake sound system; tests/live has a real one. */
#include "io/live/mic.h"

#include <string.h>
#include <unistd.h>

#include "check.h"
#include "io/source.h"
#include "tests/support/fake_mic.h"

#define STEPS(...)                                                                                 \
    (const fake_step[]){__VA_ARGS__}, sizeof((const fake_step[]){__VA_ARGS__}) / sizeof(fake_step)

enum { MOST = 1 << 16 };
static float frames[MOST];
static char why[256];

static source *open_with(const char *path, source_options options)
{
    why[0] = '\0';
    return source_open(path, &options, why, sizeof why);
}

static source *open_mic(const char *path)
{
    return open_with(path, (source_options){.wake_fd = -1});
}

/* Was everything ended and closed that was begun and opened? */
static bool cleaned_up(void)
{
    return fake.begun == fake.ended && fake.opened == fake.closed;
}

static void frames_come_as_the_device_gives_them(void)
{
    fake_set(STEPS({3, false}, {4, false}, {0, false}, {5, false}), true);
    source *src = open_mic("mic:");
    CHECK(src && fake.asked.device == 1 && fake.asked.channels == 1 && fake.asked.rate_hz == 1000);
    source_info info = source_get_info(src);
    CHECK(info.rate_hz == 1000 && info.rate_known && info.channels == 1);
    CHECK(info.audio && info.live && info.microphone && info.frames == 0);
    CHECK(source_read(src, frames, NULL, MOST) == 7 && frames[0] == 0 && frames[6] == 6);
    CHECK(source_read(src, frames, NULL, 2) == 2 && frames[0] == 7 && source_gap(src) == 0);
    CHECK(source_read(src, frames, NULL, MOST) == 3 && frames[2] == 11);
    CHECK(source_read(src, frames, NULL, MOST) == -1);
    CHECK(strcmp(source_error(src), "microphone lost: its stream has ended") == 0);
    CHECK(source_read(src, frames, NULL, MOST) == -1);
    source_close(src);
    CHECK(cleaned_up());
}

static void rate_and_channels_are_asked_for(void)
{
    fake_set(STEPS({2, false}), true);
    source *src =
        open_with("mic:usb", (source_options){.wake_fd = -1, .rate_hz = 16000, .channels = 2});
    CHECK(src && fake.asked.device == 0 && fake.asked.channels == 2);
    CHECK(fake.asked.rate_hz == 16000 && source_get_info(src).rate_hz == 16000);
    /* The mean, as of all audio. */
    CHECK(source_get_info(src).channels == 1);
    CHECK(source_read(src, frames, NULL, MOST) == 2 && frames[1] == 1.25F);
    source_close(src);
    src =
        open_with("mic:usb", (source_options){.wake_fd = -1, .choice = CHANNEL_ONE, .channel = 2});
    CHECK(src && fake.asked.channels == 2 && fake.asked.rate_hz == 44100);
    CHECK(source_read(src, frames, NULL, MOST) == 2 && frames[1] == 1.5F);
    source_close(src);
    src = open_with("mic:usb",
                    (source_options){.wake_fd = -1, .choice = CHANNEL_EACH, .channels = 2});
    CHECK(src && source_get_info(src).channels == 2);
    CHECK(source_read(src, frames, NULL, MOST) == 2 && frames[2] == 1 && frames[3] == 1.5F);
    source_close(src);
    CHECK(cleaned_up());
}

static void frames_that_the_device_dropped_are_a_gap(void)
{
    fake_set(STEPS({10, false}, {10, true}, {10, false}), true);
    source *src = open_mic("mic:");
    CHECK(source_read(src, frames, NULL, MOST) == 10 && source_gap(src) == 0);
    CHECK(source_read(src, frames, NULL, MOST) == 20 && source_gap(src) == 1 && frames[0] == 10);
    CHECK(source_read(src, frames, NULL, MOST) == -1 && source_gap(src) == 0);
    source_close(src);
}

/* Each read has its own gap, and live frames must not wait. */
static void nothing_is_gathered(void)
{
    fake_set(STEPS({10, false}, {10, true}, {10, false}), true);
    source *src = open_mic("mic:");
    CHECK(source_gather(src, frames, NULL, MOST) == 10 && source_gap(src) == 0);
    CHECK(source_gather(src, frames, NULL, MOST) == 20 && source_gap(src) == 1 && frames[0] == 10);
    CHECK(source_gather(src, frames, NULL, MOST) == -1 && source_gap(src) == 0);
    source_close(src);
}

/* 10 s at 1000 Hz are rounded up to 16384 frames. */
static void frames_that_the_ring_cannot_hold_are_a_gap(void)
{
    fake_set(STEPS({16000, false}, {4000, false}, {0, false}, {5, false}), true);
    source *src = open_mic("mic:");
    CHECK(source_read(src, frames, NULL, MOST) == 16384 && source_gap(src) == 0);
    CHECK(source_read(src, frames, NULL, MOST) == 5);
    CHECK(source_gap(src) == 3616 && frames[0] == 20000);
    source_close(src);
}

/* Regression: frames that came between the last read of the ring and the end were lost. */
static void the_last_frames_before_the_end_come(void)
{
    fake_set(STEPS({3, false}, {0, false}, {4, false}), true);
    source *src = open_mic("mic:");
    CHECK(source_read(src, frames, NULL, MOST) == 3);
    CHECK(source_read(src, frames, NULL, MOST) == 4 && frames[0] == 3 && frames[3] == 6);
    CHECK(source_read(src, frames, NULL, MOST) == -1 && source_gap(src) == 0);
    CHECK(strcmp(source_error(src), "microphone lost: its stream has ended") == 0);
    source_close(src);
    CHECK(cleaned_up());
}

/* Regression: frames without room right before the end were lost without a report. */
static void a_gap_at_the_end_is_reported(void)
{
    for (int dies = 0; dies < 2; dies++) {
        fake_set(STEPS({16000, false}, {4000, false}), dies != 0);
        source *src = open_mic("mic:");
        CHECK(source_read(src, frames, NULL, MOST) == 16384 && source_gap(src) == 0);
        CHECK(source_read(src, frames, NULL, MOST) == -1 && source_gap(src) == 3616);
        CHECK(source_read(src, frames, NULL, MOST) == -1 && source_gap(src) == 0);
        source_close(src);
        CHECK(cleaned_up());
    }
}

/* The bug: a muted microphone was listened to for hours without a word. */
static void zeros_are_reported_once(void)
{
    fake_set(STEPS({1500, false}, {0, false}, {1500, false}, {0, false}, {3000, false}), true);
    fake.is_mute = true;
    source *src = open_mic("mic:");
    CHECK(source_read(src, frames, NULL, MOST) == 1500 && !source_warning(src));
    CHECK(source_read(src, frames, NULL, MOST) == 1500);
    CHECK(strncmp(source_warning(src), "gives only zeros: is it muted", 29) == 0);
    CHECK(source_read(src, frames, NULL, MOST) == 3000 && !source_warning(src));
    source_close(src);
}

static void silence_is_a_lost_microphone(void)
{
    fake_set(STEPS({3, false}), false);
    source *src = open_mic("mic:");
    CHECK(source_read(src, frames, NULL, MOST) == 3);
    CHECK(source_read(src, frames, NULL, MOST) == -1);
    CHECK(strcmp(source_error(src), "microphone lost: no sample for 2 s") == 0);
    source_close(src);
    CHECK(cleaned_up());
}

/* Regression: with a frozen sound server nothing was reported, since the stream was closed first,
 * which never ends. The callback may still come, so what it uses stays. */
static void a_frozen_server_is_a_lost_microphone(void)
{
    static void *left_behind; /* for the leak check */
    float one = 1;
    fake_set(STEPS({3, false}), false);
    fake.is_frozen = true;
    source *src = open_mic("mic:");
    left_behind = fake.asked.user;
    CHECK(source_read(src, frames, NULL, MOST) == 3);
    CHECK(source_read(src, frames, NULL, MOST) == -1);
    CHECK(strcmp(source_error(src), "microphone lost: no sample for 2 s") == 0);
    CHECK(fake.close_s <= 0.5); /* with MIC_SILENCE_S, it is reported within 3 s */
    source_close(src);
    CHECK(fake.closed == 0 && fake.ended == 1 && fake.close_s <= 3);
    fake.asked.callback(left_behind, &one, 1, false);
}

static void be_slow(void)
{
}

static void a_slow_sound_system_can_be_reported_and_woken(void)
{
    fake_set(STEPS({3, false}), true);
    source *src = open_with("mic:", (source_options){.wake_fd = -1, .mic_is_slow = be_slow});
    CHECK(src && fake.patience.slow == be_slow && fake.patience.wake_fd == -1);
    source_close(src);
    CHECK(cleaned_up());
}

static void a_wake_is_the_end(void)
{
    int ends[2];
    if (pipe(ends) != 0) abort();
    fake_set(STEPS({3, false}), false);
    source *src = open_with("mic:", (source_options){.wake_fd = ends[0]});
    CHECK(source_read(src, frames, NULL, MOST) == 3);
    CHECK(write(ends[1], "", 1) == 1);
    CHECK(source_read(src, frames, NULL, MOST) == 0 && !*source_error(src));
    source_close(src);
    close(ends[0]);
    close(ends[1]);
}

static bool refused(const char *path, source_options options, const char *reason)
{
    source *src = open_with(path, options);
    bool as_expected = !src && strcmp(why, reason) == 0 && cleaned_up();
    if (!as_expected) fprintf(stderr, "%s: %s\n", path, why);
    source_close(src);
    return as_expected;
}

static void a_failing_open_is_reported(void)
{
    source_options none = {.wake_fd = -1};
    fake_set(NULL, 0, false);
    CHECK(refused("mic:x", none, "no such device; there are: USB Audio, Line"));
    CHECK(refused("mic:Line", (source_options){.wake_fd = -1, .channels = 2},
                  "has 1 channel, not 2"));
    CHECK(refused("mic:usb", (source_options){.wake_fd = -1, .choice = CHANNEL_ONE, .channel = 3},
                  "has 2 channels, not 3"));
    fake.open_fails = "is in use by another program, or unplugged";
    CHECK(refused("mic:", none, "is in use by another program, or unplugged"));
    fake.n_devices = 0;
    CHECK(refused("mic:", none, "no capture devices"));
    fake.begin_fails = "no sound system: none";
    CHECK(refused("mic:", none, "no sound system: none"));
    /* A template is a file, whatever its name. */
    CHECK(refused("mic:", (source_options){.is_template = true}, "No such file or directory"));
}

static void list_one(void *user, const char *name, size_t channels, double rate_hz, bool is_default)
{
    char *list = user;
    size_t n = strlen(list);
    snprintf(list + n, 200 - n, "%s %zu %g%s; ", name, channels, rate_hz,
             is_default ? " default" : "");
}

static void devices_are_listed(void)
{
    char list[200] = "";
    fake_set(NULL, 0, false);
    CHECK(mic_list(list_one, list, NULL, why, sizeof why) == 2 && cleaned_up());
    CHECK(strcmp(list, "USB Audio 2 44100; Line 1 1000 default; ") == 0);
    fake.begin_fails = "no";
    CHECK(mic_list(list_one, list, NULL, why, sizeof why) == -1 && strcmp(why, "no") == 0);
    fake_set(NULL, 0, false);
    fake.n_devices = 0;
    CHECK(mic_list(list_one, list, NULL, why, sizeof why) == 0 && cleaned_up());
}

static void portaudio_is_the_driver(void)
{
    mic_set_driver(&fake_driver);
    CHECK(mic_get_driver() == &fake_driver);
    mic_set_driver(NULL);
    CHECK(mic_get_driver() == &mic_portaudio);
}

int main(void)
{
    RUN(frames_come_as_the_device_gives_them);
    RUN(rate_and_channels_are_asked_for);
    RUN(frames_that_the_device_dropped_are_a_gap);
    RUN(nothing_is_gathered);
    RUN(frames_that_the_ring_cannot_hold_are_a_gap);
    RUN(the_last_frames_before_the_end_come);
    RUN(a_gap_at_the_end_is_reported);
    RUN(zeros_are_reported_once);
    RUN(silence_is_a_lost_microphone);
    RUN(a_frozen_server_is_a_lost_microphone);
    RUN(a_slow_sound_system_can_be_reported_and_woken);
    RUN(a_wake_is_the_end);
    RUN(a_failing_open_is_reported);
    RUN(devices_are_listed);
    RUN(portaudio_is_the_driver);
    return check_done();
}
