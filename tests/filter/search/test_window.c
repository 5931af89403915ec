/* filter/search/window.c: which frames it shows. */
#include <stdbool.h>
#include <string.h>
#include <unistd.h>

#include "filter/search/window.h"
#include "tests/check.h"

enum { OVERLAP = 5, CHUNK = 3, CAPACITY = OVERLAP + CHUNK, STREAM = 100, MOST_DIM = 3 };

/* Value k of frame t, all distinct. */
static float value(size_t t, size_t k)
{
    return (float)(t * MOST_DIM + k);
}

static void make_stream(float *frames, size_t n, size_t dim)
{
    for (size_t t = 0; t < n; t++)
        for (size_t k = 0; k < dim; k++) frames[t * dim + k] = value(t, k);
}

/* Every frame that the window promises, seen from every position, is the stream's. */
static bool sees_all(const window *w)
{
    uint64_t oldest = w->end > w->capacity ? w->end - w->capacity : 0;
    for (uint64_t from = oldest; from < w->end; from++) {
        const float *seen = window_at(w, from);
        for (uint64_t t = from; t < w->end; t++)
            for (size_t k = 0; k < w->dim; k++)
                if (seen[(t - from) * w->dim + k] != value((size_t)t, k)) return false;
    }
    return true;
}

/* Frames [from, to) are seen in one piece. */
static bool sees(const window *w, uint64_t from, uint64_t to)
{
    const float *seen = window_at(w, from);
    for (uint64_t t = from; t < to; t++)
        if (seen[t - from] != value((size_t)t, 0)) return false;
    return true;
}

/* n more frames, in pieces, appended or written in place. */
static void append_pieces(window *w, const float *stream, size_t n, uint64_t *random)
{
    while (n) {
        size_t now = 1 + check_below(random, n);
        if (check_below(random, 2)) {
            window_append(w, stream + w->end, now);
        } else {
            memcpy(window_space(w), stream + w->end, now * sizeof *stream);
            window_filled(w, now);
        }
        n -= now;
    }
}

static void any_cutting_gives_the_same_views(void)
{
    uint64_t random = check_seed("test_window");
    for (size_t dim = 1; dim <= MOST_DIM; dim++) {
        float stream[STREAM * MOST_DIM];
        make_stream(stream, STREAM, dim);
        for (int cutting = 0; cutting < 100; cutting++) {
            window w;
            CHECK(window_create(&w, dim, OVERLAP, CHUNK) == SIGREP_OK);
            CHECK(w.capacity == CAPACITY);
            while (w.end < STREAM) {
                size_t n = check_below(&random, CAPACITY + 1);
                if (n > STREAM - w.end) n = (size_t)(STREAM - w.end);
                uint64_t before = w.end;
                window_append(&w, stream + w.end * dim, n);
                CHECK(w.end == before + n);
                CHECK(sees_all(&w));
            }
            window_free(&w);
        }
    }
}

/* After a reserve the frames from `oldest` on stay in place while n more come. Those from `next` on
 * are contiguous with the new ones. */
static void what_is_reserved_is_appended_without_a_move(void)
{
    float stream[STREAM];
    uint64_t random = check_seed("reserve");
    make_stream(stream, STREAM, 1);
    for (int cutting = 0; cutting < 400; cutting++) {
        window w;
        uint64_t next = 0;
        CHECK(window_create(&w, 1, OVERLAP, CHUNK) == SIGREP_OK);
        while (w.end + CAPACITY < STREAM) {
            const uint64_t end = w.end;
            const uint64_t oldest = next + check_below(&random, (size_t)(end - next) + 1);
            const size_t n = CAPACITY - (size_t)(end - oldest);
            next = oldest + check_below(&random, (size_t)(end - oldest) + 1);
            window_reserve(&w, oldest, next, n);
            const float *seen = window_at(&w, oldest);
            append_pieces(&w, stream, n, &random);
            CHECK(window_at(&w, oldest) == seen && sees(&w, oldest, end));
            CHECK(sees(&w, next, w.end));
            if (w.end - next > CAPACITY) next = w.end - CAPACITY;
        }
        window_free(&w);
    }
}

/* The window holds a chunk at work and the next one. Only the overlap is copied, and the chunk at
 * work stays where it was appended. */
