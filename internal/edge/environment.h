/* environment.h - how the library reads the environment. Private; the functions are in
 * environment.c.
 *
 * A privileged program has capabilities or a user number that its user lacks. The
 * dynamic linker ignores LD_PRELOAD there, and the library ignores variables that name a file, a
 * folder or a library. Threads: any, while no thread changes the environment. */
#ifndef PORTABLE__ENVIRONMENT_H
#define PORTABLE__ENVIRONMENT_H

/* The value, or NULL: the variable is not set, or is refused in this process. All reads of variables of the library go
 * through it. */
const char *portable__getenv(const char *name);

/* Whether a privileged program refuses the variable with this value. */
int portable__names_file(const char *name, const char *value);

/* What Go's runtime finds behind the program's arguments: the variables and the auxiliary vector as they are, and GODEBUG with asyncpreemptoff=1 unless
 * the user says something else of it. For the thread that starts Go, once. */
char **portable__go_arguments(int count, char **arguments);

/* 1: the kernel started the program with privileges that its user lacks (AT_SECURE). */
int portable__is_privileged(void);

#endif
