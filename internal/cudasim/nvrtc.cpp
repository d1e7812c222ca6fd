/* nvrtc.cpp - a libnvrtc.so.12 for tests: CUDA C is compiled for the processor by g++, in two steps. The first one preprocesses the user's text alone, as
 * NVRTC would, without any header of the machine; the second compiles it behind device.h. FAKE_NVRTC_FAIL="nvrtcCompileProgram:1:6" makes calls fail,
 * FAKE_NVRTC_LOG names a file that gets a line for each, FAKE_NVRTC_KEEP a folder that keeps what was compiled. */
#include "nvrtc.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <map>
#include <mutex>
#include <set>

#include "face.h"

#define API extern "C" __attribute__((visibility("default")))

extern char **environ;

using namespace fake;

namespace {

enum { OK, OUT_OF_MEMORY, CREATION_FAILURE, INVALID_INPUT, INVALID_PROGRAM, INVALID_OPTION, COMPILATION, BUILTIN_FAILURE, NAMES_AFTER, NO_LOWERED_BEFORE, NAME_NOT_VALID, INTERNAL };

struct Program {
  std::string source, name, log, object, ptx;
  std::vector<std::pair<std::string, std::string>> headers;
  std::vector<std::string> expressions;
  std::map<std::string, std::string> lowered;
  bool compiled = false, real = false;
};

std::mutex &lock = *new std::mutex;
std::set<Program *> &programs = *new std::set<Program *>; /* used until the very end */

int injected(const char *name) {
  static auto &seen = *new std::map<std::string, int>;
  const char *text = getenv("FAKE_NVRTC_FAIL");
  std::string rule = text ? text : "", head = std::string(name) + ":";
  size_t at = rule.find(head);
  if (at == std::string::npos) return OK;
  int nth = 0, code = 0;
  sscanf(rule.c_str() + at + head.size(), "%d:%d", &nth, &code);
  return ++seen[name] == nth || nth == 0 ? code : OK;
}

/* Takes the lock and writes the log's line when a call ends. */
struct Call {
  std::lock_guard<std::mutex> guard{lock};
  const char *name;
  int code;
  explicit Call(const char *n) : name(n), code(injected(n)) {}
  int operator()(int c) { return code = c; }
  ~Call() {
    const char *file = getenv("FAKE_NVRTC_LOG");
    FILE *f = file ? fopen(file, "ae") : nullptr;
    if (f) fprintf(f, "%s = %d\n", name, code), fclose(f);
  }
};
#define ENTER              \
  Call call(__func__);     \
  if (call.code) return call.code
#define PROGRAM(handle)                                                     \
  ENTER;                                                                    \
  Program *p = static_cast<Program *>(handle);                              \
  if (!programs.count(p)) return call(INVALID_PROGRAM)

std::string read(const std::string &path) {
  std::string s;
  FILE *f = fopen(path.c_str(), "rb");
  if (!f) return s;
  char part[8192];
  for (size_t n; (n = fread(part, 1, sizeof part, f)) > 0;) s.append(part, n);
  fclose(f);
  return s;
}

bool write(const std::string &path, const std::string &text) {
  for (size_t i = 1; (i = path.find('/', i)) != std::string::npos; i++) mkdir(path.substr(0, i).c_str(), 0700);
  FILE *f = fopen(path.c_str(), "wb");
  if (!f) return false;
  size_t n = fwrite(text.data(), 1, text.size(), f);
  return fclose(f) == 0 && n == text.size();
}

/* Runs the compiler; its messages go to the end of *messages. */
bool run(std::vector<std::string> words, const std::string &folder, std::string *messages) {
  std::vector<char *> argv;
  for (std::string &w : words) argv.push_back(&w[0]);
  argv.push_back(nullptr);
  std::string out = folder + "/messages";
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0);
  posix_spawn_file_actions_addopen(&actions, 2, out.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
  std::vector<char *> env; /* whatever the program under test preloads is not for the compiler */
  for (char **e = environ; *e; e++)
    if (strncmp(*e, "LD_PRELOAD=", 11) != 0 && strncmp(*e, "LC_", 3) != 0 && strncmp(*e, "LANG", 4) != 0) env.push_back(*e);
  env.push_back(nullptr);
  pid_t pid;
  int error = posix_spawnp(&pid, argv[0], &actions, nullptr, argv.data(), env.data()), status = 1;
  posix_spawn_file_actions_destroy(&actions);
  if (error) {
    *messages += std::string("fake nvrtc: error: ") + argv[0] + ": " + strerror(error) + "\n";
    return false;
  }
  while (waitpid(pid, &status, 0) < 0)
    if (errno != EINTR) {
      status = 0; /* the program ignores its children's ends; what they wrote tells */
      break;
    }
  *messages += read(out);
  return status == 0;
}

std::string compiler() {
  const char *name = getenv("FAKE_NVRTC_CXX");
  return name ? name : FAKE_CXX;
}

void remove_folder(const std::string &folder) {
  if (getenv("FAKE_NVRTC_KEEP")) return;
  std::string unused;
  std::vector<std::string> words{"rm", "-rf", folder};
  run(words, folder, &unused);
}

/* The names that an image gives its kernels, in the order of the table. */
bool lowered_names(const std::string &path, size_t skip, Program *p) {
  void *library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!library) return p->log += std::string(dlerror()) + "\n", false;
  auto *face = static_cast<const fake_face *>(dlsym(library, "fake_module"));
  for (size_t i = 0; i < p->expressions.size(); i++) {
    Dl_info info;
    if (dladdr(reinterpret_cast<void *>(face->entries[skip + i].function), &info) && info.dli_sname) p->lowered[p->expressions[i]] = info.dli_sname;
  }
  dlclose(library);
  return true;
}

