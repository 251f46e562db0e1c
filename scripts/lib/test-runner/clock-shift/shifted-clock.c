/*
 * Loaded before the C library (LD_PRELOAD), shifts the clock of a process by CLOCK_SHIFT_SECONDS. Monotonic clocks, which
 * measure durations, aren't shifted. It asks the kernel directly and has no state, so the clock is shifted in signal
 * handlers too; PostgreSQL uses those for its timeouts.
 */
#define _GNU_SOURCE
#include <stdlib.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

static time_t shift_seconds;

__attribute__((constructor)) static void read_shift(void) {
  const char *seconds = getenv("CLOCK_SHIFT_SECONDS");
  if (seconds) shift_seconds = atoll(seconds);
}

int clock_gettime(clockid_t clock, struct timespec *result) {
  const int failed = syscall(SYS_clock_gettime, clock, result);
  if (!failed && (clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE)) result->tv_sec += shift_seconds;
  return failed;
}

int gettimeofday(struct timeval *restrict result, void *restrict zone) {
  const int failed = syscall(SYS_gettimeofday, result, zone);
  if (!failed) result->tv_sec += shift_seconds;
  return failed;
}

time_t time(time_t *result) {
  struct timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  if (result) *result = now.tv_sec;
  return now.tv_sec;
}
