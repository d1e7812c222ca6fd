/* modules.cpp - images made by the fake NVRTC: "PTX" is text with a shared object in hexadecimal digits, "cubin" the shared object itself. Modules,
 * functions, globals, attributes, occupancy. Not in this file: launches (launch.cpp). */
#include <dlfcn.h>
#include <elf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>

#include "fake.h"

namespace fake {
namespace {

int made;

int digit(char c) { return c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1; }

/* The shared object in an image, and whether it came as text. */
CUresult unpack(const char *image, std::string *object, bool *text, std::string *log) {
  *text = memcmp(image, ELFMAG, SELFMAG) != 0;
  if (!*text) {
    Elf64_Ehdr h;
    memcpy(&h, image, sizeof h);
    if (h.e_machine == 190) {
      *log = "a true cubin cannot be run by the fake";
      return NO_BINARY_FOR_GPU;
    }
    if (h.e_machine == 224) { /* the fake hiprtc's code object */
      Elf64_Phdr part;
      memcpy(&part, image + h.e_phoff, sizeof part);
      image += part.p_offset;
      memcpy(&h, image, sizeof h);
    }
    object->assign(image, h.e_shoff + size_t(h.e_shnum) * h.e_shentsize);
    return OK;
  }
  if (strncmp(image, "//", 2) != 0 && !strstr(image, ".version")) {
    *log = "fake ptxas fatal : not a PTX text";
    return INVALID_IMAGE;
  }
  const char *p = strstr(image, "\n//FAKE ");
  if (!p) {
    *log = "fake ptxas line 1; fatal : Parsing error: this PTX was not made by the fake NVRTC";
    return INVALID_PTX;
  }
  for (p += 8; digit(p[0]) >= 0 && digit(p[1]) >= 0; p += 2) *object += char(digit(p[0]) * 16 + digit(p[1]));
  if (p[0] != '\n' || p[1] != 0) {
    violation("a PTX text must end with 0");
    return INVALID_IMAGE;
  }
  return OK;
}

#if defined(FAKE_HIP)
const char folder[] = "/proc/self/task/../fd"; /* not a path of the other fake in the process */
#else
const char folder[] = "/proc/self/fd";
#endif

/* dlopen knows a library by its name, and numbers of files come again: so the number of the module is in the path, in single and double slashes. */
std::string path_of(int fd, int id) {
  std::string path = folder;
  for (int bit = 0; bit < 24; bit++) path += id >> bit & 1 ? "/." : "/";
  return path + "/" + std::to_string(fd);
}

CUresult load(Call &call, void **out, const char *image, std::string *log) {
  std::string object;
  bool text;
  if (CUresult code = unpack(image, &object, &text, log)) return call(code);
  int fd = memfd_create("fake_cuda_module", MFD_CLOEXEC);
  if (fd < 0 || write(fd, object.data(), object.size()) != ssize_t(object.size())) return call(OUT_OF_MEMORY);
  void *library = dlopen(path_of(fd, ++made).c_str(), RTLD_NOW | RTLD_LOCAL);
  close(fd);
  if (!library) {
    *log = dlerror();
    return call(INVALID_IMAGE);
  }
  auto *face = static_cast<const fake_face *>(dlsym(library, "fake_module"));
  if (!face || face->version != FAKE_FACE_VERSION) {
    *log = "a shared object of another fake";
    dlclose(library);
    return call(INVALID_IMAGE);
  }
  int major = attribute(call.context->device, ATTRIBUTE_MAJOR), has = major * 10 + attribute(call.context->device, ATTRIBUTE_MINOR);
  if (face->arch > has || (!text && face->arch / 10 != major)) {
    *log = "made for sm_" + std::to_string(face->arch) + ", the device is sm_" + std::to_string(has);
    dlclose(library);
    return call(NO_BINARY_FOR_GPU);
  }
  auto *m = new Module;
  m->context = call.context, m->library = library, m->face = face, m->arch = face->arch, m->id = made, m->shared = static_shared(face);
  live_modules().insert(m);
  call.note("module %d", m->id);
  *out = m;
  return call(OK);
}

}  // namespace

std::set<Module *> &live_modules() {
  static auto *all = new std::set<Module *>;
  return *all;
}

std::set<Function *> &live_functions() {
  static auto *all = new std::set<Function *>;
  return *all;
}

void unload(Module *module) {
  for (auto &[name, f] : module->functions) live_functions().erase(f);
  for (uintptr_t p : module->globals) allocations().erase(p);
  dlclose(module->library);
  live_modules().erase(module);
}

}  // namespace fake

