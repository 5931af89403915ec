#include "kernels/multi_device_cut.h"

enum {
    MIN_SHARE = 1 << 16, /* frames */
    MIN_SPACING = 1024,  /* frames; no kernel has a longer spacing, but for a longer history */
    WARM = 8             /* lengths of the longest template */
};

static size_t round_up(size_t n, size_t to)
{
    return (n + to - 1) / to * to;
}

/* A share holds all checkpoints that the search may read from the device that swept it. */
share_rule share_rule_of(const kernel_plan *plan)
{
    share_rule rule = {.members = (size_t)plan->devices, .spacing = MIN_SPACING};
    size_t longest = 0, history = 0;
    for (size_t j = 0; j < plan->n_templates; j++) {
        if (plan->templates[j].length > longest) longest = plan->templates[j].length;
        if (plan->templates[j].history > history) history = plan->templates[j].history;
    }
    while (rule.spacing < history) rule.spacing *= 2;
    rule.warm = round_up(WARM * longest, rule.spacing);
    rule.least = round_up(MIN_SHARE, rule.spacing);
    if (rule.least < 4 * rule.warm) rule.least = 4 * rule.warm;
    if (rule.least < history + 2 * rule.spacing)
        rule.least = round_up(history + 2 * rule.spacing, rule.spacing);
    return rule;
}

size_t share_max_frames(const share_rule *rule, size_t max_chunk)
{
    const size_t share = max_chunk / rule->members + 2 * rule->spacing + rule->warm;
    const size_t longest = share > 3 * rule->least ? share : 3 * rule->least;
    return longest < max_chunk ? longest : max_chunk;
}

size_t share_count(const share_rule *rule, size_t n)
{
    const size_t count = n / rule->least;
    if (count > rule->members) return rule->members;
    return count < 1 ? 1 : count;
}

size_t share_cut(const share_rule *rule, device_share *shares, uint64_t from, size_t n,
                 size_t first)
{
    const uint64_t to = from + n;
    const size_t count = share_count(rule, n);
    uint64_t at = from;
    for (size_t i = 0; i < count; i++) {
        uint64_t end = from + n / count * (i + 1);
        end = i + 1 < count ? end / rule->spacing * rule->spacing : to;
        shares[i] = (device_share){.device = (first + i) % rule->members,
                                   .from = at,
                                   .to = end,
                                   .begin = i ? at - rule->warm : at,
                                   .cold = i > 0};
        at = end;
    }
    return count;
}
