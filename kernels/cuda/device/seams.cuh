/*
 * seams.cuh - verifies seams: does every segment end as the next one was after its warm-up?
 *
 *     segment k     ... -------->| end state        the first to take the ticket stores its state,
 *     segment k + 1   . . warm . | state `before`   the second one compares
 *
 * The threads that hold the same rows on both sides share a ticket. The second is nearly always the
 * end of segment k, with its state still in registers. A repair sweep takes no ticket: the state
 * that it compares with was there before it began.
 *
 * Tickets count arrivals and are never reset; between launches each is even. A seam whose `before`
 * changes is always listed. So the last sweep of a segment starts from the final `before`, even if
 * an earlier sweep read it during the change.
 */
#ifndef KERNELS_CUDA_DEVICE_SEAMS_CUH
#define KERNELS_CUDA_DEVICE_SEAMS_CUH

#include "kernels/cuda/device/recurrence.cuh"

/* A segment: swept from column `begin` on, it owns [start, end). */
struct range {
    int segment, begin, start, end;
    const float *state; /* that it starts from; NULL: +inf */
};

/* In the first sweep, or in a repair. */
__device__ __forceinline__ range range_of(const cuda_launch &launch, const cuda_sweep &it,
                                          int segment)
{
    range p = {};
    const bool again = launch.seams;
    p.segment = segment;
    p.start = segment * it.length;
    p.end = min(p.start + it.length, it.n);
    p.begin = again ? p.start : max(0, p.start - it.warm);
    if (again)
        p.state = it.before + (size_t)segment * it.state_rows;
    else if (p.begin == 0)
        p.state = it.carry;
    return p;
}

/* Rows [row, row + held) of the state before a segment, and the ticket of their threads. */
struct seam_place {
    int item, segment, row, held, ticket;
};

__device__ __forceinline__ void list_seam(const cuda_launch &launch, const cuda_sweep &it,
                                          const seam_place &p)
{
    if (atomicExch(&it.marks[p.segment], launch.number) == launch.number) return;
    launch.bad[atomicAdd(launch.n_bad, 1)] = cuda_seam{p.item, p.segment};
}

/* Does the state at `from`, which another thread may have written, equal d? */
template <int R, bool FULL>
__device__ __forceinline__ bool same_state(const float *from, const float (&d)[R], int held)
{
    int differ = 0;
#pragma unroll
    for (int r = 0; r < R; r += CUDA_UNIT) {
        if (!FULL && r >= held) continue;
        const int4 v = __ldcg(reinterpret_cast<const int4 *>(from + r));
        differ |= v.x ^ __float_as_int(d[r]);
        differ |= v.y ^ __float_as_int(d[r + 1]);
        differ |= v.z ^ __float_as_int(d[r + 2]);
        differ |= v.w ^ __float_as_int(d[r + 3]);
    }
    return !differ;
}

/* Store d, the state before a segment after its warm-up. */
template <int R, bool FULL>
__device__ __forceinline__ void seam_leave(const cuda_sweep &it, const seam_place &p,
                                           const float (&d)[R])
{
    state_store<R, FULL>(it.before + (size_t)p.segment * it.state_rows + p.row, d, p.held);
}

/* After seam_leave: take the ticket, and compare if the segment before has ended already. It costs
 * a microsecond, however many threads do it together. */
template <int = 0> /* a template, for else its host side would call exit() */
__device__ __noinline__ void seam_meet(const cuda_launch &launch, const cuda_sweep &it,
                                       const seam_place &p)
{
    __threadfence();
    if ((atomicAdd(&it.tickets[p.ticket], 1) & 1) == 0) return;
    __threadfence();
    float *before = it.before + (size_t)p.segment * it.state_rows + p.row;
    const float *after = it.after + (size_t)(p.segment - 1) * it.state_rows + p.row;
    bool differ = false;
    for (int r = 0; r < p.held; r++) {
        const float truth = __ldcg(after + r);
        differ = differ || __float_as_int(before[r]) != __float_as_int(truth);
        before[r] = truth;
    }
    if (differ) list_seam(launch, it, p);
}

/* d is the state in which the segment before p.segment ends. */
template <int R, bool FULL>
__device__ void seam_ends(const cuda_launch &launch, const cuda_sweep &it, const seam_place &p,
                          const float (&d)[R])
{
    if (!launch.seams) {
        int *ticket = &it.tickets[p.ticket];
        if ((__ldcg(ticket) & 1) == 0) { /* too early, it seems */
            state_store<R, FULL>(it.after + (size_t)(p.segment - 1) * it.state_rows + p.row, d,
                                 p.held);
            __threadfence();
        }
        if ((atomicAdd(ticket, 1) & 1) == 0) return;
        __threadfence();
    }
    float *before = it.before + (size_t)p.segment * it.state_rows + p.row;
    if (same_state<R, FULL>(before, d, p.held)) return;
    state_store<R, FULL>(before, d, p.held);
    list_seam(launch, it, p);
}

#endif