using namespace fake;

#define ENTER                               \
  Call call(__func__, Needs::context);      \
  if (call.stopped) return call()
#define MODULE(handle)                        \
  Module *m = static_cast<Module *>(handle);  \
  if (!live_modules().count(m)) return call.bad("%p is no module, or an unloaded one", handle), call(INVALID_HANDLE)
#define FUNCTION(handle)                          \
  Function *f = static_cast<Function *>(handle);  \
  if (!live_functions().count(f)) return call.bad("%p is no function, or one of an unloaded module", handle), call(INVALID_HANDLE)

API cuModuleLoadData(void **out, const void *image) {
  ENTER;
  std::string log;
  if (!out || !image) return call.bad("null");
  return load(call, out, static_cast<const char *>(image), &log);
}

API cuModuleLoadFatBinary(void **out, const void *image) {
  ENTER;
  std::string log;
  if (!out || !image) return call.bad("null");
  return load(call, out, static_cast<const char *>(image), &log);
}

API cuModuleLoadDataEx(void **out, const void *image, unsigned count, int *options, void **values) {
  ENTER;
  std::string log;
  if (!out || !image || (count && (!options || !values))) return call.bad("null");
  CUresult code = load(call, out, static_cast<const char *>(image), &log);
  char *buffer = nullptr;
  for (unsigned i = 0; i < count; i++) {
    if (options[i] == 5) buffer = static_cast<char *>(values[i]); /* CU_JIT_ERROR_LOG_BUFFER, _SIZE_BYTES */
    if (options[i] == 6 && buffer && reinterpret_cast<size_t>(values[i])) {
      size_t bytes = reinterpret_cast<size_t>(values[i]);
      snprintf(buffer, bytes, "%s", log.c_str());
      values[i] = reinterpret_cast<void *>(std::min(bytes, log.size() + 1));
    }
  }
  return code;
}

API cuModuleLoad(void **out, const char *name) {
  ENTER;
  if (!out || !name) return call.bad("null");
  FILE *f = fopen(name, "rb");
  if (!f) return call(FILE_NOT_FOUND);
  std::string bytes, log;
  char part[4096];
  for (size_t n; (n = fread(part, 1, sizeof part, f)) > 0;) bytes.append(part, n);
  fclose(f);
  while (bytes.size() > 1 && bytes.back() == 0 && bytes[0] == '/') bytes.pop_back();
  return load(call, out, bytes.c_str(), &log);
}

API cuModuleUnload(void *module) {
  ENTER;
  MODULE(module);
  call.note("module %d", m->id);
  if (m->context != call.context) return call.bad("a module of another context"), call(INVALID_CONTEXT);
  for (auto &[name, f] : m->functions) {
    auto base = reinterpret_cast<uintptr_t>(f);
    Allocation a;
    a.base = base, a.bytes = 1;
    std::string by;
    if (in_use(&a, &by)) return call.bad("work that was not waited for still uses it: %s", by.c_str());
  }
  unload(m);
  return call(OK);
}

API cuModuleGetFunction(void **out, void *module, const char *name) {
  ENTER;
  MODULE(module);
  if (!out || !name) return call.bad("null");
  call.note("module %d %s", m->id, name);
  Function *&f = m->functions[name];
  void *symbol = dlsym(m->library, name);
  for (unsigned i = 0; !f && i < m->face->count; i++) {
    const fake_entry *e = &m->face->entries[i];
    if ((symbol && reinterpret_cast<void *>(e->function) == symbol) || (e->lowered && strcmp(e->lowered, name) == 0)) {
      f = new Function;
      f->module = m, f->name = name, f->entry = e;
      live_functions().insert(f);
    }
  }
  if (!f) {
    m->functions.erase(name);
    return call(NOT_FOUND);
  }
  *out = f;
  return call(OK);
}

API cuModuleGetGlobal_v2(CUdeviceptr *out, size_t *bytes, void *module, const char *name) {
  ENTER;
  MODULE(module);
  if (!name) return call.bad("null");
  void *p = dlsym(m->library, name);
  Dl_info info;
  Elf64_Sym *symbol = nullptr;
  if (!p || !dladdr1(p, &info, reinterpret_cast<void **>(&symbol), RTLD_DL_SYMENT) || !symbol) return call(NOT_FOUND);
  auto base = reinterpret_cast<uintptr_t>(p);
  if (!find(base)) {
    auto *a = new Allocation;
    a->base = base, a->bytes = symbol->st_size, a->kind = Kind::global, a->context = m->context;
    allocations()[base] = a;
    m->globals.push_back(base);
  }
  if (out) *out = base;
  if (bytes) *bytes = symbol->st_size;
  return call(OK);
}

