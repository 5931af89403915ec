#include "filter/status.h"

#include <stdarg.h>
#include <stdio.h>

sigrep_status status_fail(sigrep_error *error, sigrep_status status, const char *format, ...)
{
    if (error) {
        va_list args;
        va_start(args, format);
        vsnprintf(error->text, sizeof error->text, format, args);
        va_end(args);
    }
    return status;
}

bool status_is_device_failure(sigrep_status status)
{
    return status == SIGREP_DEVICE_FAILED || status == SIGREP_DEVICE_MEMORY;
}

const char *sigrep_status_text(sigrep_status status)
{
    switch (status) {
    case SIGREP_OK: return "success";
    case SIGREP_STOPPED: return "stopped by a callback";
    case SIGREP_NO_MEMORY: return "out of memory";
    case SIGREP_BAD_CONFIG: return "bad configuration";
    case SIGREP_BAD_TEMPLATE: return "bad template";
    case SIGREP_BAD_FRONT_END: return "bad front end";
    case SIGREP_NO_KERNEL: return "no such kernel on this machine";
    case SIGREP_STORE_FAILED: return "the store of frames failed";
    case SIGREP_NO_THRESHOLD: return "no threshold can be estimated from the template alone";
    case SIGREP_DEVICE_MEMORY: return "too little free memory on the GPU";
    case SIGREP_DEVICE_FAILED: return "the GPU failed";
    case SIGREP_BAD_BUNDLE: return "bad bundle";
    case SIGREP_BAD_STATE: return "bad state";
    }
    return "unknown status";
}
