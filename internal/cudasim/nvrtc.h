/* nvrtc.h - the parts of the fake NVRTC. In this file: a program, its options, what is done to its text. */
#ifndef FAKE_NVRTC_H
#define FAKE_NVRTC_H

#include <string>
#include <vector>

namespace fake {

/* The options of a compilation, read; text is for the log when one is not known. */
struct Options {
  int arch = 52;
  bool real = false; /* sm_, not compute_ */
  bool debug = false, fmad = true, warnings = true;
  int wave = 0; /* lanes of a wave, for hiprtc */
  std::string standard = "c++17";
  std::vector<std::string> preprocessor; /* -D, -U, -I, -include as g++ has them */
};
bool read_options(int count, const char *const *options, Options *out, std::string *text);
const std::vector<int> &architectures();
struct Gfx {
  const char *name;
  int arch, wave;
};
const std::vector<Gfx> &gfx_architectures(); /* of hiprtc; arch as the fake driver has it */
#if defined(FAKE_HIP)
const bool hip = true;
#else
const bool hip = false;
#endif

struct Kernel {
  std::string name;   /* with its namespaces */
  std::string bounds; /* first argument of __launch_bounds__, or empty */
};

/* Preprocessed text: arrays `extern __shared__` become pointers, the kernels that are no templates are found. */
std::string rewrite(const std::string &text, std::vector<Kernel> *kernels);

/* g++'s messages in NVRTC's form. */
std::string log_of(const std::string &messages, const std::string &program, bool warnings);

/* hiprtc.cpp: the shared object as a code object of AMD, whose note has the parameters of the kernels. path: a file of the object. */
std::string code_object(const std::string &object, const std::string &path, const std::vector<Kernel> &kernels);

}  // namespace fake

#endif
