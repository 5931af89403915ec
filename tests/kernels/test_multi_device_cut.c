/* kernels/multi_device.c: shares cover their chunk, and no member gets a longer one than it was
 * created for. */
#include "kernels/multi_device.h"
#include "tests/check.h"

enum { MOST_MEMBERS = 9 };

/* Do the shares follow the rule? */
static bool is_cut(const share_rule *rule, uint64_t from, size_t n, size_t longest, size_t first)
{
    device_share shares[MOST_MEMBERS];
    const size_t count = share_cut(rule, shares, from, n, first);
    uint64_t at = from;
    bool good = count >= 1 && count <= rule->members && count == share_count(rule, n);
    for (size_t i = 0; i < count; i++) {
        const device_share *p = &shares[i];
        good = good && p->from == at && p->to > p->from;
        good = good && p->device == (first + i) % rule->members;
        good = good && p->cold == (i > 0) && p->begin == (i ? p->from - rule->warm : p->from);
        good = good && (!i || p->from % rule->spacing == 0);
        good = good && p->to - p->begin <= longest;
        at = p->to;
    }
    return good && at == from + n;
}

static void shares_cover_the_chunk(void)
{
    uint64_t random = check_seed("shares_cover_the_chunk");
    for (int turn = 0; turn < 2000; turn++) {
        const size_t m = 1 + check_below(&random, 5000);
        const kernel_template templates[] = {{.length = 3, .history = turn % 2 ? 100000 : 6},
                                             {.length = m, .history = 2 * m}};
        const kernel_plan plan = {.templates = templates,
                                  .n_templates = 2,
                                  .devices = 1 + (int)check_below(&random, MOST_MEMBERS)};
        const share_rule rule = share_rule_of(&plan);
        CHECK(rule.spacing >= templates[0].history && rule.spacing >= 2 * m);
        CHECK(rule.warm % rule.spacing == 0 && rule.least % rule.spacing == 0);
        const size_t most = 1 + check_below(&random, 1 << 23);
        const size_t n = turn % 3 ? 1 + check_below(&random, most) : most;
        const size_t first = check_below(&random, (uint64_t)plan.devices);
        const uint64_t from = check_below(&random, (uint64_t)1 << 40);
        CHECK_MSG(is_cut(&rule, from, n, share_max_frames(&rule, most), first),
                  "%d members, m = %zu, %zu of %zu frames", plan.devices, m, n, most);
    }
}

static void short_chunks_are_not_cut(void)
{
    const kernel_template template = {.length = 10, .history = 20};
    const kernel_plan plan = {.templates = &template, .n_templates = 1, .devices = 4};
    const share_rule rule = share_rule_of(&plan);
    CHECK(share_count(&rule, 1) == 1 && share_count(&rule, 2 * rule.least - 1) == 1);
    CHECK(share_count(&rule, 2 * rule.least) == 2 && share_count(&rule, 99 * rule.least) == 4);
}

int main(void)
{
    RUN(shares_cover_the_chunk);
    RUN(short_chunks_are_not_cut);
    return check_done();
}
