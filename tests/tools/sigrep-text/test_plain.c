/* Plain letters: each byte at each place. */
#include <ctype.h>
#include <string.h>

#include "check.h"
#include "tools/sigrep-text/plain.h"

static void each_byte_at_each_place(void)
{
    unsigned char letters[70];
    for (unsigned byte = 0; byte < 256; byte++) {
        const bool is_base = byte && strchr("ACGTNacgtn", (int)byte);
        memset(letters, 'G', sizeof letters);
        for (size_t i = 0; i < sizeof letters; i++) {
            letters[i] = (unsigned char)byte;
            CHECK_MSG(plain_letters(letters, sizeof letters, true) == is_base, "byte %u", byte);
            CHECK_MSG(plain_letters(letters, sizeof letters, false) == (byte > ' '), "byte %u",
                      byte);
            letters[i] = 'G';
        }
    }
    CHECK(plain_letters(letters, 0, true) && plain_letters(letters, 0, false));
}

int main(void)
{
    RUN(each_byte_at_each_place);
    return check_done();
}
