#include "tools/sigrep-calibrate/places.h"

#include <stdlib.h>

#include "tools/common/input/open_input.h"
#include "tools/common/median.h"
#include "tools/common/messages/messages.h"
#include "tools/common/messages/signals.h"
#include "tools/common/templates/search_setup.h"
#include "tools/sigrep-calibrate/feed.h"

enum { FIRST_CAPACITY = 1024 };
static const double EVERYTHING = 1e30; /* no score is above it */

typedef struct {
    place_list *list;
    const template_set *set;
    shared_options o; /* with any score accepted */
    const char *name; /* of the input */
    source_info info; /* of the input */
} searching;

/* A sigrep_match_fn. */
static int take_match(void *user, const sigrep_match *m)
{
    const searching *s = user;
    place_list *list = s->list;
    if (list->n == list->capacity) {
        const size_t capacity = list->capacity ? 2 * list->capacity : FIRST_CAPACITY;
        double *scores = realloc(list->scores, capacity * sizeof *scores);
        if (!scores) return 1;
        list->scores = scores;
        list->capacity = capacity;
    }
    if (!list->best_input || m->score < list->scores[0]) {
        list->best_input = s->name;
        list->best_s = (double)m->start / s->info.rate_hz;
    }
    list->scores[list->n++] = m->score;
    if (m->score < list->scores[0]) { /* the lowest stays first, until all are sorted */
        list->scores[list->n - 1] = list->scores[0];
        list->scores[0] = m->score;
    }
    return 0;
}

static sigrep *make_search(searching *s)
{
    sigrep *search = NULL;
    sigrep_config config;
    sigrep_error error;
    if (!s->info.rate_known && search_raises_rate(s->name, s->set, &s->o)) return NULL;
    sigrep_template *templates = search_setup(&config, s->set, &s->o, false, s->info.rate_hz);
    if (!templates) {
        report_no_memory(s->name);
        return NULL;
    }
    config.threads = (size_t)s->o.threads;
    config.expected = (double)s->info.frames;
    config.on_match = take_match;
    config.user = s;
    const sigrep_status status = sigrep_create(&search, &config, &error);
    free(templates);
    if (status)
        search_report_failure(s->name, s->info.rate_known, s->set, &s->o, status, &error);
    else
        search_warn_of_low_rate(s->name, s->set, &s->o, s->info.rate_hz);
    return search;
}

/* Is there room for the template in so many samples? If not, reports so. */
static bool is_long_enough(const searching *s, uint64_t samples)
{
    const loaded_template *t = &s->set->items[0];
    const double rate_hz = t->info.rate_known ? t->info.rate_hz : s->info.rate_hz;
    const double own_s = (double)template_kept(t) / rate_hz;
    const double here_s = (double)samples / s->info.rate_hz;
    if (own_s <= here_s) return true;
    report_of(s->name, "%.3g s long, shorter than the template of %.3g s", here_s, own_s);
    return false;
}

static bool search_input(searching *s, const char *path, int wake_fd)
{
    const template_set *set = s->set;
    source_options how = s->o.source;
    const input_needs needs = {.whose = "the template",
                               .channels = set->channels,
                               .rate_hz = set->rate_known ? set->rate_hz : 0};
    how.wake_fd = wake_fd;
    s->name = input_name(path);
    source *src = open_input(path, how, &needs);
    if (!src) return signals_caught();
    s->info = source_get_info(src);
    sigrep *search = make_search(s);
    feed f = {.name = s->name, .duration_s = s->o.duration_s};
    const bool good = search && feed_search(&f, src, search) &&
                      (signals_caught() || is_long_enough(s, f.searched));
    sigrep_destroy(search);
    source_close(src);
    return good;
}

bool places_search(place_list *list, const template_set *set, const shared_options *o)
{
    searching s = {.list = list, .set = set, .o = *o};
    s.o.has_threshold = true;
    s.o.auto_threshold = false;
    s.o.threshold = EVERYTHING;
    *list = (place_list){0};
    const int wake_fd = signals_catch();
    bool good = wake_fd >= 0;
    for (size_t i = 0; i < o->n_inputs && good && !signals_caught(); i++)
        good = search_input(&s, o->inputs[i], wake_fd);
    if (good && signals_caught() && !s.info.microphone)
        report_of(s.name, "warning: interrupted: the rest is not searched");
    sort_ascending(list->scores, list->n);
    return good;
}

void places_free(place_list *list)
{
    free(list->scores);
    *list = (place_list){0};
}
