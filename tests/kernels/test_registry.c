/* kernels/registry.c: the table of kernels and the choice among them. */
#include <string.h>

#include "kernels/cuda/host/cuda.h"
#include "kernels/kernel.h"
#include "tests/check.h"

static bool chosen(const char *device, const char *name, const char *expected)
{
    sigrep_error error = {.text = ""};
    const kernel_ops *ops = kernel_choose(device, name, &error);
    return ops && strcmp(ops->name, expected) == 0 && !error.text[0];
}

static bool refused(const char *device, const char *name, const char *words)
{
    sigrep_error error = {.text = ""};
    bool none = !kernel_choose(device, name, &error);
    if (!none || strcmp(error.text, words) != 0) fprintf(stderr, "error: %s\n", error.text);
    return none && strcmp(error.text, words) == 0 && !kernel_choose(device, name, NULL);
}

static size_t n_kernels(void)
{
    size_t n = 0;
    while (kernel_at(n)) n++;
    return n;
}

static void names_are_distinct_and_the_table_ends(void)
{
    size_t n = n_kernels();
    CHECK(n >= 2);
    CHECK(!kernel_at(n + 1) && !kernel_at(SIZE_MAX));
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < i; j++) CHECK(strcmp(kernel_at(i)->name, kernel_at(j)->name) != 0);
}

/* All mandatory members, and optional tables whole. Kernels that are not usable have three. */
static bool has_all_functions(const kernel_ops *ops)
{
    return ops->best_chunk && ops->create && ops->destroy && ops->sweep && ops->reset &&
           ops->spacing && ops->checkpoint && (ops->seek || strcmp(ops->device, "cpu") != 0) &&
           (!ops->prefetch || (ops->prefetch->pin && ops->prefetch->copy));
}

static bool is_complete(const kernel_ops *ops)
{
    if (!ops->name || !ops->device || !ops->usable) return false;
    return !ops->usable() || has_all_functions(ops);
}

static void every_kernel_is_complete(void)
{
    for (size_t i = 0; kernel_at(i); i++) {
        const kernel_ops *ops = kernel_at(i);
        CHECK(is_complete(ops));
    }
}

static void the_reference_is_always_usable(void)
{
    CHECK(chosen("cpu", "scalar", "scalar"));
    CHECK(kernel_choose("cpu", "scalar", NULL)->usable());
}

static void without_a_name_the_first_usable_one_is_taken(void)
{
    size_t first = 0;
    while (!kernel_at(first)->usable()) first++;
    CHECK(chosen(NULL, NULL, kernel_at(first)->name));
    CHECK(chosen("auto", NULL, kernel_at(first)->name));
    CHECK(strcmp(kernel_choose("cpu", NULL, NULL)->device, "cpu") == 0);
}

static void by_name_any_usable_one_is_taken(void)
{
    for (size_t i = 0; kernel_at(i); i++)
        if (kernel_at(i)->usable()) CHECK(chosen("auto", kernel_at(i)->name, kernel_at(i)->name));
}

static void an_unknown_kernel_is_refused_in_words(void)
{
    CHECK(refused("auto", "abacus", "unknown kernel 'abacus'"));
    CHECK(refused(NULL, "Scalar", "unknown kernel 'Scalar'"));
    CHECK(refused("cpu", "", "unknown kernel ''"));
}

static void an_unknown_device_is_refused_in_words(void)
{
    CHECK(refused("abacus", NULL, "unknown device 'abacus'"));
    CHECK(refused("", "scalar", "unknown device ''"));
    CHECK(refused("cuda:", NULL, "unknown device 'cuda:'"));
    CHECK(refused("cuda:-1", NULL, "unknown device 'cuda:-1'"));
    CHECK(refused("cuda:1234", NULL, "unknown device 'cuda:1234'"));
    CHECK(refused("cuda2", NULL, "unknown device 'cuda2'"));
}

static void the_number_of_a_device_is_read(void)
{
    CHECK(kernel_device(NULL) == 0 && kernel_device("auto") == 0 && kernel_device("cuda") == 0);
    CHECK(kernel_device("cuda:0") == 0 && kernel_device("cuda:12") == 12);
}

static void all_gpus_take_turns(void)
{
    const int n = cuda_count() > 1 ? cuda_count() : 1, first = kernel_device("cuda:all");
    CHECK(first >= 0 && first < n);
    for (int i = 1; i <= 2 * n; i++) CHECK(kernel_device("cuda:all") == (first + i) % n);
}

/* A GPU is used if there is one. If not, the error names the reason, and no CPU kernel is chosen.
 */
static void a_gpu_is_used_or_refused_in_words(void)
{
    sigrep_error why = {.text = ""}, error = {.text = ""};
    bool usable = cuda_usable(0, &why);
    const kernel_ops *ops = kernel_choose("cuda", NULL, &error);
    CHECK(usable == (ops != NULL));
    if (usable) {
        CHECK(strcmp(ops->device, "cuda") == 0);
        CHECK(chosen("cuda:0", "cuda", "cuda"));
    } else {
        CHECK(why.text[0] && strstr(error.text, why.text) && strstr(error.text, "device 'cuda': "));
    }
    CHECK(!cuda_usable(999, NULL) && !kernel_choose("cuda:999", NULL, NULL));
}

static void a_kernel_of_another_device_is_refused(void)
{
    CHECK(refused("cpu", "cuda", "kernel 'cuda' is not one of device 'cpu'"));
}

static void the_public_list_is_the_table(void)
{
    size_t n = n_kernels();
    for (size_t i = 0; i < n; i++) {
        int usable = -1;
        const char *name = sigrep_kernel_name(i, &usable);
        CHECK(name && strcmp(name, kernel_at(i)->name) == 0);
        CHECK(usable == kernel_at(i)->usable());
        CHECK(sigrep_kernel_name(i, NULL) == name);
    }
    int usable = -1;
    CHECK(!sigrep_kernel_name(n, &usable) && usable == -1);
}

int main(void)
{
    RUN(names_are_distinct_and_the_table_ends);
    RUN(every_kernel_is_complete);
    RUN(the_reference_is_always_usable);
    RUN(without_a_name_the_first_usable_one_is_taken);
    RUN(by_name_any_usable_one_is_taken);
    RUN(an_unknown_kernel_is_refused_in_words);
    RUN(an_unknown_device_is_refused_in_words);
    RUN(the_number_of_a_device_is_read);
    RUN(all_gpus_take_turns);
    RUN(a_gpu_is_used_or_refused_in_words);
    RUN(a_kernel_of_another_device_is_refused);
    RUN(the_public_list_is_the_table);
    return check_done();
}
