/* Inputs that are searched at once are printed in order, whatever they hold. */
#include "check.h"
#include "filter/cli/turn.h"

#include <pthread.h>
#include <string.h>

enum { WORKERS = 4, INPUTS = 200 };

static turnstile stile;
static atomic_size_t next;
static char printed[INPUTS * 64];
static size_t length;

static void print(void *user, const void *data, size_t n)
{
    CHECK(user == printed);
    memcpy(printed + length, data, n);
    length += n;
}

/* Input k prints "k:0 k:1 k:2 \n". */
static void *work(void *user)
{
    size_t k;
    turn t;
    (void)user;
    while ((k = atomic_fetch_add(&next, 1)) < INPUTS) {
        char text[32];
        turn_begin(&t, &stile, k);
        for (int part = 0; part < 3; part++) {
            turn_do(&t, print, printed, text, (size_t)sprintf(text, "%zu:%d ", k, part));
            if (k % 7 == 3) turn_wait(&t);
            if (k % 5 == 1) turn_look(&t);
        }
        turn_do(&t, print, printed, "\n", 1);
        turn_end(&t);
    }
    return NULL;
}

static void prints_in_order(void)
{
    pthread_t threads[WORKERS];
    char expected[64];
    size_t at = 0;
    turnstile_init(&stile);
    for (int i = 0; i < WORKERS; i++) CHECK(pthread_create(&threads[i], NULL, work, NULL) == 0);
    for (int i = 0; i < WORKERS; i++) pthread_join(threads[i], NULL);
    for (int k = 0; k < INPUTS; k++) {
        const int n = sprintf(expected, "%d:0 %d:1 %d:2 \n", k, k, k);
        CHECK(memcmp(printed + at, expected, (size_t)n) == 0);
        at += (size_t)n;
    }
    CHECK(at == length);
    turnstile_destroy(&stile);
}

/* Counts calls, and their bytes. */
static void count(void *user, const void *data, size_t n)
{
    size_t *calls = user;
    (void)data;
    calls[0]++;
    calls[1] += n;
}

static void holds_a_bounded_amount(void)
{
    static const char data[1 << 16];
    size_t calls[2] = {0}, held = 0;
    turn first = {0}, second = {0};
    turnstile_init(&stile);
    turn_begin(&first, &stile, 0);
    turn_begin(&second, &stile, 1);
    CHECK(!turn_hold(&first, count, calls, data, sizeof data)); /* it is its turn */
    while (turn_hold(&second, count, calls, data, sizeof data)) held++;
    CHECK(held == TURN_HELD / sizeof data - 1);
    CHECK(calls[0] == 0);
    turn_end(&first);
    turn_look(&second);
    CHECK(calls[0] == held);
    CHECK(calls[1] == held * sizeof data);
    turn_end(&second);
    turnstile_destroy(&stile);
}

static void drops_what_is_held(void)
{
    size_t calls[2] = {0};
    turn first = {0}, second = {0};
    turnstile_init(&stile);
    turn_begin(&first, &stile, 0);
    turn_begin(&second, &stile, 1);
    turn_do(&second, count, calls, NULL, 0);
    turn_drop(&second);
    turn_end(&first);
    turn_end(&second);
    CHECK(calls[0] == 0);
    turnstile_destroy(&stile);
}

int main(void)
{
    RUN(prints_in_order);
    RUN(holds_a_bounded_amount);
    RUN(drops_what_is_held);
    return check_done();
}
