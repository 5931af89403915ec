/*
 * handover_full.cuh - the hand-over sweep (handover.cuh) of samples if every lane has all its R
 * rows, for example if the number of rows is a power of two.
 *
 *     step   [ cells of this step | differences x - y of the next step's first rows ]
 *            [ vote: has any lane more to do after the step? ]  seldom -> after_step()
 *
 * A scheduler has only one or two warps, so nothing hides waits. Therefore the loop has no branch:
 * predicated instructions store checkpoints and end blocks of minima. A vote asks once a step for
 * other work: a segment that begins or ends, scores, a shared block of minima. All lanes compute
 * from the first step on. IN_WARP: all lanes of a segment are in one warp, so no barrier is needed.
 */
#ifndef KERNELS_CUDA_DEVICE_HANDOVER_FULL_CUH
#define KERNELS_CUDA_DEVICE_HANDOVER_FULL_CUH

#include "kernels/cuda/device/handover.cuh"

/* Hides x from the compiler, which would compute it again in each step. */
__device__ __forceinline__ int opaque(int x)
{
    asm volatile("mov.b32 %0, %1;" : "=r"(x) : "r"(x));
    return x;
}

/* The columns before which a lane stores its rows of the state: the segment's first, for the seam,
 * and checkpoints. Each lane of a warp comes there at another step. */
struct stored_columns {
    int next, gap, spacing, last; /* columns: to the one after the next; none is after `last` */
    unsigned slot, mask, apart;   /* the next one's; slots less one; bytes between slots */
    char *base, *checkpoints;     /* the lane's rows in slot 0, for the next one and the others */

    __device__ __forceinline__ stored_columns(const cuda_sweep &it, const place &p)
    {
        const int first = next_checkpoint(it, p.start);
        spacing = opaque(1 << it.checkpoint_shift);
        last = p.held ? it.end : -1;
        mask = it.checkpoint_slots - 1;
        slot = ((int)it.checkpoint_first + ((it.checkpoint_phase + first) >> it.checkpoint_shift)) &
               mask;
        apart = it.checkpoint_rows * sizeof(float);
        base = checkpoints = reinterpret_cast<char *>(it.checkpoints + p.row);
        next = first;
        gap = spacing;
        if (!p.segment) return;
        next = p.start;
        gap = first - p.start;
        slot = (slot - 1) & mask;
        base = reinterpret_cast<char *>(it.before + (size_t)p.segment * it.state_rows + p.row) -
               (unsigned long long)slot * apart;
    }

    /* Store d, the state before column c, if c is such a column. */
    template <int R> __device__ __forceinline__ void store(int c, const float (&d)[R])
    {
        const bool now = c == next && c <= last;
        float *to = reinterpret_cast<float *>(base + (unsigned long long)slot * apart);
#pragma unroll
        for (int r = 0; r < R; r += CUDA_UNIT)
            store_if(now, to + r, d[r], d[r + 1], d[r + 2], d[r + 3]);
        slot = (slot + now) & mask;
        if (now) {
            next += gap;
            gap = spacing;
            base = checkpoints;
        }
    }
};

/* Minima of the last row over whole blocks, by the lane that has it. */
struct whole_minima {
    float low;
    int ends;     /* before this column a block does; INT_MAX: none */
    float *ended; /* minima, less the first block: of the one that ends at column 0 */

    __device__ __forceinline__ void add(const float (&bottom)[CUDA_STEP])
    {
#pragma unroll
        for (int w = 0; w < CUDA_STEP; w += 2) low = least3(low, bottom[w], bottom[w + 1]);
    }

    __device__ __forceinline__ void end(int c)
    {
        if (c == ends) {
            ended[(unsigned)c / CUDA_BLOCK] = low;
            low = INFINITE;
            ends += CUDA_BLOCK;
        }
    }

    /* At column c the whole blocks may begin or end. */
    __device__ __forceinline__ void turn(const cuda_sweep &it, const whole_blocks &whole, int c)
    {
        end(c);
        ends = INT_MAX;
        if (!it.minima || c < whole.from || c >= whole.to) return;
        low = INFINITE;
        ended = it.minima - 1;
        ends = c + CUDA_BLOCK;
    }
};

/* The next column after c at which the last lane's steps change their meaning. */
__device__ __forceinline__ int next_turn(const place &p, const whole_blocks &whole, int c)
{
    if (c < p.start) return p.start;
    if (c < whole.from) return whole.from;
    return c < whole.to ? whole.to : INT_MAX;
}

