/*
 * gpu_match.cuh - the least d[m][j], by anti-diagonals. Thread i of a block has row i,
 * and diagonal k has the cells with j = k - i + 1:
 *
 *         y_j        1 2 3 4 5
 *       row 0      0 0 0 0 0 0
 *     x_1 row 1    1 b o N . .     N: the cells of diagonal k = 3, at once
 *     x_2 row 2    2 o N . . .     o: left and up, of diagonal k - 1
 *     x_3 row 3    3 N . . . .     b: of diagonal k - 2
 *
 * Then all threads wait. So three diagonals are enough: before, one, now.
 */
#ifndef PAPERS_BENCH_GPU_MATCH_CUH
#define PAPERS_BENCH_GPU_MATCH_CUH

#include <stdint.h>

namespace
{

// Strings: cells are edits.
struct letters {
    using value = uint8_t;
    using cell = int;
    // d[i][0]
    static __device__ __forceinline__ int edge(int i)
    {
        return i;
    }
    static __device__ __forceinline__ int next(int left, int up, int diagonal, uint8_t x, uint8_t y)
    {
        return min(min(left, up) + 1, diagonal + (x != y ? 1 : 0));
    }
    static __device__ __forceinline__ int bits(int cell)
    {
        return cell;
    }
};

// Signals: cells are costs. None is below 0, so their bits, as whole numbers, order as they do.
struct samples {
    using value = float;
    using cell = float;
    static __device__ __forceinline__ float edge(int)
    {
        return __int_as_float(0x7f800000); // infinity
    }
    static __device__ __forceinline__ float next(float left, float up, float diagonal, float x,
                                                 float y)
    {
        return fminf(fminf(left, up), diagonal) + fabsf(x - y);
    }
    static __device__ __forceinline__ int bits(float cell)
    {
        return __float_as_int(cell);
    }
};

template <typename Kind> struct text {
    const typename Kind::value *x, *y; // in global memory
    int m, n;
};

template <typename Cell> struct diagonals {
    Cell *before, *one, *now;
};

template <typename Cell> __device__ __forceinline__ void turn(diagonals<Cell> &d)
{
    Cell *spare = d.before;
    d.before = d.one;
    d.one = d.now;
    d.now = spare;
}

template <typename Kind>
__device__ __forceinline__ text<Kind> part_of(const text<Kind> &s, long long begin, int length)
{
    const long long rest = max(s.n - begin, 0ll);
    return {s.x, s.y + min(begin, (long long)s.n), s.m, (int)min((long long)length, rest)};
}

// Lemma 6.1 and HMM, Lemma 2. Row i of a diagonal lies in word i, which is word e[j mod 3][i] of
// the HMM's array by another name: threads of a warp meet no bank twice. The matrix of Lemma 6.1
// would not fit. y comes in tiles of a value a thread, since y does not fit either:
//
//     values    |- tile -|- tile -|    a ring: row i reads the one that came i diagonals ago
//
// Returns the result to the thread of row m; the others get d[m][0].
template <typename Kind>
__device__ typename Kind::cell match_diagonals(const text<Kind> &s, typename Kind::cell *cells,
                                               typename Kind::value *values)
{
    const int i = (int)threadIdx.x + 1, tile = (int)blockDim.x, words = s.m + 1;
    const typename Kind::value x = i <= s.m ? s.x[i - 1] : 0;
    diagonals<typename Kind::cell> d = {cells, cells + words, cells + 2 * words};
    typename Kind::cell least = Kind::edge(s.m);
    int head = 0; // the place of y_(k+1) in the ring
    if (i == 1) d.before[0] = d.one[0] = d.now[0] = 0;
    for (int k = 0; k < s.n + s.m; k++) {
        const int j = k - i + 1, at = head >= i ? head - i : head - i + 2 * tile;
        if ((head == 0 || head == tile) && k + i <= s.n) values[head + i - 1] = s.y[k + i - 1];
        if (i <= s.m && j == 0) d.now[i] = Kind::edge(i);
        if (i <= s.m && j >= 1 && j <= s.n) {
            d.now[i] = Kind::next(d.one[i], d.one[i - 1], d.before[i - 1], x, values[at]);
            if (i == s.m) least = min(least, d.now[i]);
        }
        head = head + 1 == 2 * tile ? 0 : head + 1;
        __syncthreads();
        turn(d);
    }
    return least;
}

// Theorem 7.2. The matrix is slid, so that a diagonal is a row, d[i][j] in s[i + j][j]. Of it three
// rows remain, each a ring of m words: s'[(i + j) mod 3][j mod m]. Edges are not stored.
//
//     row k      |.|.|.|.|.|.|     columns k - m to k - 1: those of diagonal k - 1
//     row k + 1  |.|.|.|.|.|.|     columns k - m + 1 to k
//
// at: j mod m.
template <typename Kind>
__device__ __forceinline__ typename Kind::cell
slid_cell(const diagonals<typename Kind::cell> &d, int m, int i, int j, int at,
          typename Kind::value x, typename Kind::value y)
{
    using cell = typename Kind::cell;
    const int before = at == 0 ? m - 1 : at - 1;
    const cell left = j == 1 ? Kind::edge(i) : d.one[before];
    const cell up = i == 1 ? 0 : d.one[at];
    const cell diagonal = i == 1 ? 0 : j == 1 ? Kind::edge(i - 1) : d.before[before];
    return Kind::next(left, up, diagonal, x, y);
}

// The rows lie `stride` words apart, in global memory. Returns as match_diagonals does.
template <typename Kind>
__device__ typename Kind::cell match_slid(const text<Kind> &s, typename Kind::cell *rows,
                                          size_t stride)
{
    const int i = (int)threadIdx.x + 1;
    const typename Kind::value x = i <= s.m ? s.x[i - 1] : 0;
    diagonals<typename Kind::cell> d = {rows, rows + stride, rows + 2 * stride};
    typename Kind::cell least = Kind::edge(s.m);
    int at = (2 - i + s.m) % s.m;
    for (int k = 1; k < s.n + s.m; k++) {
        const int j = k - i + 1;
        if (i <= s.m && j >= 1 && j <= s.n) {
            const typename Kind::cell cell = slid_cell<Kind>(d, s.m, i, j, at, x, s.y[j - 1]);
            d.now[at] = cell;
            if (i == s.m) least = min(least, cell);
        }
        at = at + 1 == s.m ? 0 : at + 1;
        __syncthreads();
        turn(d);
    }
    return least;
}

template <typename Kind>
__device__ __forceinline__ void give(const text<Kind> &s, typename Kind::cell least, int *to)
{
    if ((int)threadIdx.x == s.m - 1) *to = Kind::bits(least);
}

// HMM, Theorem 4 and step 3; Lemma 6.1 with one block. Block b has S + 2m values of y:
//
//     y     |---------------------------------|
//     Y_0   |=====S=====|==2m==|
//     Y_1               |=====S=====|==2m==|
//
// No substring of strings that matters is longer than 2m. Signals have no such bound: a match that
// no block has whole is missed. The thread of row m keeps the block's minimum.
template <typename Kind>
__global__ void blocks_kernel(text<Kind> s, int shift, int length, int *results)
{
    extern __shared__ int shared[];
    auto *cells = reinterpret_cast<typename Kind::cell *>(shared);
    auto *values = reinterpret_cast<typename Kind::value *>(shared + 3 * (s.m + 1));
    const text<Kind> part = part_of(s, (long long)blockIdx.x * shift, length);
    give(s, match_diagonals(part, cells, values), results + blockIdx.x);
}

// Theorem 7.2 with one block. Theorem 8.1: block g has the segment of 3m values from g m on,
// and m words of each row of the combined matrix 3 x (m segments):
//
//     y      | m | m | m | m | m |          s'   | block 0 | block 1 | block 2 |
//     Z_0    |===========|                       | block 0 | block 1 | block 2 |
//     Z_1        |===========|                   | block 0 | block 1 | block 2 |
template <typename Kind>
__global__ void slid_kernel(text<Kind> s, int length, typename Kind::cell *rows, int *results)
{
    const text<Kind> part = part_of(s, (long long)blockIdx.x * s.m, length);
    const size_t stride = (size_t)gridDim.x * s.m;
    give(s, match_slid(part, rows + (size_t)blockIdx.x * s.m, stride), results + blockIdx.x);
}

// One diagonal of all segments, as Theorem 8.1 has it: n threads, none of which is ahead. Thread
// g m + i - 1 has row i of segment g.
template <typename Kind>
__global__ void launch_kernel(text<Kind> s, int segments, int length, int k,
                              diagonals<typename Kind::cell> d, int *results)
{
    const long long thread = (long long)blockIdx.x * blockDim.x + threadIdx.x;
    if (thread >= (long long)segments * s.m) return;
    const int g = (int)(thread / s.m), i = (int)(thread % s.m) + 1, j = k - i + 1;
    const text<Kind> part = part_of(s, (long long)g * s.m, length);
    if (j < 1 || j > part.n) return;
    const size_t first = (size_t)g * s.m;
    const diagonals<typename Kind::cell> own = {d.before + first, d.one + first, d.now + first};
    const typename Kind::cell cell =
        slid_cell<Kind>(own, s.m, i, j, j % s.m, s.x[i - 1], part.y[j - 1]);
    own.now[j % s.m] = cell;
    if (i != s.m) return;
    results[g] = min(j == 1 ? Kind::bits(Kind::edge(i)) : results[g], Kind::bits(cell));
}

} // namespace

#endif
