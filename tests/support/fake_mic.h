/*
 * fake_mic.h - a sound system for mic_set_driver. A script alone decides which samples come, and
 * when the stream ends.
 */
#ifndef TESTS_SUPPORT_FAKE_MIC_H
#define TESTS_SUPPORT_FAKE_MIC_H

#include "io/live/mic_driver.h"

/* A buffer that the device delivers. With n = 0 it delivers nothing more until `alive` is called.
 */
typedef struct {
    size_t n;
    bool overflow;
} fake_step;

/* The devices, the script, and counts of the calls. Sample k of all that come has the value k in
 * its first channel, k + 0.5 in the others. */
typedef struct {
    const mic_device *devices;
    size_t n_devices;
    const char *begin_fails, *open_fails; /* reasons; NULL: it works */
    const fake_step *steps;
    size_t n_steps;
    bool dies;      /* the stream ends with the script; else it stays silent */
    bool is_mute;   /* all samples are 0 */
    bool is_frozen; /* nothing can be closed or ended */

    size_t begun, ended, opened, closed;
    mic_request asked;     /* the last one */
    mic_patience patience; /* likewise */
    double close_s;        /* seconds that `close` was given, in all */
    size_t at_step, frames;
} fake_mic;

extern fake_mic fake;
extern const mic_driver fake_driver;

/* Two devices, the second one the default, and this script; the driver is set. */
void fake_set(const fake_step *steps, size_t n_steps, bool dies);

#endif
