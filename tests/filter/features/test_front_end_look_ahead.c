/* filter/features: every front end gives a frame exactly when its stated look-ahead has been
 * read, not a sample earlier or later. Otherwise the sample at which a match is final would
 * depend on how the input was cut. */
#include <math.h>
#include <stdbool.h>

#include "filter/features/front_end.h"
#include "tests/check.h"

static void check_spec(const char *spec)
{
    enum { N = 12000 };
    front_end *chain;
    sigrep_error error = {0};
    sigrep_status status = front_end_create(&chain, spec, (frame_shape){1, 16000}, 1, &error);
    CHECK_MSG(status == SIGREP_OK, "%s: %s", spec, error.text);
    if (status) return;
    uint64_t frames = 0;
    for (uint64_t n = 1; n <= N; n++) {
        float sample = sinf((float)n * 0.05f);
        const float *out;
        frames += front_end_push(chain, &sample, 1, &out);
        bool exact = (frames == 0 || front_end_samples_needed(chain, frames) <= n) &&
                     front_end_samples_needed(chain, frames + 1) > n;
        CHECK_MSG(exact, "%s: %llu frames after %llu samples", spec, (unsigned long long)frames,
                  (unsigned long long)n);
        if (!exact) break;
    }
    CHECK_MSG(frames > 10, "%s", spec);
    front_end_destroy(chain);
}

static void a_frame_comes_when_its_look_ahead_has_been_read(void)
{
    static const char *const specs[] = {
        "raw",
        "diff",
        "znorm=0.1",
        "envelope=0.01",
        "bandpass=300-3000",
        "logmel",
        "mfcc",
        "speech",
        "voices",
        "words",
        "zmatch",
        "resample=8000",
        "resample=11025",
        "resample=44100",
        "mfcc+diff",
        "bandpass=300-3000+envelope=0.01+znorm=1",
        "resample=8000+mfcc",
        "resample=8000+speech",
        "resample=8000+words",
        "resample=11025+logmel+diff",
    };
    for (size_t i = 0; i < sizeof specs / sizeof *specs; i++) check_spec(specs[i]);
}

int main(void)
{
    RUN(a_frame_comes_when_its_look_ahead_has_been_read);
    return check_done();
}
