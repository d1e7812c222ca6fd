/* hiprtc.cpp - a libhiprtc.so.5 for tests: the fake NVRTC, compiled with FAKE_HIP, under the names of AMD's compiler, with its options and words. It knows gfx906
 * and gfx90a, whose waves have 64 lanes, and gfx1030, whose waves have 32; for another architecture it aborts, as the true one of ROCm 5 does. Also the two
 * functions of libamd_comgr that list the architectures. An image is a code object whose loaded part is the shared object for the processor. */
#include <dlfcn.h>
#include <elf.h>
#include <stddef.h>
#include <string.h>

#include <string>

#include "face.h"
#include "nvrtc.h"

#define API extern "C" __attribute__((visibility("default")))

extern "C" {
const char *nvrtcGetErrorString(int);
int nvrtcCreateProgram(void **, const char *, const char *, int, const char *const *, const char *const *);
int nvrtcDestroyProgram(void **);
int nvrtcCompileProgram(void *, int, const char *const *);
int nvrtcGetProgramLogSize(void *, size_t *);
int nvrtcGetProgramLog(void *, char *);
int nvrtcGetCUBINSize(void *, size_t *);
int nvrtcGetCUBIN(void *, char *);
}

namespace fake {
namespace {

/* msgpack: numbers of 32 bits, texts shorter than 32 bytes or 256, lists and tables. */
std::string number(unsigned n) { return {char(0xce), char(n >> 24), char(n >> 16), char(n >> 8), char(n)}; }
std::string text(const std::string &s) { return (s.size() < 32 ? std::string(1, char(0xa0 | s.size())) : std::string{char(0xd9), char(s.size())}) + s; }
std::string list(size_t count) { return {char(0xdc), char(count >> 8), char(count)}; }
std::string table(size_t count) { return std::string(1, char(0x80 | count)); }

}  // namespace

std::string code_object(const std::string &object, const std::string &path, const std::vector<Kernel> &kernels) {
  void *library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  auto *face = library ? static_cast<const fake_face *>(dlsym(library, "fake_module")) : nullptr;
  if (!face) return object;
  std::string note = table(1) + text("amdhsa.kernels") + list(kernels.size());
  for (size_t i = 0; i < kernels.size(); i++) {
    const fake_entry &e = face->entries[i];
    note += table(2) + text(".args") + list(e.count + 1);
    for (unsigned k = 0; k < e.count; k++)
      note += table(3) + text(".offset") + number(e.parameters[k].offset) + text(".size") + number(e.parameters[k].bytes) + text(".value_kind") + text("by_value");
    note += table(3) + text(".offset") + number((e.bytes + 7) & ~7u) + text(".size") + number(8) + text(".value_kind") + text("hidden_global_offset_x");
    note += text(".name") + text(kernels[i].name.substr(kernels[i].name.rfind(':') + 1));
  }
  dlclose(library);
  const Elf64_Nhdr before = {7, Elf64_Word(note.size()), 32 /* NT_AMDGPU_METADATA */};
  note = std::string(reinterpret_cast<const char *>(&before), sizeof before) + std::string("AMDGPU\0\0", 8) + note;
  Elf64_Ehdr head = {};
  Elf64_Phdr parts[2] = {};
  memcpy(head.e_ident, ELFMAG, SELFMAG);
  head.e_ident[EI_CLASS] = ELFCLASS64, head.e_ident[EI_DATA] = ELFDATA2LSB;
  head.e_type = ET_DYN, head.e_machine = 224 /* EM_AMDGPU */, head.e_phoff = sizeof head, head.e_phentsize = sizeof *parts, head.e_phnum = 2;
  parts[0].p_type = PT_LOAD, parts[0].p_offset = sizeof head + sizeof parts, parts[0].p_filesz = object.size();
  parts[1].p_type = PT_NOTE, parts[1].p_offset = parts[0].p_offset + object.size(), parts[1].p_filesz = note.size();
  return std::string(reinterpret_cast<const char *>(&head), sizeof head) + std::string(reinterpret_cast<const char *>(parts), sizeof parts) + object + note;
}

}  // namespace fake

API const char *hiprtcGetErrorString(int code) { return nvrtcGetErrorString(code); }
API int hiprtcVersion(int *major, int *minor) { return *major = 9, *minor = 0, 0; }
API int hiprtcCreateProgram(void **out, const char *source, const char *name, int count, const char *const *headers, const char *const *names) {
  return nvrtcCreateProgram(out, source, name, count, headers, names);
}
API int hiprtcDestroyProgram(void **program) { return nvrtcDestroyProgram(program); }
API int hiprtcCompileProgram(void *program, int count, const char *const *options) { return nvrtcCompileProgram(program, count, options); }
API int hiprtcGetProgramLogSize(void *program, size_t *bytes) { return nvrtcGetProgramLogSize(program, bytes); }
API int hiprtcGetProgramLog(void *program, char *text) { return nvrtcGetProgramLog(program, text); }
API int hiprtcGetCodeSize(void *program, size_t *bytes) { return nvrtcGetCUBINSize(program, bytes); }
API int hiprtcGetCode(void *program, char *code) { return nvrtcGetCUBIN(program, code); }

API int amd_comgr_get_isa_count(size_t *count) { return *count = fake::gfx_architectures().size(), 0; }
API int amd_comgr_get_isa_name(size_t i, const char **name) {
  static std::string *const names = [] {
    auto *all = new std::string[fake::gfx_architectures().size()];
    for (size_t k = 0; k < fake::gfx_architectures().size(); k++) all[k] = std::string("amdgcn-amd-amdhsa--") + fake::gfx_architectures()[k].name;
    return all;
  }();
  if (i >= fake::gfx_architectures().size()) return 1;
  *name = names[i].c_str();
  return 0;
}