static void a_chunk_at_work_is_never_moved(void)
{
    enum { LONG = 7 };
    float stream[STREAM];
    window w;
    size_t turns = 0;
    make_stream(stream, STREAM, 1);
    CHECK(window_create(&w, 1, OVERLAP + LONG, LONG) == SIGREP_OK);
    while (w.end + LONG < STREAM) {
        const uint64_t begin = w.end, oldest = begin > OVERLAP ? begin - OVERLAP : 0;
        const float *place = window_space(&w);
        window_append(&w, stream + begin, LONG);
        window_reserve(&w, oldest, w.end > OVERLAP ? w.end - OVERLAP : 0, LONG);
        CHECK(window_at(&w, begin) == place && sees(&w, oldest, w.end));
        turns += window_at(&w, w.end) == w.frames + OVERLAP;
    }
    CHECK(turns > 2);
    window_free(&w);
}

/* From the last slot of the ring on the frames are contiguous. */
static void a_view_over_the_wrap_is_contiguous(void)
{
    float stream[2 * CAPACITY];
    make_stream(stream, 2 * CAPACITY, 1);
    window w;
    CHECK(window_create(&w, 1, OVERLAP, CHUNK) == SIGREP_OK);
    window_append(&w, stream, CAPACITY);
    window_append(&w, stream + CAPACITY, CAPACITY - 1);
    const float *seen = window_at(&w, CAPACITY - 1); /* slot CAPACITY - 1 */
    for (size_t i = 0; i < CAPACITY; i++) CHECK(seen[i] == value(CAPACITY - 1 + i, 0));
    window_free(&w);
}

/* n = capacity from the middle of the ring: both halves land where they belong. */
static void a_whole_capacity_may_be_appended_at_any_slot(void)
{
    float stream[3 * CAPACITY];
    make_stream(stream, 3 * CAPACITY, 1);
    for (size_t head = 0; head < CAPACITY; head++) {
        window w;
        CHECK(window_create(&w, 1, OVERLAP, CHUNK) == SIGREP_OK);
        window_append(&w, stream, head);
        window_append(&w, stream + head, CAPACITY);
        CHECK(w.end == head + CAPACITY);
        CHECK(sees_all(&w));
        window_free(&w);
    }
}

static void reset_begins_at_position_0(void)
{
    float stream[STREAM];
    make_stream(stream, STREAM, 1);
    window w;
    CHECK(window_create(&w, 1, OVERLAP, CHUNK) == SIGREP_OK);
    window_append(&w, stream + 50, 7);
    window_reset(&w, 0);
    CHECK(w.end == 0);
    window_append(&w, stream, 4);
    CHECK(w.end == 4 && sees_all(&w));
    window_free(&w);
}

/* The end is a valid position, one after the last frame and inside the memory. */
static void the_end_is_a_position(void)
{
    float stream[2 * CAPACITY];
    make_stream(stream, 2 * CAPACITY, 1);
    window w;
    CHECK(window_create(&w, 1, OVERLAP, CHUNK) == SIGREP_OK);
    window_append(&w, stream, CAPACITY - 1);
    CHECK(window_at(&w, w.end) == window_at(&w, 0) + CAPACITY - 1);
    window_free(&w);
}

/* Regression: windows_that_shared_a_page. Of two of them only one could be pinned, and a device
 * that fetched from the other one met a page that is pinned and one that is not. */
static void windows_share_no_page(void)
{
    const size_t page = (size_t)sysconf(_SC_PAGESIZE);
    for (size_t chunk = 1; chunk <= 1 << 16; chunk *= 3) {
        window w;
        CHECK(window_create(&w, 1, OVERLAP, chunk) == SIGREP_OK);
        CHECK((uintptr_t)w.frames % page == 0);
        window_free(&w);
    }
}

/* The memory holds twice the capacity, so half of SIZE_MAX is too much. */
static void absurd_sizes_are_no_memory(void)
{
    static const size_t sizes[][3] = {{1, SIZE_MAX, 2},
                                      {1, SIZE_MAX / 2, SIZE_MAX / 2},
                                      {1, 0, SIZE_MAX / 8 + 1},
                                      {4096, 0, SIZE_MAX / 8 / 4096 + 1},
                                      {SIZE_MAX / 16, 1, 2}};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        window w;
        CHECK(window_create(&w, sizes[i][0], sizes[i][1], sizes[i][2]) == SIGREP_NO_MEMORY);
        CHECK(!w.frames);
        window_free(&w);
    }
}

int main(void)
{
    RUN(any_cutting_gives_the_same_views);
    RUN(what_is_reserved_is_appended_without_a_move);
    RUN(a_chunk_at_work_is_never_moved);
    RUN(a_view_over_the_wrap_is_contiguous);
    RUN(a_whole_capacity_may_be_appended_at_any_slot);
    RUN(reset_begins_at_position_0);
    RUN(the_end_is_a_position);
    RUN(windows_share_no_page);
    RUN(absurd_sizes_are_no_memory);
    return check_done();
}
