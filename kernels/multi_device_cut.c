#include "kernels/multi_device_cut.h"

enum {
    LEAST_PIECE = 1 << 16, /* frames */
    LEAST_SPACING = 1024,  /* or the history, where that is more: no kernel keeps fewer columns */
    WARM = 8               /* lengths of the longest template */
};

static size_t round_up(size_t n, size_t to)
{
    return (n + to - 1) / to * to;
}

/* A piece has to hold all that may be asked of the device that swept it. */
group_rule group_rule_of(const kernel_plan *plan)
{
    group_rule rule = {.members = (size_t)plan->devices, .spacing = LEAST_SPACING};
    size_t longest = 0, history = 0;
    for (size_t j = 0; j < plan->n_templates; j++) {
        if (plan->templates[j].length > longest) longest = plan->templates[j].length;
        if (plan->templates[j].history > history) history = plan->templates[j].history;
    }
    while (rule.spacing < history) rule.spacing *= 2;
    rule.warm = round_up(WARM * longest, rule.spacing);
    rule.least = round_up(LEAST_PIECE, rule.spacing);
    if (rule.least < 4 * rule.warm) rule.least = 4 * rule.warm;
    if (rule.least < history + 2 * rule.spacing)
        rule.least = round_up(history + 2 * rule.spacing, rule.spacing);
    return rule;
}

size_t group_longest(const group_rule *rule, size_t max_chunk)
{
    const size_t share = max_chunk / rule->members + 2 * rule->spacing + rule->warm;
    const size_t longest = share > 3 * rule->least ? share : 3 * rule->least;
    return longest < max_chunk ? longest : max_chunk;
}

size_t group_count(const group_rule *rule, size_t n)
{
    const size_t count = n / rule->least;
    if (count > rule->members) return rule->members;
    return count < 1 ? 1 : count;
}

size_t group_cut(const group_rule *rule, group_piece *pieces, uint64_t from, size_t n, size_t first)
{
    const uint64_t to = from + n;
    const size_t count = group_count(rule, n);
    uint64_t at = from;
    for (size_t i = 0; i < count; i++) {
        uint64_t end = from + n / count * (i + 1);
        end = i + 1 < count ? end / rule->spacing * rule->spacing : to;
        pieces[i] = (group_piece){.device = (first + i) % rule->members,
                                  .from = at,
                                  .to = end,
                                  .begin = i ? at - rule->warm : at,
                                  .cold = i > 0};
        at = end;
    }
    return count;
}
