/* filter/status.c: status codes and their messages. */
#include <string.h>

#include "filter/status.h"
#include "tests/check.h"

static void a_failure_records_its_message_and_returns_its_code(void)
{
    sigrep_error error = {.template_index = 7, .text = "before"};
    CHECK(status_fail(&error, SIGREP_BAD_TEMPLATE, "%d of %s", 3, "four") == SIGREP_BAD_TEMPLATE);
    CHECK(strcmp(error.text, "3 of four") == 0);
    CHECK(error.template_index == 7);
}

static void the_error_may_be_null(void)
{
    CHECK(status_fail(NULL, SIGREP_NO_MEMORY, "%s", "unheard") == SIGREP_NO_MEMORY);
}

static void a_long_message_is_cut_and_terminated(void)
{
    char words[400];
    memset(words, 'x', sizeof words - 1);
    words[sizeof words - 1] = '\0';
    struct {
        sigrep_error error;
        char after;
    } here = {.after = '!'};
    status_fail(&here.error, SIGREP_BAD_CONFIG, "%s", words);
    CHECK(strlen(here.error.text) == sizeof here.error.text - 1);
    CHECK(here.after == '!');
}

static void every_code_has_a_message_of_its_own(void)
{
    for (int a = SIGREP_OK; a <= SIGREP_BAD_STATE; a++) {
        const char *words = sigrep_status_text((sigrep_status)a);
        CHECK(words && *words && strcmp(words, "unknown status") != 0);
        for (int b = SIGREP_OK; b < a; b++)
            CHECK(strcmp(words, sigrep_status_text((sigrep_status)b)) != 0);
    }
    CHECK(strcmp(sigrep_status_text((sigrep_status)(SIGREP_BAD_STATE + 1)), "unknown status") == 0);
}

int main(void)
{
    RUN(a_failure_records_its_message_and_returns_its_code);
    RUN(the_error_may_be_null);
    RUN(a_long_message_is_cut_and_terminated);
    RUN(every_code_has_a_message_of_its_own);
    return check_done();
}
