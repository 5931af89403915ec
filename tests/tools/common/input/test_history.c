#include "tools/common/input/history.h"

#include "check.h"

typedef struct {
    uint64_t number;
    unsigned char last;
} record;

static record nth(uint64_t i)
{
    return (record){.number = i * i, .last = (unsigned char)i};
}

static void add(history *h, size_t n)
{
    static record records[5000];
    for (size_t i = 0; i < n; i++) records[i] = nth(h->count + i);
    CHECK(history_add(h, records, n) == NULL);
}

static bool reads(history *h, uint64_t first, size_t n)
{
    static record records[20000];
    bool same = history_read(h, first, records, n) == NULL;
    for (size_t i = 0; i < n; i++) {
        const record wanted = nth(first + i);
        same = same && records[i].number == wanted.number && records[i].last == wanted.last;
    }
    return same;
}

/* Add and forget at random; what is kept is there, any part of it. */
static void check_kept(bool keeps_all)
{
    uint64_t state = check_seed("check_kept"), first = 0;
    history it, *h = &it;
    CHECK(history_begin(h, sizeof(record), keeps_all));
    for (int i = 0; i < 300; i++) {
        add(h, check_below(&state, 2000));
        const uint64_t count = h->count;
        const uint64_t kept = check_below(&state, 5000);
        if (count > kept && count - kept > first) first = count - kept;
        history_forget(h, first);
        CHECK(h->first == (keeps_all ? 0 : first));
        const uint64_t from = first + check_below(&state, count - first + 1);
        CHECK(reads(h, from, (size_t)check_below(&state, count - from + 1)));
        CHECK(reads(h, first, (size_t)(count - first)));
    }
    if (keeps_all) CHECK(reads(h, 0, 20000));
    history_end(h);
}

static void the_last_records_are_kept(void)
{
    check_kept(false);
}

static void all_records_are_kept(void)
{
    check_kept(true);
}

static void forgetting_goes_no_further_than_what_came(void)
{
    history it, *h = &it;
    CHECK(history_begin(h, sizeof(record), false));
    add(h, 10);
    history_forget(h, 20);
    CHECK(h->first == 10 && h->count == 10);
    history_forget(h, 3);
    CHECK(h->first == 10);
    add(h, 10);
    CHECK(reads(h, 10, 10));
    history_end(h);
}

int main(void)
{
    RUN(the_last_records_are_kept);
    RUN(all_records_are_kept);
    RUN(forgetting_goes_no_further_than_what_came);
    return check_done();
}
