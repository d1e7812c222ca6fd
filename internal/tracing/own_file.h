/* own_file.h - a file that the library writes at any time and the program does not know of: the log, the trace. Private.
 *
 * Programs close what they have not opened (`for (fd = 3; ...) close(fd)`, a daemon that closes 0 to 2 as well) and open files of theirs, which get the
 * lowest free number. So the number of ours is high, and before each write it is looked whether that is still the file; else it is
 * opened again. What the program has there by now is its own.
 *
 * Threads: one, once, says which file it is; then any, at any time, in signal handlers too: nothing takes a lock or memory. */
#ifndef PORTABLE__OWN_FILE_H
#define PORTABLE__OWN_FILE_H

#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

struct portable__own_file {
  _Atomic int fd; /* -1: not open; never closed, or a thread that is about to write could find another file under its number */
  int how;        /* PORTABLE__FILE_... */
  int plain;      /* a regular file: no write to it raises SIGPIPE */
  dev_t device;   /* which file it is */
  ino_t inode;
  uint64_t most; /* bytes that a file of this process may have: beyond, the system would end the program */
  _Atomic uint64_t written;
  char path[4096]; /* absolute: the program may be in another folder by then */
};

/* Makes the file anew, for appending, with this at its head; how: 0 or PORTABLE__FILE_DEFAULT. 0, or what errno says, and then there is no path
 * either; f->fd is set last. */
int portable__own_file_create(struct portable__own_file *f, const char *path, size_t bytes, int how, const void *head, size_t head_bytes);

/* A number under which the file can be written now, or -1. */
int portable__own_file_now(struct portable__own_file *f);

/* Writes at the end of the file, in one call of the system. 0, or the errno that stopped it: then the caller ends the file. */
int portable__own_file_write(struct portable__own_file *f, const void *from, size_t bytes);

/* "portable: warning: WHAT can not be written any more (reason); it ends here", on standard error, by the thread that ends the file. */
void portable__own_file_fails(struct portable__own_file *f, const char *what, int error);

/* No writes any more. 1 for the thread that has ended it. */
int portable__own_file_end(struct portable__own_file *f);

#endif
