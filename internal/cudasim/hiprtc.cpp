/* hiprtc.cpp - a libhiprtc.so.5 for tests: the fake NVRTC, compiled with FAKE_HIP, under the names of AMD's compiler, with its options and words. It knows gfx906
 * and gfx90a, whose waves have 64 lanes, and gfx1030, whose waves have 32; for another architecture it aborts, as the true one of ROCm 5 does. Also the two
 * functions of libamd_comgr that list the architectures. */
#include <stddef.h>

#include <string>

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
