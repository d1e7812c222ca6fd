/* own_file.c - see own_file.h. */
#define _GNU_SOURCE
#include "own_file.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "edge.h"

enum { HIGH = 200 };

/* The program may not have as many; but where it has closed 0 to 2, its next files shall get those. */
static int put_high(int low) {
  int fd = fcntl(low, F_DUPFD_CLOEXEC, HIGH);
  if (fd < 0 && low <= STDERR_FILENO) fd = fcntl(low, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
  if (fd < 0) return low;
  close(low);
  return fd;
}

static int is_it(const struct portable__own_file *f, int fd) {
  struct stat s;
  return fstat(fd, &s) == 0 && s.st_dev == f->device && s.st_ino == f->inode;
}

static PORTABLE__COLD int again(struct portable__own_file *f, int fd) {
  int fresh = open(f->path, O_WRONLY | O_APPEND | O_CLOEXEC), there = fd;
  if (fresh < 0) return -1;
  fresh = put_high(fresh);
  if (is_it(f, fresh) && atomic_compare_exchange_strong(&f->fd, &there, fresh)) return fresh;
  close(fresh);
  return there != fd ? there : -1; /* another thread was faster */
}

int portable__own_file_now(struct portable__own_file *f) {
  int fd = atomic_load(&f->fd);
  return fd < 0 || is_it(f, fd) ? fd : again(f, fd);
}

int portable__own_file_end(struct portable__own_file *f) { return atomic_exchange(&f->fd, -1) >= 0; }

int portable__own_file_create(struct portable__own_file *f, const char *path, size_t bytes, const void *head, size_t head_bytes) {
  if (bytes >= sizeof f->path) return ENAMETOOLONG;
  memcpy(f->path, path, bytes);
  f->path[bytes] = '\0';
  int fd = open(f->path, O_WRONLY | O_CREAT | O_TRUNC | O_APPEND | O_CLOEXEC, 0666);
  int why = fd < 0 ? errno : 0;
  struct stat s;
  errno = 0;
  if (!why && head_bytes && write(fd, head, head_bytes) != (ssize_t)head_bytes) why = errno ? errno : ENOSPC;
  if (!why && fstat(fd, &s) != 0) why = errno;
  if (why) {
    if (fd >= 0) close(fd);
    f->path[0] = '\0';
    return why;
  }
  f->device = s.st_dev;
  f->inode = s.st_ino;
  atomic_store(&f->fd, put_high(fd));
  return 0;
}