std::string ptx_of(const std::string &object, const std::vector<Kernel> &kernels, int arch) {
  std::string s = "//\n// A shared object for the processor in hexadecimal digits, made by the fake NVRTC\n//\n.version 8.4\n.target sm_" + std::to_string(arch) + "\n.address_size 64\n";
  for (const Kernel &k : kernels) s += ".visible .entry " + k.name.substr(k.name.rfind(':') + 1) + "()\n";
  s += "//FAKE ";
  for (unsigned char c : object) s += "0123456789abcdef"[c >> 4], s += "0123456789abcdef"[c & 15];
  return s + "\n";
}

int compile(Program *p, const Options &o, const std::string &folder) {
  std::string mark = "#line 1 \"" + p->name + "\"\n", messages;
  write(folder + "/in.cu", mark + p->source);
  for (auto &[name, text] : p->headers) write(folder + "/include/" + name, "#line 1 \"" + name + "\"\n" + text);
  std::string arch = std::to_string(o.arch * 10);
  std::vector<std::string> words{compiler(), "-E", "-x", "c++", "-std=" + o.standard, "-undef", "-nostdinc", "-I" + folder + "/include", "-D__LP64__=1", "-DNULL=0", "-Dassert(e)=((e)?(void)0:fake_assert(#e,__FILE__,__LINE__,__PRETTY_FUNCTION__))"};
  if (hip)
    words.insert(words.end(), {"-D__HIPCC_RTC__=1", "-D__HIP__=1", "-D__HIP_PLATFORM_AMD__=1", "-D__HIP_DEVICE_COMPILE__=1", "-D__ATOMIC_RELAXED=0", "-D__ATOMIC_ACQ_REL=4"});
  else
    words.insert(words.end(), {"-D__CUDACC__", "-D__CUDACC_RTC__", "-D__CUDA_ARCH__=" + arch, "-D__CUDACC_VER_MAJOR__=12", "-D__CUDACC_VER_MINOR__=4"});
  if (o.debug) words.push_back("-D__CUDACC_DEBUG__");
  words.insert(words.end(), o.preprocessor.begin(), o.preprocessor.end());
  words.insert(words.end(), {"-o", folder + "/in.i", folder + "/in.cu"});
  bool good = run(words, folder, &messages);
  std::vector<Kernel> kernels;
  if (good) {
    std::string text = (hip ? "#define FAKE_HIP " + std::to_string(o.wave) + "\n" : "") + "#include \"" FAKE_DEVICE_HEADER "\"\n" + rewrite(read(folder + "/in.i"), &kernels) + "\n#line 1 \"fake_kernels\"\nFAKE_MODULE(" + std::to_string(o.arch) + ",";
    for (const Kernel &k : kernels) text += " fake_kernel(&" + k.name + ", " + (k.bounds.empty() ? "0" : k.bounds) + "),";
    for (const std::string &e : p->expressions) text += " fake_kernel(" + (e[0] == '&' ? e : "&" + e) + ", 0),";
    write(folder + "/out.cpp", text + ")\n");
    words = {compiler(), "-x", "c++", "-std=" + o.standard, "-undef", "-nostdinc", o.debug ? "-O0" : "-O1", "-ffp-contract=off", "-fPIC", "-shared", "-nostdlib", "-fno-exceptions", "-fno-rtti",
             "-fno-asynchronous-unwind-tables", "-fno-stack-protector", "-fno-threadsafe-statics", "-fno-gnu-unique", "-fno-diagnostics-show-caret", "-fdiagnostics-color=never", "-fmessage-length=0",
             "-Werror=vla", "-Wno-attributes", "-Wno-pragmas", "-Wl,-z,noexecstack", "-o", folder + "/out.so", folder + "/out.cpp", "-lm", "-lc"};
#if defined(__x86_64__)
    /* The hardware would contract a*b+c: so that a kernel compiled without --fmad=false is not the host's by accident. */
    if (o.fmad && __builtin_cpu_supports("fma")) words.insert(words.begin() + 1, {"-mfma", "-ffp-contract=fast"}), words.erase(std::find(words.begin(), words.end(), "-ffp-contract=off"));
#elif defined(__aarch64__)
    if (o.fmad) *std::find(words.begin(), words.end(), "-ffp-contract=off") = "-ffp-contract=fast";
#endif
    good = run(words, folder, &messages);
  }
  p->log += hip ? messages : log_of(messages, p->name, o.warnings); /* clang's messages look like g++'s */
  if (!good) return COMPILATION;
  if (!p->expressions.empty() && !lowered_names(folder + "/out.so", kernels.size(), p)) return COMPILATION;
  p->object = read(folder + "/out.so");
  p->ptx = ptx_of(p->object, kernels, o.arch);
#if defined(FAKE_HIP)
  p->object = code_object(p->object, folder + "/out.so", kernels);
#endif
  p->real = o.real;
  return OK;
}

