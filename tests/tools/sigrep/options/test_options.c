#include "tools/sigrep/options/options.h"

#include <string.h>

#include "check.h"
#include "tools/common/options/template_spec.h"

enum { MAX_WORDS = 16 };

static options o;
static char error[ARGUMENTS_ERROR_SIZE];

/* Parse "sigrep WORDS", cut at single blanks. */
static arguments_status parse(const char *words)
{
    static char copy[512], program[] = "sigrep";
    char *argv[MAX_WORDS + 1] = {program};
    int argc = 1;
    options_free(&o);
    snprintf(copy, sizeof copy, "%s", words);
    for (char *word = strtok(copy, " "); word && argc < MAX_WORDS; word = strtok(NULL, " "))
        argv[argc++] = word;
    return options_parse(&o, argc, argv, error);
}

static bool refused(const char *words, const char *reason)
{
    bool as_expected = parse(words) == ARGUMENTS_BAD && strcmp(error, reason) == 0;
    if (!as_expected) fprintf(stderr, "%s: %s\n", words, error);
    return as_expected;
}

static void defaults_are_those_of_the_manual(void)
{
    CHECK(parse("-t 0 x") == ARGUMENTS_OK);
    CHECK(o.shared.n_templates == 1 && strcmp(o.shared.templates[0].path, "x") == 0);
    CHECK(o.shared.n_inputs == 1 && strcmp(o.shared.inputs[0], "-") == 0);
    CHECK(o.shared.has_threshold && o.shared.threshold == 0 && o.best == 0);
    CHECK(o.max_count == UINT64_MAX && o.shared.min_matches == 1);
    CHECK(o.shared.length_min == 0.5 && o.shared.length_max == 2);
    CHECK(!o.shared.front_end && o.output == &writer_text);
    CHECK(o.shared.source.format == SOURCE_AUTO && o.shared.source.rate_hz == 0 &&
          o.shared.source.wake_fd == -1);
    CHECK(o.times == TIME_SECONDS && o.names == FILE_NAMES_BY_COUNT && !o.kernel);
}

static void without_an_option_the_threshold_is_estimated(void)
{
    CHECK(parse("x") == ARGUMENTS_OK && o.shared.auto_threshold && !o.shared.has_threshold);
    CHECK(parse("-t auto x") == ARGUMENTS_OK && o.shared.auto_threshold && !o.shared.has_threshold);
    CHECK(parse("-t 2 -t auto x") == ARGUMENTS_OK && o.shared.auto_threshold &&
          !o.shared.has_threshold);
    CHECK(parse("-t auto -t 2 x") == ARGUMENTS_OK && !o.shared.auto_threshold &&
          o.shared.threshold == 2);
    CHECK(parse("-b 1 x") == ARGUMENTS_OK && !o.shared.auto_threshold && !o.shared.has_threshold);
}

static void what_is_given_takes_the_place_of_a_bundles(void)
{
    CHECK(parse("x") == ARGUMENTS_OK && o.own_thresholds && !o.shared.has_length &&
          !o.shared.has_min_matches);
    CHECK(parse("-t auto x") == ARGUMENTS_OK && !o.own_thresholds);
    CHECK(parse("-t 1 x") == ARGUMENTS_OK && !o.own_thresholds);
    CHECK(parse("-b 1 x") == ARGUMENTS_OK && !o.own_thresholds);
    CHECK(parse("-g 1,2 --min-matches 1 x") == ARGUMENTS_OK && o.shared.has_length &&
          o.shared.has_min_matches);
}

