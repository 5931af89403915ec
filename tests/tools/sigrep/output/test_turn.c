/* Inputs that are searched at once are printed in order, whatever they hold. */
#include "check.h"
#include "tools/sigrep/output/turn.h"

#include <pthread.h>
#include <string.h>

enum { WORKERS = 4, INPUTS = 200 };

static turnstile stile;
static atomic_bool over;
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
    turnstile_init(&stile, &over);
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
    turnstile_init(&stile, &over);
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

/* An input that has ended does not wait for its turn: its thread goes on with another one. */
static void leaves_what_it_holds(void)
{
    turn first = {0}, other = {0};
    length = 0;
    turnstile_init(&stile, &over);
    turn_begin(&first, &stile, 0);
    for (size_t k = 1; k < TURN_AHEAD; k++) {
        char text[8];
        turn_begin(&other, &stile, k);
        turn_do(&other, print, printed, text, (size_t)sprintf(text, "%zu ", k));
        turn_end(&other);
    }
    CHECK(length == 0);
    turn_do(&first, print, printed, "0 ", 2);
    turn_end(&first);
    CHECK(memcmp(printed, "0 1 2 3 4 5 6 7 8 9 10 11 ", 26) == 0);
    CHECK(stile.number == TURN_AHEAD && stile.left_bytes == 0);
    turnstile_destroy(&stile);
}

static size_t left_bytes(void)
{
    pthread_mutex_lock(&stile.lock);
    const size_t n = stile.left_bytes;
    pthread_mutex_unlock(&stile.lock);
    return n;
}

enum { LARGE = TURN_HELD / 2, MANY = 4 * (TURN_LEFT / TURN_HELD) };

/* Ends more large inputs than may be left. */
static void *end_many(void *user)
{
    static const char data[LARGE];
    turn t = {0};
    for (size_t k = 1; k < MANY; k++) {
        turn_begin(&t, &stile, k);
        turn_do(&t, count, user, data, sizeof data);
        turn_end(&t);
        CHECK(left_bytes() <= TURN_LEFT);
    }
    return NULL;
}

static void leaves_a_bounded_amount(void)
{
    size_t calls[2] = {0};
    pthread_t thread;
    turn first = {0};
    turnstile_init(&stile, &over);
    turn_begin(&first, &stile, 0);
    CHECK(pthread_create(&thread, NULL, end_many, calls) == 0);
    while (left_bytes() <= TURN_LEFT - 2 * TURN_HELD) continue;
    CHECK(calls[0] == 0);
    turn_end(&first);
    pthread_join(thread, NULL);
    CHECK(calls[0] == MANY - 1 && calls[1] == (MANY - 1) * LARGE);
    turnstile_destroy(&stile);
}

/* However little they hold. */
static void *end_more_than_may_be_ahead(void *user)
{
    turn t = {0};
    for (size_t k = 1; k < 2 * TURN_AHEAD; k++) {
        turn_begin(&t, &stile, k);
        turn_do(&t, count, user, &k, sizeof k);
        turn_end(&t);
    }
    return NULL;
}

static void is_a_bounded_number_ahead(void)
{
    size_t calls[2] = {0};
    pthread_t thread;
    turn first = {0};
    turnstile_init(&stile, &over);
    turn_begin(&first, &stile, 0);
    CHECK(pthread_create(&thread, NULL, end_more_than_may_be_ahead, calls) == 0);
    while (left_bytes() == 0) continue;
    turn_end(&first);
    pthread_join(thread, NULL);
    CHECK(calls[0] == 2 * TURN_AHEAD - 1);
    turnstile_destroy(&stile);
}

/* A turn_fn. */
static void end_run(void *user, const void *data, size_t n)
{
    (void)data;
    (void)n;
    atomic_store((atomic_bool *)user, true);
}

/* Also if the run ends by what an input has left. */
static void does_nothing_once_the_run_is_over(void)
{
    size_t calls[2] = {0};
    turn first = {0}, second = {0}, third = {0};
    turnstile_init(&stile, &over);
    turn_begin(&first, &stile, 0);
    turn_begin(&second, &stile, 1);
    turn_begin(&third, &stile, 2);
    turn_do(&second, count, calls, NULL, 0);
    turn_do(&second, end_run, &over, NULL, 0);
    turn_do(&second, count, calls, NULL, 0);
    turn_do(&third, count, calls, NULL, 0);
    turn_end(&second);
    turn_end(&first);
    turn_end(&third);
    CHECK(calls[0] == 1 && stile.number == 3);
    turnstile_destroy(&stile);
    atomic_store(&over, false);
}

int main(void)
{
    RUN(prints_in_order);
    RUN(holds_a_bounded_amount);
    RUN(leaves_what_it_holds);
    RUN(leaves_a_bounded_amount);
    RUN(is_a_bounded_number_ahead);
    RUN(does_nothing_once_the_run_is_over);
    return check_done();
}
