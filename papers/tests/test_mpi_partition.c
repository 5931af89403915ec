/* The anti-diagonals of a matrix, and what each rank has of them. */
#include "check.h"
#include "papers/mpi/partition.h"

static void parts_follow_each_other_and_differ_by_one(void)
{
    for (size_t total = 0; total < 40; total++)
        for (size_t ranks = 1; ranks < 12; ranks++) {
            size_t at = 0;
            for (size_t r = 0; r < ranks; r++) {
                const part p = part_of(total, ranks, r);
                const size_t more = r < total % ranks;
                CHECK(p.first == at && p.end - p.first == total / ranks + more);
                at = p.end;
            }
            CHECK(at == total);
        }
}

/* Equation 2 has ceilings in both lines, by which the ranks behind the first ones leave cells out.
 * With floors in the second it is this partition. */
static void equation_2_needs_floors_in_its_second_line(void)
{
    const size_t delta = 10, ranks = 4, ceiling = 3, floor = 2, more = delta % ranks;
    CHECK(3 * ceiling + more >= delta); /* in print rank 3 begins beyond the last cell */
    for (size_t r = 0; r < ranks; r++) {
        const part p = part_of(delta, ranks, r);
        CHECK(p.first == (r < more ? r * ceiling : r * floor + more));
        CHECK(p.end == p.first + (r < more ? ceiling : floor));
    }
}

/* Each cell once, for any lengths: the paper has m <= n. */
static void diagonals_have_each_cell_once(void)
{
    for (size_t n = 1; n < 12; n++)
        for (size_t m = 1; m < 12; m++) {
            const grid g = {n, m, 1};
            int times[12][12] = {{0}};
            for (size_t nu = 0; nu <= n + m; nu++)
                for (size_t x = 0; x < diagonal_length(&g, nu); x++) {
                    const size_t j = diagonal_start(&g, nu) + x;
                    CHECK(j <= m && nu - j <= n);
                    times[nu - j][j]++;
                }
            for (size_t i = 0; i <= n; i++)
                for (size_t j = 0; j <= m; j++) CHECK(times[i][j] == 1);
        }
}

static void ranks_without_work_have_empty_parts(void)
{
    const grid g = {5, 2, 8};
    for (size_t nu = 0; nu <= 7; nu++)
        for (size_t r = 0; r < 8; r++)
            CHECK(part_is_empty(diagonal_part(&g, nu, r)) == (r >= diagonal_length(&g, nu)));
}

int main(void)
{
    RUN(parts_follow_each_other_and_differ_by_one);
    RUN(equation_2_needs_floors_in_its_second_line);
    RUN(diagonals_have_each_cell_once);
    RUN(ranks_without_work_have_empty_parts);
    return check_done();
}