static void operands_are_a_template_and_inputs(void)
{
    CHECK(parse("-t 1 x a b") == ARGUMENTS_OK && o.shared.n_templates == 1 &&
          o.shared.n_inputs == 2);
    CHECK(strcmp(o.shared.inputs[1], "b") == 0);
    CHECK(parse("-e y=x -t 1 a b -e z") == ARGUMENTS_OK);
    CHECK(o.shared.n_templates == 2 && o.shared.n_inputs == 2 &&
          strcmp(o.shared.inputs[0], "a") == 0);
    CHECK(strcmp(o.shared.templates[0].label, "y") == 0);
    CHECK(parse("-e x -t 1") == ARGUMENTS_OK && strcmp(o.shared.inputs[0], "-") == 0);
    CHECK(parse("-t 1 -- -x -y") == ARGUMENTS_OK && strcmp(o.shared.templates[0].path, "-x") == 0);
    CHECK(strcmp(o.shared.inputs[0], "-y") == 0);
    CHECK(parse("-t1 - a") == ARGUMENTS_OK && strcmp(o.shared.templates[0].path, "-") == 0);
    CHECK(refused("-t1 - -", "standard input cannot be a template and an input"));
    CHECK(refused("-t1 -", "standard input cannot be a template and an input"));
    CHECK(refused("-t1 =x", "template '=x': the label is empty"));
    CHECK(refused("-t1 -e x=", "--template 'x=': the file name is empty"));
    CHECK(parse("-t1 x mic: mic:USB") == ARGUMENTS_OK &&
          strcmp(o.shared.inputs[1], "mic:USB") == 0);
    CHECK(parse("-t1 x ./mic:") == ARGUMENTS_OK);
}

static void nothing_at_all_gives_the_usage(void)
{
    CHECK(parse("") == ARGUMENTS_NONE);
    CHECK(parse("-t 1") == ARGUMENTS_NONE);
}

static void every_option_is_taken(void)
{
    CHECK(parse("-m 3 -b2 -g 0,64 -p diff+znorm=1 -f s16be -r 8000 --channels 2 x") ==
          ARGUMENTS_OK);
    CHECK(o.max_count == 3 && o.best == 2 && o.shared.length_min == 0 && o.shared.length_max == 64);
    CHECK(o.shared.source.format == SOURCE_S16 && o.shared.source.big_endian &&
          o.shared.source.rate_hz == 8000);
    CHECK(o.shared.source.channels == 2 && strcmp(o.shared.front_end, "diff+znorm=1") == 0);
    CHECK(parse("-t1 --channel=3 --time-column 2 --skip-bad -ojson -Thms -clqH x") == ARGUMENTS_OK);
    CHECK(o.shared.source.choice == CHANNEL_ONE && o.shared.source.channel == 3 &&
          o.shared.source.time_column == 2);
    CHECK(o.shared.source.skip_bad && o.output == &writer_json && o.times == TIME_HMS);
    CHECK(o.count && o.list_files && o.quiet && o.names == FILE_NAMES_ALWAYS);
    CHECK(parse("-t1 -H -h --scores s -dcpu -j4 --kernel k --chunk 9 x") == ARGUMENTS_OK);
    CHECK(o.names == FILE_NAMES_NEVER && strcmp(o.scores_path, "s") == 0 && o.shared.threads == 4);
    CHECK(strcmp(o.shared.device, "cpu") == 0 && strcmp(o.kernel, "k") == 0 && o.chunk == 9);
    CHECK(parse("-t1 --min-matches 2 --progress --stats -v x") == ARGUMENTS_OK);
    CHECK(o.shared.min_matches == 2 && o.progress && o.stats && o.shared.verbose);
    CHECK(!o.monitor && parse("-t1 --monitor x") == ARGUMENTS_OK && o.monitor);
    CHECK(parse("-t1 --monitor --progress x") == ARGUMENTS_BAD);
    CHECK(!o.has_page && parse("-t1 --monitor-page 8080 --progress x") == ARGUMENTS_OK);
    CHECK(o.has_page && o.page_port == 8080);
    CHECK(parse("-t1 --monitor-page 0 x") == ARGUMENTS_OK && o.has_page && o.page_port == 0);
    CHECK(parse("-t1 --monitor-page 65536 x") == ARGUMENTS_BAD);
    CHECK(parse("-t1 --monitor-page x") == ARGUMENTS_BAD);
    CHECK(parse("-t1 --monitor-page 0 --monitor x") == ARGUMENTS_BAD);
    CHECK(parse("-t1 --monitor-page 0 --range 1-2 x y") == ARGUMENTS_BAD);
    CHECK(parse("-t1 --hold 2.5 --save d -A1 -B 2 -C 3 --exec c x") == ARGUMENTS_OK);
    CHECK(o.hold_s == 2.5 && strcmp(o.save_folder, "d") == 0 && strcmp(o.exec_command, "c") == 0);
    CHECK(o.after_s == 1 && o.before_s == 2 && o.context_s == 3);
    CHECK(parse("-t1 --log l --stats-every 15,a,b --retry 0.5 x pipe") == ARGUMENTS_OK);
    CHECK(strcmp(o.log_path, "l") == 0 && o.stats_every_s == 15 && o.retry_s == 0.5);
    CHECK(strcmp(o.stats_path, "a,b") == 0);
}

