#include "filter/cli/common/read_size.h"

enum {
    LEAST_READ = 1 << 15, /* samples: a pipe-full of 16 bits each */
    MOST_READ = 1 << 20,
    READ_VALUES = 1 << 22, /* of all channels */
};

size_t read_size(size_t step, size_t channels)
{
    const size_t room = READ_VALUES / channels, most = room < MOST_READ ? room : MOST_READ;
    if (step >= most) return most;
    const size_t least = LEAST_READ < most ? LEAST_READ : most;
    const size_t steps = step < least ? (least + step - 1) / step : 1;
    return (steps * step <= most ? steps : most / step) * step;
}
