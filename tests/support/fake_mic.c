#include "tests/support/fake_mic.h"

#include <string.h>

#include <stdio.h>

enum { VALUES = 1 << 16 };

fake_mic fake;

static bool begin(const mic_patience *patience, char *reason, size_t size)
{
    fake.patience = *patience;
    if (fake.begin_fails) snprintf(reason, size, "%s", fake.begin_fails);
    fake.begun += !fake.begin_fails;
    return !fake.begin_fails;
}

static bool end(void)
{
    fake.ended++;
    return !fake.is_frozen;
}

static size_t count(void)
{
    return fake.n_devices;
}

static mic_device device(size_t i)
{
    return fake.devices[i];
}

/* The script up to its next pause. */
static void deliver(void)
{
    static float frames[VALUES];
    const mic_request *r = &fake.asked;
    while (fake.at_step < fake.n_steps) {
        const fake_step *step = &fake.steps[fake.at_step++];
        if (step->n == 0) return;
        for (size_t i = 0; i < step->n; i++, fake.frames++)
            for (size_t k = 0; k < r->channels; k++)
                frames[i * r->channels + k] = (float)fake.frames + (k ? 0.5F : 0);
        if (fake.is_mute) memset(frames, 0, sizeof frames);
        r->callback(r->user, frames, step->n, step->overflow);
    }
}

static void *open_stream(const mic_request *request, const mic_patience *patience, char *reason,
                         size_t size)
{
    fake.asked = *request;
    fake.patience = *patience;
    if (fake.open_fails) {
        snprintf(reason, size, "%s", fake.open_fails);
        return NULL;
    }
    fake.opened++;
    fake.at_step = fake.frames = 0;
    deliver();
    return &fake;
}

static bool alive(void *stream)
{
    (void)stream;
    deliver();
    return fake.at_step < fake.n_steps || !fake.dies;
}

static bool close_stream(void *stream, double timeout_s)
{
    (void)stream;
    fake.close_s += timeout_s;
    fake.closed += !fake.is_frozen;
    return !fake.is_frozen;
}

const mic_driver fake_driver = {begin, end, count, device, open_stream, alive, close_stream};

void fake_set(const fake_step *steps, size_t n_steps, bool dies)
{
    static const mic_device two[] = {{"USB Audio", 2, 44100, false}, {"Line", 1, 1000, true}};
    fake = (fake_mic){
        .devices = two, .n_devices = 2, .steps = steps, .n_steps = n_steps, .dies = dies};
    mic_set_driver(&fake_driver);
}
