#include "tools/common/templates/template_set.h"

#include <stdlib.h>
#include <string.h>

#include "tools/common/input/open_input.h"
#include "tools/common/messages/messages.h"

uint64_t template_kept(const loaded_template *t)
{
    if (t->own.frame_dim) return t->length * t->hop;
    return t->end ? t->end - t->begin : t->length;
}

double templates_cells(const template_set *set)
{
    double rows = 0;
    for (size_t i = 0; i < set->n; i++) rows += (double)template_kept(&set->items[i]);
    return rows * (double)set->channels;
}

void loaded_template_free(loaded_template *t)
{
    free(t->path);
    free(t->take);
    free(t->label);
    if (t->shares_samples) return;
    free(t->samples);
    free(t->doubles);
}

void templates_free(template_set *set)
{
    for (size_t i = 0; i < set->n; i++) loaded_template_free(&set->items[i]);
    free(set->items);
    free(set->bundle_front_end);
    *set = (template_set){0};
}

/* All templates are searched in the same samples, so they must have the same channels. Those of
 * other rates are resampled to the lowest, the band that all have; or to a bundle's rate, since
 * frames cannot be resampled. */
static bool agree(template_set *set, loaded_template *t)
{
    source_info *info = &t->info;
    if (set->n == 0) {
        set->channels = info->channels;
    } else if (!input_has_channels(t->path, info, set->items[0].path, set->channels, false)) {
        return false;
    }
    if (set->names[1] == 0) memcpy(set->names, info->names, sizeof set->names);
    if (!input_has_order(t->path, info, set->items[0].path, set->names)) return false;
    if (!info->rate_known) return true;
    if (info->rate_measured && set->rate_known &&
        source_rates_are_near(info->rate_hz, set->rate_hz))
        info->rate_hz = set->rate_hz;
    const bool lowest = !set->rate_known || info->rate_hz < set->rate_hz;
    const bool is_fixed = set->bundle && set->bundle_rate_hz > 0;
    if (t->own.frame_dim || (lowest && !is_fixed)) set->rate_hz = info->rate_hz;
    set->rate_known = true;
    return true;
}

static size_t find_label(const template_set *set, const char *label)
{
    size_t i = 0;
    while (i < set->n && strcmp(set->items[i].label, label) != 0) i++;
    return i;
}

size_t templates_of_label(const template_set *set, const loaded_template *t)
{
    size_t n = 0;
    for (size_t i = t->first_of_label; i < set->n; i++)
        n += set->items[i].first_of_label == t->first_of_label;
    return n;
}

bool templates_add(template_set *set, loaded_template *t)
{
    loaded_template *items = realloc(set->items, (set->n + 1) * sizeof *items);
    if (items) set->items = items;
    const bool good = items ? agree(set, t) : report_no_memory(t->path);
    if (!good) {
        loaded_template_free(t);
        return false;
    }
    t->first_of_label = find_label(set, t->label);
    set->n_labels += t->first_of_label == set->n;
    items[set->n++] = *t;
    return true;
}
