/* Preloaded (LD_PRELOAD): every flush to disk takes SLOW_FSYNC_MS milliseconds longer, as on a cloud volume or a bad disk. */
#define _GNU_SOURCE
#include <stdlib.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static void wait_a_little(void) {
  const char *text = getenv("SLOW_FSYNC_MS");
  long ms = text ? atol(text) : 0;
  struct timespec pause = {ms / 1000, (ms % 1000) * 1000000};
  nanosleep(&pause, 0);
}

int fsync(int file) {
  wait_a_little();
  return (int)syscall(SYS_fsync, file);
}

int fdatasync(int file) {
  wait_a_little();
  return (int)syscall(SYS_fdatasync, file);
}