static void columns_are_a_list_as_for_cut(void)
{
    CHECK(parse("-t1 --columns 2,4-6,1 x") == ARGUMENTS_OK && o.shared.source.n_columns == 5);
    static const size_t wanted[] = {2, 4, 5, 6, 1};
    CHECK(memcmp(o.shared.source.columns, wanted, sizeof wanted) == 0);
    CHECK(parse("-t1 --columns 1 --columns 3-3 x") == ARGUMENTS_OK &&
          o.shared.source.n_columns == 1);
    CHECK(o.shared.source.columns[0] == 3);
    static const char *const bad[] = {
        "0", "1,", ",1", "3-2", "1-", "-2", "1--2", "1-2-3", "99999999999999999999"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        char words[80];
        snprintf(words, sizeof words, "-t1 --columns %s x", bad[i]);
        CHECK_MSG(parse(words) == ARGUMENTS_BAD, "%s", words);
    }
    CHECK(refused("-t1 --columns 1-4097 x", "--columns '1-4097': more than 4096 columns"));
    CHECK(parse("-t1 --columns 1-4096 x") == ARGUMENTS_OK);
    CHECK(refused("-t1 --columns 1-4096,1 x", "--columns '1-4096,1': more than 4096 columns"));
}

static void bad_values_are_refused(void)
{
    CHECK(refused("-t abc x", "--threshold 'abc': neither auto nor a number, 0 or above"));
    CHECK(refused("-t -1 x", "--threshold '-1': neither auto nor a number, 0 or above"));
    CHECK(refused("-t nan x", "--threshold 'nan': neither auto nor a number, 0 or above"));
    CHECK(refused("-t Auto x", "--threshold 'Auto': neither auto nor a number, 0 or above"));
    CHECK(refused("-b 0 x", "--best '0': not a whole number, 1 or above"));
    CHECK(refused("-t1 -g 2,1 x", "--length '2,1': not MIN,MAX with 0 <= MIN <= MAX <= 64"));
    CHECK(refused("-t1 -g 1 x", "--length '1': not MIN,MAX with 0 <= MIN <= MAX <= 64"));
    CHECK(refused("-t1 -g 1,65 x", "--length '1,65': not MIN,MAX with 0 <= MIN <= MAX <= 64"));
    CHECK(refused("-t1 -r 0 x", "--rate '0': not a rate in Hz, from 1e-9 to 1e12"));
    CHECK(refused("-t1 -j 1025 x", "--threads '1025': not a whole number from 1 to 1024"));
    CHECK(refused("-t1 -d cuda:x x",
                  "--device 'cuda:x': unknown device (auto, cpu, cuda, cuda:N, cuda:all)"));
    CHECK(refused("-t1 -d gpu x",
                  "--device 'gpu': unknown device (auto, cpu, cuda, cuda:N, cuda:all)"));
    CHECK(
        refused("-t1 -o xml x", "--output 'xml': unknown format (text, json, csv, labels, raven)"));
    CHECK(refused("-t1 --scores - x", "--scores '-': standard output is for matches; name a file"));
}

