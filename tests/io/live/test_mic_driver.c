#include "io/live/mic_driver.h"

#include <string.h>

#include "check.h"
#include "tests/support/fake_mic.h"

static const mic_device devices[] = {{"USB Audio", 1, 48000, false},
                                     {"USB Audio 2", 1, 48000, false},
                                     {"default", 1, 48000, true},
                                     {"Grüner Tee", 1, 48000, false},
                                     {"default", 1, 48000, false}};
static char reason[256];
static size_t found;

static bool finds(const char *name, size_t index)
{
    found = 99;
    return mic_find(&fake_driver, name, &found, reason, sizeof reason) && found == index;
}

static bool refused(const char *name, const char *words)
{
    bool as_expected =
        !mic_find(&fake_driver, name, &found, reason, sizeof reason) && strcmp(reason, words) == 0;
    if (!as_expected) fprintf(stderr, "%s: %s\n", name, reason);
    return as_expected;
}

static void names_are_whole_or_unique_parts(void)
{
    fake = (fake_mic){.devices = devices, .n_devices = 5};
    CHECK(finds("", 2));
    CHECK(finds("USB Audio", 0));
    CHECK(finds("USB Audio 2", 1));
    CHECK(finds("audio 2", 1));
    CHECK(finds("grü", 3));
    CHECK(finds("default", 2));
}

static void other_names_are_refused_with_candidates(void)
{
    fake = (fake_mic){.devices = devices, .n_devices = 5};
    CHECK(refused("usb", "several devices have this in their names: USB Audio, USB Audio 2"));
    CHECK(refused("x", "no such device; there are: USB Audio, USB Audio 2, default, Grüner Tee, "
                       "default"));
    fake.n_devices = 2;
    CHECK(refused("", "no default device; there are: USB Audio, USB Audio 2"));
    fake.n_devices = 0;
    CHECK(refused("", "no capture devices"));
    CHECK(refused("usb", "no capture devices"));
}

static void long_lists_are_cut(void)
{
    mic_device many[100];
    fake = (fake_mic){.devices = many, .n_devices = 100};
    for (size_t i = 0; i < 100; i++) many[i] = (mic_device){.name = "a device", .channels = 1};
    CHECK(!mic_find(&fake_driver, "x", &found, reason, sizeof reason));
    CHECK(strlen(reason) < 256 && strcmp(reason + strlen(reason) - 5, ", ...") == 0);
}

int main(void)
{
    RUN(names_are_whole_or_unique_parts);
    RUN(other_names_are_refused_with_candidates);
    RUN(long_lists_are_cut);
    return check_done();
}
