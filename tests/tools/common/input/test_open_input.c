/* tools/common/input/open_input.c. Its messages: tests/cli/bad_inputs, tests/cli/rates. */
#include "tools/common/input/open_input.h"

#include "tests/io/source_help.h"
#include "tests/support/fake_mic.h"

static const source_options any = {.wake_fd = -1};

/* Is this text opened, if these channels and this rate are needed? */
static bool is_opened(const char *text, size_t channels, double rate_hz, double given_hz)
{
    const input_needs needs = {.whose = "the test", .channels = channels, .rate_hz = rate_hz};
    const char *path = help_file(text, strlen(text));
    source_options how = any;
    how.rate_hz = given_hz;
    source *src = open_input(path, how, &needs);
    const bool is_open = src != NULL;
    source_close(src);
    unlink(path);
    return is_open;
}

static void channels_and_rate_must_fit(void)
{
    CHECK(is_opened("1\n2\n", 1, 0, 0));
    CHECK(is_opened("1,2\n3,4\n", 2, 0, 0));
    CHECK(!is_opened("1,2\n3,4\n", 1, 0, 0));
    CHECK(!is_opened("1\n2\n", 2, 0, 0));
    CHECK(!is_opened("1\n2\n", 1, 100, 0));
    CHECK(is_opened("1\n2\n", 1, 100, 50)); /* it is resampled */
}

static void without_needs_all_inputs_fit(void)
{
    const char *path = help_file("1,2,3\n", 6);
    source *src = open_input(path, any, NULL);
    CHECK(src && source_get_info(src).channels == 3);
    source_close(src);
    unlink(path);
    CHECK(!open_input(path, any, NULL));
}

static void a_microphone_is_asked_for_what_is_needed(void)
{
    const input_needs needs = {.whose = "the test", .channels = 2, .rate_hz = 8000};
    source_options how = any;
    fake_set(NULL, 0, false);
    how.choice = CHANNEL_EACH;
    source_close(open_input("mic:usb", how, &needs));
    CHECK(fake.asked.rate_hz == 8000 && fake.asked.channels == 2);
    how.rate_hz = 500;
    how.choice = CHANNEL_MIX;
    source_close(open_input("mic:usb", how, &needs));
    CHECK(fake.asked.rate_hz == 500 && fake.asked.channels == 1);
}

static void a_measured_rate_that_is_near_becomes_that_of_the_needs(void)
{
    source_options how = any;
    input_needs needs = {.whose = "the test", .channels = 1, .rate_hz = 96};
    static const char text[] = "0,1\n0.01,2\n0.02,3\n";
    const char *path = help_file(text, sizeof text - 1);
    how.time_column = 1;
    source *src = open_input(path, how, &needs);
    CHECK(src && source_get_info(src).rate_hz == 96);
    source_close(src);
    needs.rate_hz = 90;
    src = open_input(path, how, &needs);
    CHECK(src && source_get_info(src).rate_hz == 100);
    source_close(src);
    unlink(path);
}

static void a_time_column_needs_text(void)
{
    source_options how = any;
    const input_needs needs = {.whose = "the test", .channels = 1, .rate_hz = 100};
    const char *path = help_file("\0\0\200\77", 4);
    how.rate_hz = 100;
    source *src = open_input(path, how, &needs);
    CHECK(src != NULL);
    source_close(src);
    how.time_column = 1;
    CHECK(!open_input(path, how, &needs));
    unlink(path);
}

static void a_duration_is_a_number_of_samples(void)
{
    CHECK(input_limit(0, 8000) == UINT64_MAX);
    CHECK(input_limit(2.5, 8000) == 20000);
    CHECK(input_limit(0.0001, 8000) == 1);
    CHECK(input_limit(1e12, 1e12) == UINT64_MAX);
}

static void only_regular_files_are_files(void)
{
    struct stat status;
    const char *path = help_file("1\n2\n", 4);
    CHECK(input_is_file(path, &status) && status.st_size == 4);
    unlink(path);
    CHECK(!input_is_file(path, &status) && !input_is_file(".", &status));
}

int main(void)
{
    RUN(channels_and_rate_must_fit);
    RUN(without_needs_all_inputs_fit);
    RUN(a_microphone_is_asked_for_what_is_needed);
    RUN(a_measured_rate_that_is_near_becomes_that_of_the_needs);
    RUN(a_time_column_needs_text);
    RUN(only_regular_files_are_files);
    RUN(a_duration_is_a_number_of_samples);
    return check_done();
}
