/* options.cpp - the options of nvrtcCompileProgram: those that change what the fake does are read, the others that NVRTC 12 knows are let through. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <algorithm>

#include "nvrtc.h"

namespace fake {
namespace {

struct Known {
  const char *name, *brief;
  bool has_value;
};
const Known ignored[] = {
    {"--device-c", "-dc", false}, {"--device-w", "-dw", false}, {"--relocatable-device-code", "-rdc", true},
    {"--extensible-whole-program", "-ewp", false}, {"--generate-line-info", "-lineinfo", false}, {"--dopt", "-dopt", true},
    {"--ptxas-options", "-Xptxas", true}, {"--maxrregcount", "-maxrregcount", true}, {"--ftz", "-ftz", true}, {"--prec-sqrt", "-prec-sqrt", true},
    {"--prec-div", "-prec-div", true}, {"--extra-device-vectorization", "-extra-device-vectorization", false},
    {"--modify-stack-limit", "-modify-stack-limit", true}, {"--dlink-time-opt", "-dlto", false}, {"--no-source-include", "-no-source-include", false},
    {"--builtin-move-forward", "-builtin-move-forward", true}, {"--builtin-initializer-list", "-builtin-initializer-list", true},
    {"--restrict", "-restrict", false}, {"--device-as-default-execution-space", "-default-device", false},
    {"--display-error-number", "-err-no", false}, {"--no-display-error-number", "-no-err-no", false}, {"--diag-error", "-diag-error", true},
    {"--diag-suppress", "-diag-suppress", true}, {"--diag-warn", "-diag-warn", true}, {"--device-int128", "-device-int128", false},
    {"--optimization-info", "-opt-info", true}, {"--version-ident", "-dQ", true},
};

bool truth(const std::string &value, bool *out) {
  *out = value == "true";
  return value == "true" || value == "false";
}

}  // namespace

const std::vector<int> &architectures() {
  static const std::vector<int> all = {50, 52, 53, 60, 61, 62, 70, 72, 75, 80, 86, 87, 89, 90};
  return all;
}

const std::vector<Gfx> &gfx_architectures() {
  static const std::vector<Gfx> all = {{"gfx906", 90, 64}, {"gfx90a", 90, 64}, {"gfx1030", 103, 32}};
  return all;
}

bool read_options(int count, const char *const *options, Options *out, std::string *text) {
  for (int i = 0; i < count; i++) {
    std::string option = options[i] ? options[i] : "";
    size_t equals = option.find('=');
    std::string name = option.substr(0, equals), value = equals == std::string::npos ? "" : option.substr(equals + 1);
    auto more = [&] { /* the value may be the next option of the list, or come behind a blank */
      if (equals == std::string::npos && i + 1 < count) value = options[++i];
      return value;
    };
    auto joined = [&](const char *brief, const char *full) { /* -Dx, -D x, --define-macro=x */
      if (name == full) return value = more(), true;
      if (strncmp(option.c_str(), brief, 2) != 0 || option[1] == 0 || option[0] != '-' || option[1] == '-') return false;
      value = option.substr(2);
      if (value.empty() && i + 1 < count) value = options[++i];
      value.erase(0, value.find_first_not_of(' '));
      return true;
    };
    auto wrong = [&](const std::string &what) {
      *text += "nvrtc: error: " + what + "\n";
      return false;
    };
    if (hip && name == "--offload-arch") {
      value = value.substr(0, value.find(':'));
      auto found = std::find_if(gfx_architectures().begin(), gfx_architectures().end(), [&](const Gfx &g) { return value == g.name; });
      if (found == gfx_architectures().end()) {
        fprintf(stderr, "fake hiprtc: LLVM ERROR: %s is no architecture\n", value.c_str());
        abort(); /* as hiprtc of ROCm 5 */
      }
      out->arch = found->arch, out->wave = found->wave, out->real = true;
    } else if (hip && name == "-ffp-contract") {
      out->fmad = value != "off";
    } else if (hip && option.compare(0, 2, "--") == 0) {
      return wrong("unknown argument: '" + option + "'");
    } else if (name == "--gpu-architecture" || name == "-arch") {
      more();
      bool virtual_one = value.compare(0, 8, "compute_") == 0;
      if (!virtual_one && value.compare(0, 3, "sm_") != 0) return wrong("invalid value for --gpu-architecture (-arch)");
      out->arch = atoi(value.c_str() + (virtual_one ? 8 : 3)), out->real = !virtual_one;
      if (std::find(architectures().begin(), architectures().end(), out->arch) == architectures().end())
        return wrong("invalid value for --gpu-architecture (-arch)");
    } else if (name == "--std" || name == "-std") {
      out->standard = more();
      if (out->standard != "c++03" && out->standard != "c++11" && out->standard != "c++14" && out->standard != "c++17" && out->standard != "c++20")
        return wrong("invalid value for --std (-std)");
    } else if (name == "--fmad" || name == "-fmad") {
      if (!truth(more(), &out->fmad)) return wrong("invalid value for --fmad (-fmad)");
    } else if (option == "--device-debug" || option == "-G") {
      out->debug = true;
    } else if (option == "--use_fast_math" || option == "-use_fast_math") {
      out->fmad = true;
    } else if (option == "--disable-warnings" || option == "-w") {
      out->warnings = false;
    } else if (name == "--pre-include" || name == "-include") {
      out->preprocessor.insert(out->preprocessor.end(), {"-include", more()});
    } else if (joined("-D", "--define-macro")) {
      out->preprocessor.push_back("-D" + value);
    } else if (joined("-U", "--undefine-macro")) {
      out->preprocessor.push_back("-U" + value);
    } else if (joined("-I", "--include-path")) {
      out->preprocessor.push_back("-I" + value);
    } else {
      auto known = std::find_if(std::begin(ignored), std::end(ignored), [&](const Known &k) { return name == k.name || name == k.brief; });
      if (known == std::end(ignored)) return wrong("unrecognized option " + option + " found");
      if (known->has_value && more().empty()) return wrong("missing value for " + name);
    }
  }
  return true;
}

}  // namespace fake
