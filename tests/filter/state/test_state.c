/* filter/state/state.c: values go out and come back; what is refused as a whole is in
 * tests/filter/session/test_session_state.c. */
#include "filter/state/state.h"

#include <math.h>
#include <string.h>

#include "tests/check.h"

typedef struct {
    bool flag;
    int int_flag;
    uint64_t whole;
    int64_t negative;
    size_t size;
    float floats[3];
    double doubles[2];
} values;

static void pass(state_bytes *st, values *v)
{
    state_flag(st, &v->flag);
    state_int_flag(st, &v->int_flag);
    state_u64(st, &v->whole);
    state_i64(st, &v->negative);
    state_size(st, &v->size);
    state_floats(st, v->floats, 3);
    state_doubles(st, v->doubles, 2);
}

static void what_is_read_is_what_was_written(void)
{
    const values wanted = {
        true, 1, UINT64_MAX - 1, INT64_MIN + 1, SIZE_MAX, {1, -0.f, 1e-40f}, {0.1, -INFINITY}};
    values out = wanted, in = {0};
    state_bytes to = {0}, from = {0};
    state_begin_writing(&to);
    pass(&to, &out);
    CHECK(state_end(&to, NULL) == SIGREP_OK);
    CHECK(to.at == 40 + 2 + 3 * 8 + 3 * 4 + 2 * 8 + 4); /* no byte more */
    CHECK(state_begin_reading(&from, to.to, to.at, NULL) == SIGREP_OK);
    pass(&from, &in);
    CHECK(state_end(&from, NULL) == SIGREP_OK);
    CHECK(in.flag && in.int_flag == 1 && in.whole == wanted.whole);
    CHECK(in.negative == wanted.negative && in.size == wanted.size);
    CHECK(memcmp(in.floats, wanted.floats, sizeof in.floats) == 0);
    CHECK(memcmp(in.doubles, wanted.doubles, sizeof in.doubles) == 0);
    state_free(&to);
}

static void numbers_are_little_endian(void)
{
    uint64_t whole = 0x0102030405060708;
    float real = 1;
    static const unsigned char wanted[] = {8, 7, 6, 5, 4, 3, 2, 1, 0, 0, 0x80, 0x3f};
    state_bytes to = {0};
    state_begin_writing(&to);
    const size_t begin = to.at;
    state_u64(&to, &whole);
    state_floats(&to, &real, 1);
    CHECK(memcmp(to.to + begin, wanted, sizeof wanted) == 0);
    state_free(&to);
}

/* A state of one value, and more reads than that. */
static void after_the_end_all_is_0(void)
{
    uint64_t one = 1, read = 7;
    sigrep_error error;
    state_bytes to = {0}, from = {0};
    state_begin_writing(&to);
    state_u64(&to, &one);
    state_end(&to, NULL);
    CHECK(state_begin_reading(&from, to.to, to.at, NULL) == SIGREP_OK);
    state_u64(&from, &read);
    CHECK(read == 1 && state_is_right(&from));
    state_u64(&from, &read);
    CHECK(read == 0 && !state_is_right(&from));
    CHECK(state_end(&from, &error) == SIGREP_BAD_STATE && strstr(error.text, "damaged"));
    state_free(&to);
}

static void bytes_that_nobody_reads_are_wrong(void)
{
    uint64_t one = 1;
    state_bytes to = {0}, from = {0};
    state_begin_writing(&to);
    state_u64(&to, &one);
    state_end(&to, NULL);
    CHECK(state_begin_reading(&from, to.to, to.at, NULL) == SIGREP_OK);
    CHECK(state_end(&from, NULL) == SIGREP_BAD_STATE);
    state_free(&to);
}

/* So nobody allocates more than the state is long. */
static void a_count_is_never_more_than_there_is(void)
{
    for (size_t n = 0; n < 6; n++) {
        uint64_t value = 0;
        size_t count = n;
        state_bytes to = {0}, from = {0};
        state_begin_writing(&to);
        state_count(&to, &count, 8);
        for (int i = 0; i < 3; i++) state_u64(&to, &value);
        state_end(&to, NULL);
        state_begin_reading(&from, to.to, to.at, NULL);
        state_count(&from, &count, 8);
        CHECK(state_is_right(&from) == (n <= 3) && count == (n <= 3 ? n : 0));
        state_free(&to);
    }
}

static void a_flag_is_0_or_1(void)
{
    bool flag = true;
    state_bytes to = {0}, from = {0};
    for (int wrong = 0; wrong < 2; wrong++) {
        state_begin_writing(&to);
        state_flag(&to, &flag);
        state_end(&to, NULL);
        state_begin_reading(&from, to.to, to.at, NULL);
        if (wrong) to.to[40] = 2;
        state_flag(&from, &flag);
        CHECK(state_is_right(&from) == !wrong && flag == !wrong);
    }
    state_free(&to);
}

static void the_hash_is_everybodys(void)
{
    CHECK(state_hash(STATE_HASH, "", 0) == 0xcbf29ce484222325u);
    CHECK(state_hash(STATE_HASH, "foobar", 6) == 0x85944171f73967e8u);
    CHECK(state_hash(state_hash(STATE_HASH, "foo", 3), "bar", 3) == 0x85944171f73967e8u);
}

int main(void)
{
    RUN(what_is_read_is_what_was_written);
    RUN(numbers_are_little_endian);
    RUN(after_the_end_all_is_0);
    RUN(bytes_that_nobody_reads_are_wrong);
    RUN(a_count_is_never_more_than_there_is);
    RUN(a_flag_is_0_or_1);
    RUN(the_hash_is_everybodys);
    return check_done();
}
