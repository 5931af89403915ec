/* tools/common/templates/bundle_file.c: takes as templates. Its messages: tests/cli/bad_bundles. */
#include "tools/common/templates/bundle_file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/check.h"
#include "tools/common/options/template_spec.h"

static char folder[] = "/var/tmp/takes.XXXXXX";

/* Two labels: "up" with two takes, threshold 3, and "down". */
static const char *save(char *path, const char *name, const char *front_end)
{
    static const float up[] = {0, 1, 2, 3}, down[] = {3, 2, 1};
    const sigrep_bundle_info info = {
        .size = sizeof info, .front_end = front_end, .rate_hz = 8, .channels = 1, .is_audio = 1};
    const sigrep_template takes[] = {{.label = "up", .samples = up, .length = 4},
                                     {.label = "up", .samples = up + 1, .length = 3},
                                     {.label = "down", .samples = down, .length = 3}};
    sigrep_bundle *b;
    sigrep_bundle_label label = {.size = sizeof label};
    CHECK(sigrep_bundle_create(&b, &info, NULL) == SIGREP_OK);
    for (size_t i = 0; i < 3; i++)
        CHECK(sigrep_bundle_add_take(b, i ? "late.wav" : "first.wav", &takes[i], NULL) ==
              SIGREP_OK);
    CHECK(sigrep_bundle_get_label(b, 0, &label) == SIGREP_OK);
    label.has_threshold = 1;
    label.threshold = 3;
    CHECK(sigrep_bundle_set_label(b, 0, &label, NULL) == SIGREP_OK);
    snprintf(path, 64, "%s/%s.sigrep", folder, name);
    CHECK(bundle_save(b, path, false));
    sigrep_bundle_destroy(b);
    return path;
}

static void each_take_becomes_a_template(void)
{
    char path[64];
    template_set set = {0};
    const shared_options o = shared_options_defaults();
    const template_spec spec = {0};
    CHECK(bundle_takes_load(&set, &o, &spec, save(path, "a", "raw")));
    CHECK(set.n == 3 && set.channels == 1 && set.rate_known && set.rate_hz == 8);
    CHECK(strcmp(set.bundle_front_end, "raw") == 0 && set.bundle_rate_hz == 8);
    const loaded_template *first = &set.items[0], *last = &set.items[2];
    CHECK(strcmp(first->label, "up") == 0 && strcmp(first->take, "first.wav") == 0);
    CHECK(first->length == 4 && first->samples[3] == 3 && first->own.frame_dim == 1);
    CHECK(first->own.threshold == 3 && !first->own.auto_threshold);
    CHECK(strcmp(last->label, "down") == 0 && last->own.auto_threshold && last->info.audio);
    templates_free(&set);
    unlink(path);
}

static void bundles_and_options_must_agree_on_frames(void)
{
    char path[64], other[64], renamed[] = "x", part[] = "p";
    template_set set = {0};
    shared_options o = shared_options_defaults();
    const template_spec spec = {0};
    save(path, "a", "raw");
    save(other, "b", "diff");
    CHECK(bundle_takes_load(&set, &o, &spec, path));
    CHECK(!bundle_takes_load(&set, &o, &spec, other));
    o.front_end = "diff";
    CHECK(!bundle_takes_load(&set, &o, &spec, path));
    o.front_end = NULL;
    CHECK(!bundle_takes_load(&set, &o, &(template_spec){.label = renamed}, path));
    CHECK(!bundle_takes_load(&set, &o, &(template_spec){.path = part, .has_range = true}, path));
    CHECK(set.n == 3);
    templates_free(&set);
    unlink(path);
    unlink(other);
}

int main(void)
{
    CHECK(mkdtemp(folder) != NULL);
    RUN(each_take_becomes_a_template);
    RUN(bundles_and_options_must_agree_on_frames);
    rmdir(folder);
    return check_done();
}
