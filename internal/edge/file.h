/* file.h - files that a user or a variable names, opened and written so that none of them hangs or ends the program: see file.c. Private. */
#ifndef PORTABLE__FILE_H
#define PORTABLE__FILE_H

#include <stddef.h>

enum {
  PORTABLE__FILE_APPEND = 1,  /* writes go to the end of the file */
  PORTABLE__FILE_DEFAULT = 2, /* the library has made up the name: a symbolic link of that name is somebody else's, and is not followed */
  PORTABLE__FILE_AGAIN = 4    /* opened before: it is neither made nor emptied */
};

/* A file to write: a regular file, a character device, or a FIFO that somebody reads. Its number, or -1 with errno. */
int portable__open_output(const char *path, int how);

/* A regular file to read. Its number, or -1 with errno. */
int portable__open_input(const char *path);

/* Before dlopen, which waits for a writer where path is a FIFO. 0: path is a regular file, or a name that the loader searches for; else an errno. */
int portable__check_library(const char *path);

/* Writes all of it. 0, or the errno that stopped it. SIGPIPE and SIGXFSZ do not reach the program. In signal handlers too. */
int portable__write_all(int fd, const void *from, size_t bytes);

/* Why a file can not be opened or written, for the numbers that the functions above give. Never NULL; in signal handlers too. */
const char *portable__file_reason(int error);

#endif