/* A lane's slots, as in handover.cuh: bytes to that of this step, and of both. */
struct slots {
    int at, both;

    __device__ __forceinline__ slots(int lanes, int lane)
    {
        at = (threadIdx.x / lanes * (lanes + 1) + lane) * CUDA_STEP * sizeof(float);
        both = 2 * at + set_bytes(lanes);
    }

    /* Shared memory after the slots of all lanes. */
    static __device__ __forceinline__ const void *end(int lanes)
    {
        return place(2 * set_bytes(lanes));
    }

    /* Of the slots of one step. */
    static __device__ __forceinline__ int set_bytes(int lanes)
    {
        return (blockDim.x + lanes - 1) / lanes * (lanes + 1) * CUDA_STEP * sizeof(float);
    }

    static __device__ __forceinline__ float *place(int at)
    {
        extern __shared__ float4 shared[];
        return reinterpret_cast<float *>(reinterpret_cast<char *>(shared) + at);
    }

    __device__ __forceinline__ float *mine() const
    {
        return place(at);
    }

    __device__ __forceinline__ float *of_next() const
    {
        return place(both - at);
    }

    __device__ __forceinline__ void turn()
    {
        at = both - at;
    }

    __device__ __forceinline__ void fill(float value) const
    {
#pragma unroll
        for (int w = 0; w < CUDA_STEP; w++) mine()[w] = of_next()[w] = value;
    }
};

/* A lane's columns of the stream. Each is copied to shared memory a step before it is read:
 *
 *     a warp's ring   | slot 0: columns 0..3 of all lanes | columns 4..7 | slot 1 ... |
 */
struct columns {
    static constexpr int FOUR = 32 * 4 * sizeof(float), SLOT = 2 * FOUR,
                         RING = 2 * SLOT; /* bytes */
    const float *next;                    /* to be copied next */
    unsigned slot;                        /* the lane's place there */

    /* memory: shared, a ring for each warp, and one more to align them. */
    __device__ __forceinline__ columns(const float *first, const void *memory) : next(first)
    {
        const unsigned rings =
            ((unsigned)__cvta_generic_to_shared(memory) + RING - 1) / RING * RING;
        slot = rings + threadIdx.x / 32 * RING + threadIdx.x % 32 * 16;
        copy();
    }

    __device__ __forceinline__ void copy()
    {
        copy_four(slot, next);
        copy_four(slot + FOUR, next + 4);
        close_copies();
        next += CUDA_STEP;
        slot ^= SLOT;
    }

    __device__ __forceinline__ void read(float (&y)[CUDA_STEP])
    {
        copy();
        await_copies<1>();
        read_four(y, slot);
        read_four(y + 4, slot + FOUR);
    }
};

/* x - y of the first rows. */
template <int ROWS, int W, int R>
__device__ __forceinline__ void differ(float (&to)[ROWS][W], const float (&x)[R],
                                       const float (&y)[W])
{
#pragma unroll
    for (int r = 0; r < ROWS; r++)
#pragma unroll
        for (int w = 0; w < W; w++) to[r][w] = cell_difference(x[r], y[w]);
}

/* Store a step of the last row that is not merely part of a whole block. */
__device__ __forceinline__ void output_apart(const cuda_sweep &it, const whole_blocks &whole, int c,
                                             const float (&bottom)[CUDA_STEP])
{
    if (it.scores) store<CUDA_STEP>(it.scores + c, bottom);
    if (it.minima && (c < whole.from || c >= whole.to)) output_few(it, c, bottom);
}

/* Threads in step see each other's writes after it. */
template <bool IN_WARP> __device__ __forceinline__ void in_step()
{
    if (IN_WARP)
        __syncwarp();
    else
        __syncthreads();
}

/* Do all threads in step say yes? */
template <bool IN_WARP> __device__ __forceinline__ bool agree(bool yes)
{
    return IN_WARP ? __all_sync(~0u, yes) : __syncthreads_and(yes);
}

