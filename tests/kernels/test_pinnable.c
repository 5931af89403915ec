/* kernels/pinnable.c: memory of pages that nothing else shares. */
#include "kernels/pinnable.h"

#include <stdint.h>
#include <stdlib.h>
#include <unistd.h>

#include "tests/check.h"

/* A device pins whole pages, so nothing else may lie on them. */
static void pinnable_memory_has_its_pages_alone(void)
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
    RUN(pinnable_memory_has_its_pages_alone);
    return check_done();
}
