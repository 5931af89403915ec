/* kernels/multi_device_cut.c: pieces cover their step, and no member gets more than it was made
 * for. */
#include "kernels/multi_device_cut.h"

#include "tests/check.h"

enum { MOST_MEMBERS = 9 };

/* Is this how the step is to be cut? */
static bool is_cut(const group_rule *rule, uint64_t from, size_t n, size_t longest, size_t first)
{
    group_piece pieces[MOST_MEMBERS];
    const size_t count = group_cut(rule, pieces, from, n, first);
    uint64_t at = from;
    bool good = count >= 1 && count <= rule->members && count == group_count(rule, n);
    for (size_t i = 0; i < count; i++) {
        const group_piece *p = &pieces[i];
        good = good && p->from == at && p->to > p->from;
        good = good && p->device == (first + i) % rule->members;
        good = good && p->cold == (i > 0) && p->begin == (i ? p->from - rule->warm : p->from);
        good = good && (!i || p->from % rule->spacing == 0);
        good = good && p->to - p->begin <= longest;
        at = p->to;
    }
    return good && at == from + n;
}

static void pieces_cover_the_step(void)
{
    uint64_t random = check_seed("pieces_cover_the_step");
    for (int turn = 0; turn < 2000; turn++) {
        const size_t m = 1 + check_below(&random, 5000);
        const kernel_template templates[] = {{.length = 3, .history = turn % 2 ? 100000 : 6},
                                             {.length = m, .history = 2 * m}};
        const kernel_plan plan = {.templates = templates,
                                  .n_templates = 2,
                                  .devices = 1 + (int)check_below(&random, MOST_MEMBERS)};
        const group_rule rule = group_rule_of(&plan);
        CHECK(rule.spacing >= templates[0].history && rule.spacing >= 2 * m);
        CHECK(rule.warm % rule.spacing == 0 && rule.least % rule.spacing == 0);
        const size_t most = 1 + check_below(&random, 1 << 23);
        const size_t n = turn % 3 ? 1 + check_below(&random, most) : most;
        const size_t first = check_below(&random, (uint64_t)plan.devices);
        const uint64_t from = check_below(&random, (uint64_t)1 << 40);
        CHECK_MSG(is_cut(&rule, from, n, group_longest(&rule, most), first),
                  "%d members, m = %zu, %zu of %zu frames", plan.devices, m, n, most);
    }
}

static void short_steps_are_not_cut(void)
{
    const kernel_template template = {.length = 10, .history = 20};
    const kernel_plan plan = {.templates = &template, .n_templates = 1, .devices = 4};
    const group_rule rule = group_rule_of(&plan);
    CHECK(group_count(&rule, 1) == 1 && group_count(&rule, 2 * rule.least - 1) == 1);
    CHECK(group_count(&rule, 2 * rule.least) == 2 && group_count(&rule, 99 * rule.least) == 4);
}

int main(void)
{
    RUN(pieces_cover_the_step);
    RUN(short_steps_are_not_cut);
    return check_done();
}