template <int R, bool IN_WARP> __device__ __forceinline__ void sweep_full(const arguments &a)
{
    constexpr int W = CUDA_STEP;
    constexpr int AHEAD = 4; /* rows whose differences a step takes for the next one */
    __shared__ cuda_sweep it;
    const cuda_launch &launch = a.launch;
    const int item = blockIdx.y;
    fetch_sweep(a, item, &it);
    const place p = find_place(launch, it, 0);
    const whole_blocks whole = find_whole(it, p.start, p.end);
    const int lanes = it.lanes, blocks = (p.end - p.begin) / W;
    const bool works = p.held, last = works && p.lane == lanes - 1;
    slots slot(lanes, p.lane);
    /* If all have enough columns before them, all lanes begin with the first step. They compute
     * only +inf until it is their turn. */
    const bool early = agree<IN_WARP>(!works || p.begin >= (lanes - 1) * W);
    const int done = least_blocks(IN_WARP, works, blocks);
    if (done == INT_MAX) return;
    int c = max(0, p.begin - (early ? p.lane * W : 0));
    columns stream(launch.y + c, slots::end(lanes));
    float x[R] = {}, y[W], d[R], bottom[W], diag = p.lane ? INFINITE : 0;
    float ahead[AHEAD][W] = {}; /* x - y of the step to come, as y is */
    stored_columns stored(it, p);
    whole_minima minima = {INFINITE, INT_MAX, nullptr};
    const int carried = works && it.carry_column > p.start ? it.carry_column : INT_MAX;
    int turn = last ? p.begin : INT_MAX;
    bool apart = false; /* a step is not just part of a block */
    int due;            /* before this column there is more to do */
    auto find_due = [&] { due = apart ? c + W : min(c < carried ? carried : INT_MAX, turn); };
    auto attend = [&] {
        if (c == carried) state_store<R, true>(it.carry_out + p.row, d, R);
        if (c == turn) {
            minima.turn(it, whole, c);
            apart = c >= p.start && (it.scores || c < whole.from || c >= whole.to);
            turn = next_turn(p, whole, c);
        }
        find_due();
    };
    auto step = [&] {
        float up[W], now[W];
        load<W>(up, slot.mine());
#pragma unroll
        for (int w = 0; w < W; w++) now[w] = y[w];
        stored.store(c, d);
        minima.end(c);
        stream.read(y);
        tile<R, true>(
            d,
            [&](int r, int w) {
                return cell_cost(r < AHEAD ? ahead[r][w] : cell_difference(x[r], now[w]));
            },
            up, diag, 0, bottom);
        diag = up[W - 1];
        store<W>(slot.of_next() + W, bottom);
        minima.add(bottom);
        differ(ahead, x, y);
        c += W;
    };
    auto next_step = [&] {
        in_step<IN_WARP>();
        slot.turn();
    };
    /* What some lane must do after a step. */
    auto after_step = [&] {
        if (c != due) return;
        if (apart) output_apart(it, whole, c - W, bottom);
        attend();
    };

    state_load<R>(x, it.x + p.row, p.held);
    slot.fill(diag);
    in_step<IN_WARP>();
    stream.read(y);
    differ(ahead, x, y);
    state_load<R>(d, p.state ? p.state + p.row : nullptr, p.held);
    if (p.state && p.lane) diag = p.state[p.row - 1];
    find_due();
    if (c == due) attend();
    /* As in handover.cuh. */
    const int all = min(it.length + it.warm, it.n) / W + lanes - 1;
    const int begun = min(done, it.warm / W + lanes);
    bool met = !works || p.segment == 0;
    int s = 0;
    /* Not all lanes have begun, or some are done. */
    auto slowly = [&](int until) {
#pragma unroll 1
        for (; s < until; s++) {
            if ((early || s >= p.lane) && s - p.lane < blocks) {
                step();
                after_step();
            }
            next_step();
        }
    };
    if (!early) slowly(min(lanes - 1, all));
#pragma unroll 1
    for (int part = 0; part < 2; part++) {
        const int until = opaque(part ? done : begun);
#pragma unroll 1
        while (s < until) {
            bool more;
            do {
                more = __any_sync(~0u, c + W == due);
                step();
                next_step();
            } while (++s < until && !more);
            if (more) after_step();
        }
        if (met || c <= p.start) continue;
        seam_meet(launch, it, seam_of(it, p, item, p.segment));
        met = true;
    }
    slowly(all);
    stored.store(c, d);
    if (!works) return;
    if (!met) seam_meet(launch, it, seam_of(it, p, item, p.segment));
    if (p.segment + 1 < it.segments)
        seam_ends<R, true>(launch, it, seam_of(it, p, item, p.segment + 1), d);
}

#endif
