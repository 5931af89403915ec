/* kernels/pinnable.c: memory of pages that nothing else shares. */
#include "kernels/pinnable.h"

#include <stdint.h>
#include <stdlib.h>
#include <unistd.h>

#include "tests/check.h"

/* A device may pin them: what lies before or behind on their pages would be pinned too. */
static void memory_to_lend_has_its_pages_alone(void)
{
    const size_t page = (size_t)sysconf(_SC_PAGESIZE);
    float *few[4];
    for (size_t i = 0; i < 4; i++) {
        few[i] = pinnable_allocate(1 + i);
        CHECK(few[i] && (uintptr_t)few[i] % page == 0);
    }
    for (size_t i = 0; i < 4; i++) free(few[i]);
    float *many = pinnable_allocate((size_t)3 << 20);
    CHECK(many && (uintptr_t)many % page == 0);
    free(many);
    CHECK(!pinnable_allocate(SIZE_MAX / sizeof(float)) && !pinnable_allocate(SIZE_MAX));
}

int main(void)
{
    RUN(memory_to_lend_has_its_pages_alone);
    return check_done();
}
