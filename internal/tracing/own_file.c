/* own_file.c - opens, tests and writes files of the library's own (own_file.h). In C because signal
 * handlers write them. Threads: any; no lock, no memory. */
#define _GNU_SOURCE
#include "../edge/base.h"
#include "own_file.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../edge/file.h"
#include "../edge/line.h"

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
  int fresh = portable__open_output(f->path, f->how | PORTABLE__FILE_AGAIN), there = fd;
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

int portable__own_file_write(struct portable__own_file *f, const void *from, size_t bytes) {
  int fd = portable__own_file_now(f);
  ssize_t n = 0;
  if (fd < 0) return EBADF;
  if (f->plain) {
    if (atomic_fetch_add_explicit(&f->written, bytes, memory_order_relaxed) + bytes > f->most) return EFBIG;
    do n = write(fd, from, bytes);
    while (n < 0 && errno == EINTR);
    if (n == (ssize_t)bytes) return 0;
    if (n < 0) return errno;
  }
  return portable__write_all(fd, (const char *)from + n, bytes - (size_t)n); /* a full disk takes a part first, and then says why */
}

PORTABLE__COLD void portable__own_file_fails(struct portable__own_file *f, const char *what, int error) {
  char text[200];
  struct portable__line line = PORTABLE__LINE_IN(text);
  if (!portable__own_file_end(f)) return; /* another thread has said so */
  portable__line_text(&line, "portable: warning: ");
  portable__line_text(&line, what);
  portable__line_text(&line, " cannot be written any more (");
  portable__line_text(&line, portable__file_reason(error));
  portable__line_text(&line, "); it ends here");
  portable__line_end(&line);
  (void)portable__write_all(STDERR_FILENO, line.text, line.at); /* without SIGPIPE and SIGXFSZ: standard error may be lost, too */
}

int portable__own_file_create(struct portable__own_file *f, const char *path, size_t bytes, int how, const void *head, size_t head_bytes) {
  struct rlimit limit;
  struct stat s;
  if (bytes >= sizeof f->path) return ENAMETOOLONG;
  f->most = getrlimit(RLIMIT_FSIZE, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY ? limit.rlim_cur : UINT64_MAX;
  if (f->most <= head_bytes) return EFBIG;
  memcpy(f->path, path, bytes);
  f->path[bytes] = '\0';
  f->how = how | PORTABLE__FILE_APPEND;
  int fd = portable__open_output(f->path, f->how);
  int why = fd < 0 ? errno : fstat(fd, &s) != 0 ? errno : 0;
  if (!why && head_bytes) why = portable__write_all(fd, head, head_bytes);
  if (why) {
    if (fd >= 0) close(fd);
    f->path[0] = '\0';
    return why;
  }
  f->plain = S_ISREG(s.st_mode);
  f->device = s.st_dev;
  f->inode = s.st_ino;
  atomic_store(&f->written, head_bytes);
  atomic_store(&f->fd, put_high(fd));
  return 0;
}
