/*
 * time_zone.h - the zone of the program, a name of the IANA Time Zone Database, by the C library.
 *
 *     local clock   01:59 03:00 03:01        02:59 02:00 02:01
 *     UTC           00:59 01:00 01:01        00:59 01:00 01:01
 *                   02:30 never comes        02:30 comes twice
 */
#ifndef IO_TIME_TIME_ZONE_H
#define IO_TIME_TIME_ZONE_H

#include <stdbool.h>
#include <stdint.h>

/* Take this zone, "Europe/Berlin". It becomes TZ in the environment, so call it before other
 * threads begin. false: the system does not know it, or there is no memory. */
bool time_zone_set(const char *name);

/* How far local time is ahead of UTC at this time since 1970, in s; whole minutes. */
int32_t time_zone_offset_s(int64_t utc_s);

/* The time at which clocks show `local_s`, seconds since 1970 as if the clock were UTC. Returns how
 * often they show it: once, never, or twice, of which *utc_s is the first. Never: the clocks skip
 * it, and *utc_s is not set. */
unsigned time_zone_to_utc(int64_t local_s, int64_t *utc_s);

#endif
