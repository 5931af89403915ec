/* state.c - sigrep_save and sigrep_resume; see session.h. */
#include "filter/session/session.h"

sigrep_status sigrep_save(sigrep *session, const void **state, size_t *size, sigrep_error *error)
{
    (void)session;
    *state = NULL;
    *size = 0;
    return status_fail(error, SIGREP_BAD_CONFIG, "not yet");
}

sigrep_status sigrep_resume(sigrep *session, const void *state, size_t size, uint64_t *from,
                            sigrep_error *error)
{
    (void)session, (void)state, (void)size;
    *from = 0;
    return status_fail(error, SIGREP_BAD_STATE, "not yet");
}
