/* file.h - opens and writes files that a user or a variable names; none of them hangs or ends the
 * program. Private. */
#ifndef PORTABLE__FILE_H
#define PORTABLE__FILE_H

#include <stddef.h>

enum {
  PORTABLE__FILE_APPEND = 1,  /* writes go to the end of the file */
  PORTABLE__FILE_DEFAULT = 2, /* the library has chosen the name: a symbolic link of that name is not followed */
  PORTABLE__FILE_AGAIN = 4    /* opened before: it is neither made nor emptied */
};

/* Opens a file to write: a regular file, a character device, or a FIFO with a reader. Returns its number, or -1 with
 * errno. */
int portable__open_output(const char *path, int how);

/* Opens a regular file to read. Returns its number, or -1 with errno. */
int portable__open_input(const char *path);

/* Call it before dlopen, which would wait for a writer if path is a FIFO. 0: a regular file, or a name that the loader
 * searches for; else an errno. */
int portable__check_library(const char *path);

/* Writes all bytes. Returns 0, or the errno that stopped it. The program gets no SIGPIPE and no SIGXFSZ. Signal
 * handlers may call it. */
int portable__write_all(int fd, const void *from, size_t bytes);

/* Why a file cannot be opened or written, for the numbers that the functions above return. Never NULL. Signal handlers
 * may call it. */
const char *portable__file_reason(int error);

#endif
