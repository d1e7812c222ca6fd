/* trace_modules.c - lists the files that are mapped as code, with addresses, build ids and tables
 * of frames (stack_rules.c): symbols are looked up in them later. The list only grows, and is read
 * without a lock; a closed module whose place another one has is marked empty. A search asks the
 * dynamic linker, which takes a lock, so handlers do not search. */
#define _GNU_SOURCE
#include <link.h>
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>
#include <unistd.h>

#include "../edge/file.h"
#include "trace.h"

#define MODULES 1024

static struct portable__module modules[MODULES];
static _Atomic int32_t count;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* guards additions */
static unsigned long long seen_adds, seen_subs;
_Atomic uint32_t portable__modules_changed;

static int same_place(const struct portable__module *a, const struct portable__module *b) {
  return a->start < b->end && b->start < a->end;
}

/* "  GNU" notes of type 3 hold the id. */
static void build_id(const char *note, size_t bytes, char *hex, size_t room) {
  while (bytes >= sizeof(ElfW(Nhdr))) {
    ElfW(Nhdr) h;
    memcpy(&h, note, sizeof h);
    size_t name = (h.n_namesz + 3u) & ~3u, all = sizeof h + name + ((h.n_descsz + 3u) & ~3u);
    if (all > bytes) return;
    if (h.n_type == NT_GNU_BUILD_ID && h.n_namesz == 4 && memcmp(note + sizeof h, "GNU", 4) == 0) {
      const unsigned char *id = (const unsigned char *)note + sizeof h + name;
      size_t at = 0;
      for (size_t i = 0; i < h.n_descsz && at + 2 < room; i++) {
        hex[at++] = "0123456789abcdef"[id[i] >> 4];
        hex[at++] = "0123456789abcdef"[id[i] & 15];
      }
      hex[at] = '\0';
      return;
    }
    note += all;
    bytes -= all;
  }
}

static void write_module(const struct portable__module *m, const char *path, const char *id) {
  struct portable__trace_record r;
  portable__trace_begin(&r, PORTABLE__TRACE_MODULE);
  portable__trace_u64(&r, m->start);
  portable__trace_u64(&r, m->end);
  portable__trace_u64(&r, m->bias);
  portable__trace_text(&r, path);
  portable__trace_text(&r, id);
  portable__trace_put(&r);
}

/* Static programs have the tables of frames, but no list of them, and nothing in memory says where they are: the file does. */
static void find_table(struct portable__module *m, const char *path) {
  int fd = portable__open_input(path);
  ElfW(Ehdr) file;
  ElfW(Shdr) names, s;
  if (fd < 0) return;
  if (pread(fd, &file, sizeof file, 0) == (ssize_t)sizeof file && memcmp(file.e_ident, ELFMAG, SELFMAG) == 0 && file.e_shentsize == sizeof s &&
      pread(fd, &names, sizeof names, (off_t)(file.e_shoff + (uint64_t)file.e_shstrndx * sizeof s)) == (ssize_t)sizeof names)
    for (int i = 0; i < file.e_shnum && !m->table; i++) {
      char name[10];
      if (pread(fd, &s, sizeof s, (off_t)(file.e_shoff + (uint64_t)i * sizeof s)) != (ssize_t)sizeof s) break;
      if (pread(fd, name, sizeof name, (off_t)(names.sh_offset + s.sh_name)) != (ssize_t)sizeof name) continue;
      if (memcmp(name, ".eh_frame", sizeof name) != 0 || s.sh_type == SHT_NOBITS) continue;
      m->table = (const unsigned char *)(m->bias + s.sh_addr);
      m->table_end = m->table + s.sh_size;
    }
  close(fd);
}

/* Locked. */
static int see(struct dl_phdr_info *info, size_t bytes, void *payload) {
  struct portable__module m = {.start = UINTPTR_MAX, .bias = info->dlpi_addr};
  char id[80] = "", own[2048];
  const char *path = info->dlpi_name;
  (void)payload;
  if (bytes >= offsetof(struct dl_phdr_info, dlpi_subs) + sizeof info->dlpi_subs) {
    seen_adds = info->dlpi_adds;
    seen_subs = info->dlpi_subs;
  }
  for (int i = 0; i < info->dlpi_phnum; i++) {
    const ElfW(Phdr) *p = &info->dlpi_phdr[i];
    uintptr_t at = info->dlpi_addr + p->p_vaddr;
    if (p->p_type == PT_LOAD && p->p_flags & PF_X) {
      if (at < m.start) m.start = at;
      if (at + p->p_memsz > m.end) m.end = at + p->p_memsz;
    } else if (p->p_type == PT_NOTE && !id[0]) {
      build_id((const char *)at, p->p_memsz, id, sizeof id);
    } else if (p->p_type == PT_GNU_EH_FRAME) {
      m.frames = (const unsigned char *)at;
    }
  }
  int32_t n = atomic_load(&count);
  if (m.end == 0) return 0;
  for (int32_t i = 0; i < n; i++) {
    if (modules[i].start == m.start && modules[i].end == m.end && modules[i].bias == m.bias) return 0;
    if (same_place(&modules[i], &m)) {
      modules[i].end = 0;
      atomic_fetch_add(&portable__modules_changed, 1);
    }
  }
  if (n == MODULES) return 1;
  if (!path || !path[0]) {
    ssize_t k = n == 0 ? readlink("/proc/self/exe", own, sizeof own - 1) : 0;
    own[k > 0 ? k : 0] = '\0';
    path = own;
  }
  if (!m.frames && path[0] == '/') find_table(&m, path);
  modules[n] = m;
  atomic_store(&count, n + 1);
  write_module(&m, path, id);
  return 0;
}

void portable__modules_look(void) {
  pthread_mutex_lock(&lock);
  dl_iterate_phdr(see, NULL);
  pthread_mutex_unlock(&lock);
}

static const struct portable__module *among(uintptr_t address) {
  int32_t n = atomic_load_explicit(&count, memory_order_acquire);
  for (int32_t i = n; i-- > 0;)
    if (address >= modules[i].start && address < modules[i].end) return &modules[i];
  return NULL;
}

/* Code that is in no module - made at run time, a nested procedure of Fortran's - would have every stack ask the linker again: it is asked
 * when its count of modules has changed, which is looked at only so often. */
static int first_of_few(struct dl_phdr_info *info, size_t bytes, void *changed) {
  *(int *)changed = bytes < offsetof(struct dl_phdr_info, dlpi_subs) + sizeof info->dlpi_subs || info->dlpi_adds != seen_adds ||
                    info->dlpi_subs != seen_subs;
  return 1;
}

const struct portable__module *portable__module_of(uintptr_t address, int may_look) {
  const struct portable__module *m = among(address);
  int changed = 0;
  if (m || !may_look) return m;
  dl_iterate_phdr(first_of_few, &changed);
  if (!changed) return NULL;
  portable__modules_look();
  return among(address);
}
