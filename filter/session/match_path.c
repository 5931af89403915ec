/* match_path.c - the warping path of the match that is called back; see session.h. */
#include "filter/session/session.h"

#include <stdlib.h>

#include "filter/search/match_list.h"
#include "filter/search/path.h"
#include "filter/search/searches.h"
#include "filter/session/span_samples.h"
#include "filter/session/template.h"
#include "kernels/float_env.h"
#include "kernels/zmatch/zmatch.h"

/* In longest matches: from the start of a match until it is delivered. */
enum { WAIT_ALONE = 2, WAIT_IN_GROUP = 11 };

void match_path_free(match_path *path)
{
    free(path->pairs);
    free(path->frames);
}

size_t match_path_keeps(const sigrep *session)
{
    size_t longest = 0;
    if (!session->path.is_wanted || session->best_wanted) return 0;
    for (size_t j = 0; j < session->n_templates; j++) {
        const size_t length_max = (size_t)session->templates[j].gate.length_max;
        if (length_max > longest) longest = length_max;
    }
    return (session->n_templates > 1 ? WAIT_IN_GROUP : WAIT_ALONE) * longest;
}

/* The frames of the match. A best-of search reads them back from its store. */
static sigrep_status find_frames(sigrep *session, const frame_match *match, const float **frames)
{
    const sigrep_store *store = &session->store;
    const size_t n = (size_t)(match->end - match->start);
    *frames = NULL;
    if (!session->best_wanted) *frames = searches_frames(session->searches, match->start);
    if (*frames && !session->normalises) return SIGREP_OK;
    free(session->path.frames);
    float *own = session->path.frames = malloc(n * session->dim * sizeof *own);
    if (!own) return SIGREP_NO_MEMORY;
    if (!*frames && store->read(store->user, match->start, own, n, session->dim))
        return SIGREP_STORE_FAILED;
    if (session->normalises && !zmatch_normalise(own, *frames ? *frames : own, n))
        return SIGREP_BAD_STATE; /* it was forged: a flat window is no match */
    *frames = own;
    return SIGREP_OK;
}

static sigrep_status find_path(sigrep *session, const frame_match *match, size_t *n)
{
    match_path *path = &session->path;
    const template *x = &session->templates[match->index];
    path_problem problem = {.x = x->frames,
                            .m = x->length,
                            .n = (size_t)(match->end - match->start),
                            .dim = session->dim,
                            .d = match->d,
                            .has_band = session->normalises,
                            .band = zmatch_band(session->band, x->length),
                            .stop = &path->stop};
    sigrep_status status = find_frames(session, match, &problem.y);
    if (status) return status;
    free(path->pairs);
    path->pairs = malloc((problem.m + problem.n) * sizeof *path->pairs);
    return path->pairs ? path_find(&problem, path->pairs, n) : SIGREP_NO_MEMORY;
}

sigrep_status sigrep_get_path(sigrep *session, const sigrep_pair **pairs, size_t *n)
{
    const match_path *path = &session->path;
    *pairs = NULL;
    *n = 0;
    if (!path->is_wanted || !path->match) return SIGREP_BAD_CONFIG;
    const float_env before = float_env_enter();
    const sigrep_status status = find_path(session, path->match, n);
    float_env_leave(before);
    if (status) return status;
    for (size_t i = 0; i < *n; i++) {
        sigrep_pair *pair = &path->pairs[i];
        const uint64_t frame = path->match->start + pair->match_frame;
        span_samples_of(path->where, &session->timing, frame, frame + 1, path->start, &pair->start,
                        &pair->end);
    }
    *pairs = path->pairs;
    return SIGREP_OK;
}