API cuFuncGetAttribute(int *value, int what, void *function) {
  ENTER;
  FUNCTION(function);
  if (!value || what < 0 || what > 15) return call.bad("null, or there is no attribute %d", what);
  const int values[16] = {f->entry->max_threads ? int(f->entry->max_threads) : 1024, int(f->module->shared), 0, 0, 32, f->module->arch, f->module->arch, 0,
                          f->max_dynamic, f->carveout};
  *value = values[what];
  return call(OK);
}

API cuFuncGetParamInfo(void *function, size_t i, size_t *offset, size_t *bytes) {
  ENTER;
  FUNCTION(function);
  if (!offset) return call.bad("null");
  if (i >= f->entry->count) return call(INVALID_VALUE);
  *offset = f->entry->parameters[i].offset;
  if (bytes) *bytes = f->entry->parameters[i].bytes;
  return call(OK);
}

API cuFuncSetAttribute(void *function, int what, int value) {
  ENTER;
  FUNCTION(function);
  int most = attribute(call.context->device, ATTRIBUTE_SHARED_OPTIN) - int(f->module->shared);
  if (what == 9 && value >= -1 && value <= 100) return f->carveout = value, call(OK);
  if (what != 8) return call.bad("attribute %d cannot be set", what);
  if (value < 0 || value > most) return call(INVALID_VALUE);
  f->max_dynamic = value, f->raised = true;
  return call(OK);
}

API cuFuncSetCacheConfig(void *function, int config) {
  ENTER;
  FUNCTION(function);
  if (config < 0 || config > 3) return call.bad("there is no such choice: %d", config);
  f->cache = config;
  return call(OK);
}

API cuFuncGetModule(void **out, void *function) {
  ENTER;
  FUNCTION(function);
  if (!out) return call.bad("null");
  *out = f->module;
  return call(OK);
}

static int active(Function *f, int threads, size_t dynamic, int device) {
  size_t shared = f->module->shared + dynamic;
  int blocks = std::min(32, attribute(device, ATTRIBUTE_THREADS_PER_MULTIPROCESSOR) / ((threads + 31) / 32 * 32));
  if (shared) blocks = std::min(blocks, int(size_t(attribute(device, 81)) / (shared + 1024)));
  return f->entry->max_threads && threads > int(f->entry->max_threads) ? 0 : blocks;
}

API cuOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, void *function, int threads, size_t dynamic) {
  ENTER;
  FUNCTION(function);
  if (!blocks || threads < 1 || threads > 1024) return call.bad("null, or %d threads", threads);
  *blocks = active(f, threads, dynamic, call.context->device);
  return call(OK);
}

API cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int *blocks, void *function, int threads, size_t dynamic, unsigned flags) {
  ENTER;
  FUNCTION(function);
  if (!blocks || threads < 1 || threads > 1024 || flags > 1) return call.bad("null, flags, or %d threads", threads);
  *blocks = active(f, threads, dynamic, call.context->device);
  return call(OK);
}

static CUresult best(Call &call, int *grid, int *block, void *function, size_t (*dynamic_of)(int), size_t dynamic, int limit) {
  FUNCTION(function);
  if (!grid || !block || limit < 0) return call.bad("null, or limit %d", limit);
  int most = f->entry->max_threads ? int(f->entry->max_threads) : 1024;
  if (limit) most = std::min(most, limit);
  *block = std::min(most, 256), *grid = 0;
  if (dynamic_of) dynamic = dynamic_of(*block);
  *grid = active(f, *block, dynamic, call.context->device) * attribute(call.context->device, ATTRIBUTE_MULTIPROCESSORS);
  return call(OK);
}

API cuOccupancyMaxPotentialBlockSize(int *grid, int *block, void *function, size_t (*dynamic_of)(int), size_t dynamic, int limit) {
  ENTER;
  return best(call, grid, block, function, dynamic_of, dynamic, limit);
}

API cuOccupancyMaxPotentialBlockSizeWithFlags(int *grid, int *block, void *function, size_t (*dynamic_of)(int), size_t dynamic, int limit, unsigned flags) {
  ENTER;
  if (flags > 1) return call.bad("flags 0x%x", flags);
  return best(call, grid, block, function, dynamic_of, dynamic, limit);
}
