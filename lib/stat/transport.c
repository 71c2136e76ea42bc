#include "stat/transport.h"

#include <stdbool.h>

/* The report that speaks for all: of the lowest failing chunk; ranks in order among equals. NULL: all is
 * well. */
static const lem_report *first_failure(const lem_report *all, int ranks) {
    const lem_report *first = NULL;
    for (int r = 0; r < ranks; r++)
        if (all[r].status && (!first || all[r].chunk < first->chunk))
            first = &all[r];
    return first;
}

/* The first rank that is elsewhere than rank 0; 0: none. */
static int astray(const lem_report *all, int ranks) {
    for (int r = 1; r < ranks; r++)
        if (all[r].where != all[0].where)
            return r;
    return 0;
}

int lem_transport_agree(const lem_transport *transport, const lem_report *mine) {
    const lem_report *all = transport->agree(mine, transport->ctx);
    if (!all)
        return GSL_EFAILED;
    const lem_report *failure = first_failure(all, transport->ranks);
    int stray = astray(all, transport->ranks);
    /* A failure that not all ranks can have met is told with the rank it is of. */
    if (failure && stray)
        return LEM_ERROR(failure->status, "rank %d of %d: %.*s", (int)(failure - all), transport->ranks,
                         (int)sizeof failure->sentence, failure->sentence);
    if (failure)
        return LEM_ERROR(failure->status, "%.*s", (int)sizeof failure->sentence, failure->sentence);
    if (stray)
        return LEM_ERROR(
            GSL_EFAILED,
            "ranks 0 and %d of %d went different ways: all must be the same program with the same "
            "arguments, data and kind of machine",
            stray, transport->ranks);
    return GSL_SUCCESS;
}
