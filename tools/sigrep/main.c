/* main.c - sigrep: grep for signals. See run.c for the order of work. */
#include "tools/common/start.h"
#include "tools/sigrep/run.h"

int main(int argc, char **argv)
{
    char error[ARGUMENTS_ERROR_SIZE];
    options o;
    start_program();
    const arguments_status parsed = options_parse(&o, argc, argv, error);
    int status;
    if (parsed)
        status = arguments_answer(&option_table, parsed, error);
    else if (o.list_devices)
        status = list_microphones();
    else if (o.show)
        status = list_bundle(o.shared.inputs[0]);
    else
        status = run(&o);
    options_free(&o);
    return status;
}
