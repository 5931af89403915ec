/*
 * handover_warp.cuh - the hand-over sweep of samples (handover.cuh) where a segment's lanes are of
 * one warp and each has all its R rows, as with rows that are a power of two.
 *
 * It is the same sweep. But where a scheduler has one or two warps nothing hides what a step waits
 * for besides its cells, so its loop has no branch: columns are kept and blocks of minima ended by
 * instructions that are done or not, and whether there is anything else to do behind a step (a
 * segment that begins or ends, scores, a block of minima that is shared) is asked once, by a vote,
 * while the cells are computed. A warp needs no barrier.
 */
#ifndef KERNELS_CUDA_HANDOVER_WARP_CUH
#define KERNELS_CUDA_HANDOVER_WARP_CUH

#include "kernels/cuda/handover.cuh"

/* The columns before which a lane's rows of the state are kept. Each lane of a warp comes there at
 * another step. */
struct kept_columns {
    int next, spacing, last;    /* columns; none behind `last` */
    unsigned slot, mask, apart; /* the next one's; slots less one; bytes between slots */
    char *base;                 /* the lane's rows in slot 0 */

    __device__ __forceinline__ kept_columns(const cuda_sweep &it, const place &p)
    {
        next = next_kept(it, p.start);
        spacing = 1 << it.kept_shift;
        last = p.held ? it.end : 0;
        mask = it.kept_slots - 1;
        slot = ((int)it.kept_first + ((it.kept_phase + next) >> it.kept_shift)) & mask;
        apart = it.kept_rows * sizeof(float);
        base = reinterpret_cast<char *>(it.kept + p.row);
    }

    /* d is the state before column c, whether it is to be kept or not. */
    template <int R> __device__ __forceinline__ void keep(int c, const float (&d)[R])
    {
        const bool now = c == next && c <= last;
        float *to = reinterpret_cast<float *>(base + (unsigned long long)slot * apart);
#pragma unroll
        for (int r = 0; r < R; r += CUDA_UNIT)
            store_if(now, to + r, d[r], d[r + 1], d[r + 2], d[r + 3]);
        slot = (slot + now) & mask;
        next += now ? spacing : 0;
    }
};

/* Minima of the last row over whole blocks, by the lane that has it. */
struct whole_minima {
    float low;
    int ends;    /* before this column a block does; INT_MAX: none */
    float *told; /* minima, less the first block: of the one that ends at column 0 */

    __device__ __forceinline__ void add(const float (&bottom)[CUDA_STEP])
    {
#pragma unroll
        for (int w = 0; w < CUDA_STEP; w += 2) low = least3(low, bottom[w], bottom[w + 1]);
    }

    __device__ __forceinline__ void end(int c)
    {
        if (c == ends) {
            told[(unsigned)c / CUDA_BLOCK] = low;
            low = INFINITE;
            ends += CUDA_BLOCK;
        }
    }

    /* Before column c the whole blocks begin, or are done, or not. */
    __device__ __forceinline__ void turn(const cuda_sweep &it, const whole_blocks &whole, int c)
    {
        end(c);
        ends = INT_MAX;
        if (!it.minima || c < whole.from || c >= whole.to) return;
        low = INFINITE;
        told = it.minima - 1;
        ends = c + CUDA_BLOCK;
    }
};

/* The next column after c before which the last lane's steps have another meaning. */
__device__ __forceinline__ int next_turn(const place &p, const whole_blocks &whole, int c)
{
    if (c < p.start) return p.start;
    if (c < whole.from) return whole.from;
    return c < whole.to ? whole.to : INT_MAX;
}

