/* tools/common/median.h */
#include "tools/common/median.h"

#include "tests/check.h"

static void the_middle_or_the_mean_of_two(void)
{
    double odd[] = {5, 1, 3}, even[] = {4, 1, 10, 2}, one[] = {7};
    CHECK(median(odd, 3) == 3 && median(even, 4) == 3 && median(one, 1) == 7);
}

int main(void)
{
    RUN(the_middle_or_the_mean_of_two);
    return check_done();
}
