/*
 * strings.cu - edit distances by bit vectors, letter by letter as in ../scout.c, 32 rows a word.
 *
 *     step        0    1    2    3          a group of lanes sweeps a segment
 *     lane 0    [16] [16] [16] [16]         16: letters of a step
 *     lane 1         [16] [16] [16]         lane l does step s when its lane before has done it:
 *     lane 2              [16] [16]         it needs the last row's changes, two bits a letter
 *
 * Patterns longer than 1024 letters are cut into bands of 1024 rows. The group sweeps its segment
 * band by band, and keeps the changes of a band's last row in memory for the next.
 */
#include "kernels/strings/cuda/launch.h"

namespace
{

// Changes of a row over the letters of a step: rises in the upper 16 bits, falls in the lower. The
// first letter's is the highest bit of both.
typedef uint32_t changes;

static_assert(STRINGS_STEP == 16, "changes are two times 16 bits, and letters a uint4");

struct word_rows {
    uint32_t up, down; // differences from row to row
};

// The rows of a word go on by the letters of a step. `before`: changes of the row before them.
__device__ __forceinline__ changes next_step(word_rows &rows, uint4 letters, const uint32_t *bits,
                                             int lanes, changes before)
{
    // Each letter takes the highest bit, the change of the row before, and puts in the lowest.
    uint32_t up = before & 0xffff0000u, down = before << 16;
#pragma unroll
    for (int i = 0; i < STRINGS_STEP; i++) {
        const uint32_t four = i < 4    ? letters.x
                              : i < 8  ? letters.y
                              : i < 12 ? letters.z
                                       : letters.w;
        const uint32_t letter = four >> 8 * (i % 4) & 255;
        const uint32_t x = bits[letter * lanes] | rows.down | down >> 31;
        const uint32_t flat = (((x & rows.up) + rows.up) ^ rows.up) | x;
        const uint32_t ups = rows.down | ~(rows.up | flat), downs = rows.up & flat;
        const uint32_t ups_in = __funnelshift_l(up, ups, 1);
        const uint32_t downs_in = __funnelshift_l(down, downs, 1);
        up = __funnelshift_l(ups, up, 1);
        down = __funnelshift_l(downs, down, 1);
        rows.up = downs_in | ~(flat | ups_in);
        rows.down = ups_in & flat;
    }
    return up << 16 | down;
}

// The least distance of the step's letters, if it can be below `least`. `distance` goes on.
__device__ __forceinline__ int least_of_step(int &distance, changes last, int least)
{
    const int falls = __popc(last & 0xffffu), after = distance + __popc(last >> 16) - falls;
    if (distance - falls < least) {
        for (int i = STRINGS_STEP - 1; i >= 0; i--) {
            distance += (int)(last >> (16 + i) & 1) - (int)(last >> i & 1);
            least = min(least, distance);
        }
    }
    distance = after;
    return least;
}

// One band of a segment. Lane 0 takes the changes of the last band, the last lane keeps its own.
__device__ __forceinline__ void sweep_band(const strings_sweep &s, int band, int group, int lane,
                                           const uint32_t *bits)
{
    const int segment = min(group, s.segments - 1); // groups too many do the last one as well
    const int steps = (s.warm + s.own) / STRINGS_STEP, block = 64 / STRINGS_STEP;
    const int warm = s.warm / STRINGS_STEP;
    const bool is_last = lane == s.lanes - 1, ends = is_last && band == s.bands - 1;
    const uint4 *at = (const uint4 *)(s.letters + (long long)segment * s.own - s.warm);
    changes *between = s.bands > 1 ? s.between + (long long)group * steps : nullptr;
    uint32_t *minima = s.minima + (long long)segment * (s.own / 64);
    word_rows rows = {s.cold[band * s.lanes + lane], 0};
    uint4 next = __ldg(at); // read a step ahead
    changes own = 0;
    int distance = s.rows, least = s.edits + 1;
    for (int t = -lane; t < steps + s.lanes - 1 - lane; t++) {
        changes before = __shfl_up_sync(~0u, own, 1, s.lanes);
        if (t < 0 || t >= steps) continue;
        if (lane == 0) before = band > 0 ? between[t] : 0;
        const uint4 letters = next;
        next = __ldg(at + t + 1);
        own = next_step(rows, letters, bits + lane, s.lanes, before);
        if (is_last && band < s.bands - 1) between[t] = own;
        if (!ends) continue;
        least = least_of_step(distance, own, least);
        if (t % block != block - 1) continue;
        if (t >= warm) minima[(t - warm) / block] = (uint32_t)least;
        least = s.edits + 1;
    }
}

__global__ void __launch_bounds__(STRINGS_THREADS) sweep_strings(const strings_sweep s)
{
    extern __shared__ uint32_t bits[]; // of the band: [256 letters][lanes]
    const int lane = (int)threadIdx.x % s.lanes;
    const int group = (int)(blockIdx.x * blockDim.x + threadIdx.x) / s.lanes;
    for (int band = 0; band < s.bands; band++) {
        __syncthreads();
        for (int i = (int)threadIdx.x; i < 256 * s.lanes; i += STRINGS_THREADS)
            bits[i] = s.bits[(long long)band * 256 * s.lanes + i];
        __syncthreads();
        sweep_band(s, band, group, lane, bits);
    }
}

} // namespace

extern "C" int strings_groups(const strings_sweep *sweep)
{
    const int groups = STRINGS_THREADS / sweep->lanes; // of a block
    return (sweep->segments + groups - 1) / groups * groups;
}

extern "C" cudaError_t strings_launch(const strings_sweep *sweep, cudaStream_t stream)
{
    const int blocks = strings_groups(sweep) * sweep->lanes / STRINGS_THREADS;
    const size_t shared = (size_t)256 * (size_t)sweep->lanes * sizeof(uint32_t);
    sweep_strings<<<blocks, STRINGS_THREADS, shared, stream>>>(*sweep);
    return cudaGetLastError();
}