int give(Call &call, size_t *bytes, size_t have) {
  if (!bytes) return call(INVALID_INPUT);
  *bytes = have;
  return call(OK);
}

}  // namespace

API const char *nvrtcGetErrorString(int code) {
  static const char *const names[] = {"NVRTC_SUCCESS", "NVRTC_ERROR_OUT_OF_MEMORY", "NVRTC_ERROR_PROGRAM_CREATION_FAILURE", "NVRTC_ERROR_INVALID_INPUT",
                                      "NVRTC_ERROR_INVALID_PROGRAM", "NVRTC_ERROR_INVALID_OPTION", "NVRTC_ERROR_COMPILATION", "NVRTC_ERROR_BUILTIN_OPERATION_FAILURE",
                                      "NVRTC_ERROR_NO_NAME_EXPRESSIONS_AFTER_COMPILATION", "NVRTC_ERROR_NO_LOWERED_NAMES_BEFORE_COMPILATION",
                                      "NVRTC_ERROR_NAME_EXPRESSION_NOT_VALID", "NVRTC_ERROR_INTERNAL_ERROR"};
  return code >= OK && code <= INTERNAL ? names[code] : "NVRTC_ERROR unknown";
}

API int nvrtcVersion(int *major, int *minor) {
  ENTER;
  if (!major || !minor) return call(INVALID_INPUT);
  *major = 12, *minor = 4;
  if (const char *text = getenv("FAKE_NVRTC_VERSION")) sscanf(text, "%d.%d", major, minor);
  return call(OK);
}

