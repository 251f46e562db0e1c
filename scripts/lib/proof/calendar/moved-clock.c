/*
 * Loaded before the C library (LD_PRELOAD), moves the clock of a process by as many seconds as CLOCK_MOVED_BY says.
 * The clocks that measure waiting stay, so nothing waits longer. It asks the kernel itself and keeps nothing: the clock
 * is moved in handlers of signals too, by which PostgreSQL ends what waits too long.
 */
#define _GNU_SOURCE
#include <stdlib.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

static time_t moved_by;

__attribute__((constructor)) static void read_distance(void) {
  const char *seconds = getenv("CLOCK_MOVED_BY");
  if (seconds) moved_by = atoll(seconds);
}

int clock_gettime(clockid_t clock, struct timespec *at) {
  const int failed = syscall(SYS_clock_gettime, clock, at);
  if (!failed && (clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE)) at->tv_sec += moved_by;
  return failed;
}

int gettimeofday(struct timeval *restrict at, void *restrict zone) {
  const int failed = syscall(SYS_gettimeofday, at, zone);
  if (!failed) at->tv_sec += moved_by;
  return failed;
}

time_t time(time_t *into) {
  struct timespec at;
  clock_gettime(CLOCK_REALTIME, &at);
  if (into) *into = at.tv_sec;
  return at.tv_sec;
}
