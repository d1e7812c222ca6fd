/* own_file.h - a file of the library's own that the program does not know: the log, the trace.
 * Private. Programs close all descriptors that they did not open (`for (fd = 3; ...) close(fd)`, or
 * 0 to 2 in a daemon), and open others, which get the lowest free numbers. So our number is high;
 * before each write the file is tested, and opened again if it was replaced; the program's file is
 * left alone. Threads: one names the file, once; then any, in signal handlers too; no lock, no
 * memory. */
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

/* Makes the file again, for appending, with this at its head; how: 0 or PORTABLE__FILE_DEFAULT. 0, or what errno says, and then there is no path
 * either; f->fd is set last. */
int portable__own_file_create(struct portable__own_file *f, const char *path, size_t bytes, int how, const void *head, size_t head_bytes);

/* A number under which the file can be written now, or -1. */
int portable__own_file_now(struct portable__own_file *f);

/* Writes at the end of the file, in one call of the system. 0, or the errno that stopped it: then the caller ends the file. */
int portable__own_file_write(struct portable__own_file *f, const void *from, size_t bytes);

/* "portable: warning: WHAT cannot be written any more (reason); it ends here", on standard error, by the thread that ends the file. */
void portable__own_file_fails(struct portable__own_file *f, const char *what, int error);

/* No writes any more. 1 for the thread that has ended it. */
int portable__own_file_end(struct portable__own_file *f);

#endif