static void options_that_exclude_each_other_are_refused(void)
{
    CHECK(refused("-t auto -b1 x", "--threshold and --best exclude each other"));
    CHECK(refused("-t1 -b1 x", "--threshold and --best exclude each other"));
    CHECK(refused("-b1 --min-matches 2 x", "--min-matches needs a threshold, so not --best"));
    CHECK(parse("-b1 --min-matches 1 x") == ARGUMENTS_OK);
    CHECK(refused("-b1 --hold 2 x", "--hold takes matches as they come, so not with --best"));
    CHECK(refused("-t1 -C 2 x", "--context belongs to --save DIR"));
    CHECK(refused("-b1 x mic:", "--best waits for the end of 'mic:': give --duration SECONDS"));
    CHECK(parse("-b1 --duration 2.5 x mic:") == ARGUMENTS_OK && o.shared.duration_s == 2.5);
    CHECK(refused("-t1 --duration 0 x", "--duration '0': not a number of seconds, above 0"));
}

static void a_state_may_say_which_stream_it_is(void)
{
    CHECK(parse("--state a,b x") == ARGUMENTS_OK && strcmp(o.state_path, "a,b") == 0);
    CHECK(o.state_stream == STATE_ANY);
    CHECK(parse("--state S --state a,replay x") == ARGUMENTS_OK);
    CHECK(strcmp(o.state_path, "a") == 0 && o.state_stream == STATE_REPLAY);
    CHECK(parse("--state a,continue x") == ARGUMENTS_OK && o.state_stream == STATE_CONTINUE);
    CHECK(refused("--state ,replay x", "--state ',replay': the file name is empty"));
    CHECK(refused("--state S x y z", "--state needs exactly one input"));
    CHECK(refused("--state S -q x y", "--state and --quiet exclude each other"));
}

static void unknown_options_are_refused(void)
{
    CHECK(refused("--keep d x", "unknown option '--keep'"));
    CHECK(refused("--keep=d x", "unknown option '--keep'"));
    CHECK(refused("-k 3 x", "unknown option '-k'"));
    CHECK(refused("-ck x", "unknown option '-k'"));
    CHECK(refused("-t1 x --chan 3", "option '--chan' is ambiguous"));
    CHECK(refused("--quiet=3 x", "option '--quiet' takes no argument"));
    CHECK(refused("x -t", "option '-t' needs an argument"));
    CHECK(refused("x --threshold", "option '--threshold' needs an argument"));
    CHECK(parse("-t1 --qui x") == ARGUMENTS_OK && o.quiet);
}

static void help_ends_the_parsing(void)
{
    CHECK(parse("--help -t abc") == ARGUMENTS_HELP);
    CHECK(parse("--version --nonsense") == ARGUMENTS_VERSION);
    CHECK(parse("--nonsense --help") == ARGUMENTS_BAD);
    CHECK(parse("--list-devices") == ARGUMENTS_OK && o.list_devices);
    CHECK(parse("--list-devices -v") == ARGUMENTS_OK && o.list_devices);
}

static void long_arguments_leave_room_for_the_reason(void)
{
    char long_word[1001], output[] = "-o", program[] = "sigrep";
    char *argv[] = {program, output, long_word, NULL};
    memset(long_word, 'x', sizeof long_word - 1);
    long_word[sizeof long_word - 1] = '\0';
    options_free(&o);
    CHECK(options_parse(&o, 3, argv, error) == ARGUMENTS_BAD);
    CHECK(strstr(error, "x': unknown format (text, json, csv, labels, raven)"));
}

int main(void)
{
    RUN(defaults_are_those_of_the_manual);
    RUN(without_an_option_the_threshold_is_estimated);
    RUN(what_is_given_takes_the_place_of_a_bundles);
    RUN(operands_are_a_template_and_inputs);
    RUN(nothing_at_all_gives_the_usage);
    RUN(every_option_is_taken);
    RUN(columns_are_a_list_as_for_cut);
    RUN(bad_values_are_refused);
    RUN(long_arguments_leave_room_for_the_reason);
    RUN(options_that_exclude_each_other_are_refused);
    RUN(a_state_may_say_which_stream_it_is);
    RUN(unknown_options_are_refused);
    RUN(help_ends_the_parsing);
    options_free(&o);
    return check_done();
}
