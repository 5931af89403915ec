#include "tools/sigrep/read_size.h"

enum {
    LEAST_READ = 1 << 15, /* samples: a pipe-full of 16 bits each */
    MOST_READ = 1 << 20,
    READ_VALUES = 1 << 22, /* of all channels */
};

size_t read_size(size_t push_size, size_t channels)
{
    const size_t room = READ_VALUES / channels, most = room < MOST_READ ? room : MOST_READ;
    if (push_size >= most) return most;
    const size_t least = LEAST_READ < most ? LEAST_READ : most;
    const size_t n = push_size < least ? (least + push_size - 1) / push_size : 1;
    return (n * push_size <= most ? n : most / push_size) * push_size;
}
