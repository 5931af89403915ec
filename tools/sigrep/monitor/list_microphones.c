/* list_microphones.c - --list-devices. */
#include "io/live/mic.h"
#include "tools/common/input/open_input.h"
#include "tools/common/messages/messages.h"
#include "tools/sigrep/run.h"

static void add(void *user, const char *name, size_t channels, double rate_hz, bool is_default)
{
    text_buffer *out = user;
    text_add_string(out, MIC_PREFIX);
    text_add_escaped(out, name);
    text_add_format(out, "\t%zu channel%s\t%.9g Hz%s\n", channels, channels == 1 ? "" : "s",
                    rate_hz, is_default ? "\tdefault" : "");
}

int run_list_devices(void)
{
    char reason[256];
    text_buffer out = {0};
    int n = mic_list(add, &out, input_mic_is_slow, reason, sizeof reason);
    if (n <= 0) report("%s", n < 0 ? reason : "no capture devices");
    return print_text(&out) && n > 0 ? EXIT_MATCH : EXIT_ERROR;
}
