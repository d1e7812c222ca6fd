/* file.c - opens and writes files that users name, without hanging or ending the program. In C
 * because signal handlers write the log and the trace, and because Go's files would leave
 * descriptors of its poller in the program. Its twin for files that Go reads is
 * internal/outside/files.go. Not in this file: how a file keeps its number
 * (internal/tracing/own_file.c). Threads: any; no function takes a lock or memory. */
#define _GNU_SOURCE
#include "file.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define WRONG_KIND EMEDIUMTYPE /* open returns this number for no file that it opens */
#define PATIENCE 5000          /* ms that a writer waits for the reader of a FIFO */

static int fails(int fd, int why) {
  close(fd);
  errno = why;
  return -1;
}

/* Recognises the name of a file that the program got from its parent; writes to it wait for the reader, as the
 * program's own do. */
static int is_inherited(const char *path) {
  return strncmp(path, "/dev/std", 8) == 0 || strncmp(path, "/dev/fd/", 8) == 0 || strncmp(path, "/proc/self/fd/", 14) == 0;
}

int portable__open_output(const char *path, int how) {
  const int fresh = how & PORTABLE__FILE_AGAIN ? 0 : O_CREAT | O_TRUNC, end = how & PORTABLE__FILE_APPEND ? O_APPEND : 0;
  const int link = how & PORTABLE__FILE_DEFAULT ? O_NOFOLLOW : 0;
  struct stat s;
  int fd = open(path, O_WRONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC | fresh | end | link, 0666);
  if (fd < 0) return -1;
  if (fstat(fd, &s) != 0) return fails(fd, errno);
  if (!S_ISREG(s.st_mode) && !S_ISCHR(s.st_mode) && !S_ISFIFO(s.st_mode)) return fails(fd, WRONG_KIND);
  if ((S_ISCHR(s.st_mode) || is_inherited(path)) && fcntl(fd, F_SETFL, end) != 0) return fails(fd, errno);
  return fd;
}

int portable__open_input(const char *path) {
  struct stat s;
  int fd = open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
  if (fd < 0) return -1;
  if (fstat(fd, &s) != 0) return fails(fd, errno);
  return S_ISREG(s.st_mode) ? fd : fails(fd, WRONG_KIND);
}

int portable__check_library(const char *path) {
  struct stat s;
  if (!strchr(path, '/')) return 0;
  if (stat(path, &s) != 0) return errno == ENAMETOOLONG ? errno : 0; /* dlopen reports it; it also knows $ORIGIN and $LIB */
  return S_ISREG(s.st_mode) ? 0 : WRONG_KIND;
}

static int put_all(int fd, const char *from, size_t bytes) {
  while (bytes > 0) {
    ssize_t n = write(fd, from, bytes);
    if (n < 0 && errno == EAGAIN) {
      struct pollfd p = {fd, POLLOUT, 0};
      if (poll(&p, 1, PATIENCE) == 0) return EAGAIN;
    } else if (n < 0 && errno != EINTR) {
      return errno;
    } else if (n == 0) {
      return ENOSPC;
    } else if (n > 0) {
      from += n;
      bytes -= (size_t)n;
    }
  }
  return 0;
}

/* Both signals go to the thread that writes. A signal that was pending before stays pending. */
int portable__write_all(int fd, const void *from, size_t bytes) {
  static const struct timespec now = {0, 0};
  sigset_t ours, before, pending;
  const int error = errno;
  sigemptyset(&ours);
  sigaddset(&ours, SIGPIPE);
  sigaddset(&ours, SIGXFSZ);
  sigpending(&pending);
  if (sigismember(&pending, SIGPIPE)) sigdelset(&ours, SIGPIPE);
  if (sigismember(&pending, SIGXFSZ)) sigdelset(&ours, SIGXFSZ);
  pthread_sigmask(SIG_BLOCK, &ours, &before);
  const int why = put_all(fd, from, bytes);
  if (why == EPIPE || why == EFBIG)
    while (sigtimedwait(&ours, NULL, &now) < 0 && errno == EINTR) continue;
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  errno = error;
  return why;
}

const char *portable__file_reason(int error) {
  switch (error) {
  case ENOSPC: return "No space left on device";
  case EDQUOT: return "Disk quota exceeded";
  case EFBIG: return "File too large";
  case EPIPE: return "Broken pipe: no process reads it";
  case EAGAIN: return "no process has read it for 5 seconds";
  case ENXIO: return "it is a FIFO that no process reads, or a socket";
  case ELOOP: return "it is a symbolic link, which a file with a default name does not follow";
  case WRONG_KIND: return "it is not a regular file";
  case ENOENT: return "No such file or directory";
  case EACCES: return "Permission denied";
  case EISDIR: return "it is a folder";
  case ENOTDIR: return "a part of its path is not a folder";
  case EROFS: return "Read-only file system";
  case ENAMETOOLONG: return "its name is too long";
  case ENOMEM: return "no memory";
  case EMFILE: return "Too many open files";
  case EBADF: return "the program has closed it";
  default: return "I/O error";
  }
}
