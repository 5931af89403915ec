#include "filter/cli/common/help.h"
#include "filter/cli/option_table.h"
#include "sigrep.h"

void options_add_usage(text_buffer *out)
{
    text_add_string(out, "Usage: sigrep [OPTION]... TEMPLATE [INPUT]...\n");
}

void options_add_help(text_buffer *out)
{
    options_add_usage(out);
    text_add_string(
        out, "       sigrep [OPTION]... -e TEMPLATE [-e TEMPLATE]... [INPUT]...\n"
             "       sigrep --list-devices\n"
             "Find every place where a signal resembles a template, by time warping.\n\n"
             "TEMPLATE is [LABEL=]FILE[@START-END] (seconds), a bundle NAME.sigrep that\n"
             "sigrep-train wrote, or a directory of files.\n"
             "INPUT is a file, - for standard input (the default), or mic: or mic:NAME for a\n"
             "live microphone.\n");
    for (size_t i = 0; i < option_rows_count; i++) {
        const option_row *row = &option_rows[i];
        if (row->key)
            help_add_option(out, row->key, row->name, row->argument, row->help);
        else
            text_add_format(out, "\n%s\n", row->help);
    }
    text_add_string(out, "\nExit status: 0 a match, 1 none, 2 an error.\n"
                         "Examples and all details: man sigrep\n");
}

void options_add_version(text_buffer *out)
{
    text_add_string(out, "sigrep " SIGREP_VERSION "\n");
}
