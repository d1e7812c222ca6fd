/* static.c - fits the archive into static programs, and into shared libraries that are closed
 * again. For the linker and the loader, before Go runs. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <link.h>
#include <pthread.h>


/* In a static program, weak references of libgfortran to these functions stay empty unless another object needs them. With a part of
 * them, libgfortran crashes at exit. */
__attribute__((used)) static void (*const kept[])(void) = {
#define KEEP(f) (void (*)(void))f
    KEEP(pthread_cond_broadcast), KEEP(pthread_cond_destroy), KEEP(pthread_cond_init), KEEP(pthread_cond_signal),
    KEEP(pthread_cond_wait), KEEP(pthread_create), KEEP(pthread_detach), KEEP(pthread_equal),
    KEEP(pthread_getspecific), KEEP(pthread_join), KEEP(pthread_key_create), KEEP(pthread_key_delete),
    KEEP(pthread_mutex_destroy), KEEP(pthread_mutex_init), KEEP(pthread_mutex_lock), KEEP(pthread_mutex_trylock),
    KEEP(pthread_mutex_unlock), KEEP(pthread_once), KEEP(pthread_self), KEEP(pthread_setspecific)};

/* Weak, and dlopen by its name: a static program has no loader and needs none, and the linker warns of dlopen. */
#pragma weak dladdr1
#pragma weak dlsym

/* Go's threads run for ever, so the shared library that holds this archive must stay when it is closed. The
 * program itself, whose name in the loader's list is empty, stays anyway. */
__attribute__((constructor)) static void stay(void) {
  Dl_info info;
  struct link_map *map = NULL;
  void *(*open)(const char *, int);
  if (!dladdr1 || !dlsym || !dladdr1((void *)(uintptr_t)kept, &info, (void **)&map, RTLD_DL_LINKMAP)) return;
  if (!map || !map->l_name || !map->l_name[0]) return;
  *(void **)&open = dlsym(RTLD_DEFAULT, "dlopen");
  if (open) open(map->l_name, RTLD_NOW | RTLD_NOLOAD | RTLD_NODELETE);
}
