/* What a user of the library writes: find a template in a stream that holds it once, and compare
 * two strings. */
#include <math.h>
#include <sigrep.h>
#include <sigrep_text.h>
#include <stdio.h>

static int count(void *user, const sigrep_match *match)
{
    printf("%s %llu-%llu\n", match->label, (unsigned long long)match->start,
           (unsigned long long)match->end);
    *(int *)user += 1;
    return 0;
}

int main(void)
{
    float bump[32], stream[300] = {0};
    for (int i = 0; i < 32; i++) {
        bump[i] = 2 + sinf((float)i * 0.2f);
        stream[100 + i] = bump[i];
    }

    int found = 0;
    const sigrep_template bump_template = {.size = sizeof(sigrep_template),
                                           .label = "bump",
                                           .samples = bump,
                                           .length = 32,
                                           .threshold = 0.01};
    sigrep_config config;
    sigrep_config_init(&config, sizeof config);
    config.templates = &bump_template;
    config.n_templates = 1;
    config.on_match = count;
    config.user = &found;

    sigrep *search;
    sigrep_error error;
    sigrep_status status = sigrep_create(&search, &config, &error);
    if (status != SIGREP_OK) {
        fprintf(stderr, "%s: %s\n", sigrep_status_text(status), error.text);
        return 2;
    }
    status = sigrep_push(search, stream, 300);
    if (status == SIGREP_OK) status = sigrep_finish(search);
    sigrep_destroy(search);

    double edits;
    if (sigrep_text_align("kitten", 6, "sitting", 7, NULL, &edits, NULL, NULL) || edits != 3)
        return 3;
    return status == SIGREP_OK && found == 1 ? 0 : 1;
}