template <int R> __device__ __forceinline__ void sweep_in_warp(const arguments &a)
{
    constexpr int W = CUDA_STEP, AHEAD = 8 * W; /* columns that memory has to get them here */
    extern __shared__ float4 shared[];
    __shared__ cuda_sweep it;
    const cuda_launch &launch = a.launch;
    const int item = blockIdx.y;
    fetch_sweep(a, item, &it);
    const place p = find_place(launch, it, 0);
    const whole_blocks whole = find_whole(it, p.start, p.end);
    const int lanes = it.lanes, blocks = (p.end - p.begin) / W;
    const bool works = p.held, last = works && p.lane == lanes - 1;

    /* Slots as in handover.cuh. */
    const int set = (blockDim.x + lanes - 1) / lanes * (lanes + 1) * W;
    float *mine =
        reinterpret_cast<float *>(shared) + (threadIdx.x / lanes * (lanes + 1) + p.lane) * W;
    float *other = mine + set; /* of the next step */
    float x[R], y[W], d[R], bottom[W] = {}, diag = p.lane ? INFINITE : 0;
    const float *from = launch.y + p.begin; /* of y, the step's to come */
    kept_columns kept(it, p);
    whole_minima minima = {INFINITE, INT_MAX, nullptr};
    int c = p.begin;
    int rare = !works ? INT_MAX : p.segment ? p.start : stops::carried(it, p.start);
    int turn = last ? c : INT_MAX, due = min(rare, turn); /* before it there is more to do */
    bool apart = false;                                   /* a step is not just part of a block */

#pragma unroll
    for (int r = 0; r < R; r++) x[r] = works ? it.x[p.row + r] : INFINITE;
    load<W>(y, from);
    state_load<R>(d, p.state ? p.state + p.row : nullptr, p.held);
    if (p.state && p.lane) diag = p.state[p.row - 1];
    if (p.lane == 0) {
        store<W>(mine, bottom);
        store<W>(other, bottom);
    }

    auto attend = [&] {
        if (c == rare) {
            if (c == p.start && p.segment)
                seam_leave<R, true>(it, seam_of(it, p, item, p.segment), d);
            else
                state_store<R, true>(it.carry_out + p.row, d, p.held);
            rare = stops::carried(it, c);
        }
        if (c == turn) {
            minima.turn(it, whole, c);
            apart = c >= p.start && (it.scores || c < whole.from || c >= whole.to);
            turn = next_turn(p, whole, c);
        }
        due = min(rare, turn);
    };
    auto step = [&] {
        float up[W], now[W];
        load<W>(up, mine);
#pragma unroll
        for (int w = 0; w < W; w++) now[w] = y[w];
        kept.keep(c, d);
        minima.end(c);
        load_ahead<W>(y, from += W);
        prefetch(from + AHEAD);
        tile<R, true>(d, x, now, up, diag, 0, bottom);
        diag = up[W - 1];
        store<W>(other + W, bottom);
        minima.add(bottom);
        c += W;
    };
    /* After a step, where some lane has more to do. */
    auto behind = [&] {
        const int first = c - W;
        if (apart && it.scores) store<W>(it.scores + first, bottom);
        if (apart && it.minima && (first < whole.from || first >= whole.to))
            give_few(it, first, bottom);
        if (c == due) attend();
    };
    auto next_step = [&] {
        __syncwarp();
        float *const was = mine;
        mine = other;
        other = was;
    };
    auto perhaps = [&](int s) { /* not all lanes have begun, or some are done */
                                if (s >= p.lane && s - p.lane < blocks) {
                                    step();
                                    behind();
                                }
                                next_step();
    };
    /* As in handover.cuh. */
    const int all = min(it.length + it.warm, it.n) / W + lanes - 1;
    const int done = least_blocks(works, blocks);
    if (done == INT_MAX) return;
    const int begun = min(done, it.warm / W + lanes);
    bool met = !works || p.segment == 0;
    int s = 0;
    if (c == due) attend();
#pragma unroll 1
    for (; s < min(lanes - 1, all); s++) perhaps(s);
#pragma unroll 1
    for (int part = 0; part < 2; part++) {
        const int until = part ? done : begun;
#pragma unroll 1
        while (s < until) {
            bool more;
            do {
                more = __any_sync(~0u, apart || c + W == due);
                step();
                next_step();
            } while (++s < until && !more);
            if (more) behind();
        }
        if (met || c <= p.start) continue;
        seam_meet(launch, it, seam_of(it, p, item, p.segment));
        met = true;
    }
#pragma unroll 1
    for (; s < all; s++) perhaps(s);
    kept.keep(c, d);
    if (!works) return;
    if (!met) seam_meet(launch, it, seam_of(it, p, item, p.segment));
    if (p.segment + 1 < it.segments)
        seam_ends<R, true>(launch, it, seam_of(it, p, item, p.segment + 1), d);
}

#endif