API int nvrtcGetNumSupportedArchs(int *count) {
  ENTER;
  if (!count) return call(INVALID_INPUT);
  *count = int(architectures().size());
  return call(OK);
}

API int nvrtcGetSupportedArchs(int *list) {
  ENTER;
  if (!list) return call(INVALID_INPUT);
  for (int arch : architectures()) *list++ = arch;
  return call(OK);
}

API int nvrtcCreateProgram(void **out, const char *source, const char *name, int count, const char *const *headers, const char *const *names) {
  ENTER;
  if (!out || !source || count < 0 || (count && (!headers || !names))) return call(INVALID_INPUT);
  auto *p = new Program;
  p->source = source, p->name = name && *name ? name : "default_program";
  for (int i = 0; i < count; i++) p->headers.push_back({names[i], headers[i]});
  programs.insert(p);
  *out = p;
  return call(OK);
}

API int nvrtcDestroyProgram(void **program) {
  if (!program) return INVALID_PROGRAM;
  PROGRAM(*program);
  programs.erase(p);
  delete p;
  *program = nullptr;
  return call(OK);
}

API int nvrtcAddNameExpression(void *program, const char *expression) {
  PROGRAM(program);
  if (!expression) return call(INVALID_INPUT);
  if (p->compiled) return call(NAMES_AFTER);
  p->expressions.push_back(expression);
  return call(OK);
}

API int nvrtcGetLoweredName(void *program, const char *expression, const char **name) {
  PROGRAM(program);
  if (!expression || !name) return call(INVALID_INPUT);
  if (!p->compiled) return call(NO_LOWERED_BEFORE);
  auto found = p->lowered.find(expression);
  if (found == p->lowered.end()) return call(NAME_NOT_VALID);
  *name = found->second.c_str();
  return call(OK);
}

API int nvrtcCompileProgram(void *program, int count, const char *const *options) {
  PROGRAM(program);
  if (count < 0 || (count && !options)) return call(INVALID_INPUT);
  Options o;
  p->log.clear();
  if (!read_options(count, options, &o, &p->log)) return call(INVALID_OPTION);
  const char *keep = getenv("FAKE_NVRTC_KEEP"), *tmp = getenv("TMPDIR");
  std::string folder = std::string(keep ? keep : tmp ? tmp : "/tmp") + "/fake_nvrtc.XXXXXX";
  if (!mkdtemp(&folder[0])) return call(INTERNAL);
  int code = compile(p, o, folder);
  remove_folder(folder);
  p->compiled = true;
  return call(code);
}

API int nvrtcGetProgramLogSize(void *program, size_t *bytes) {
  PROGRAM(program);
  return give(call, bytes, p->log.size() + 1);
}
API int nvrtcGetProgramLog(void *program, char *text) {
  PROGRAM(program);
  if (!text) return call(INVALID_INPUT);
  memcpy(text, p->log.c_str(), p->log.size() + 1);
  return call(OK);
}
API int nvrtcGetPTXSize(void *program, size_t *bytes) {
  PROGRAM(program);
  if (p->ptx.empty()) return call(INVALID_PROGRAM);
  return give(call, bytes, p->ptx.size() + 1);
}
API int nvrtcGetPTX(void *program, char *text) {
  PROGRAM(program);
  if (p->ptx.empty()) return call(INVALID_PROGRAM);
  if (!text) return call(INVALID_INPUT);
  memcpy(text, p->ptx.c_str(), p->ptx.size() + 1);
  return call(OK);
}
API int nvrtcGetCUBINSize(void *program, size_t *bytes) {
  PROGRAM(program);
  return give(call, bytes, p->real ? p->object.size() : 0);
}
API int nvrtcGetCUBIN(void *program, char *image) {
  PROGRAM(program);
  if (!image || !p->real) return call(INVALID_INPUT);
  memcpy(image, p->object.data(), p->object.size());
  return call(OK);
}
