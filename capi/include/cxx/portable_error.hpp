// portable_error.hpp - what functions of the C++ faces throw. Part of portable.hpp and portable_cuda.hpp; include those.
//
// C++14, for the compilers of device code. Threads: safe.
#ifndef PORTABLE_ERROR_HPP
#define PORTABLE_ERROR_HPP

#ifndef PORTABLE_H
#error "include portable.hpp or portable_cuda.hpp, which include this"
#endif

#include <stdexcept>
#include <string>

namespace portable {

// The refusal of a function of the library; what() is the text of portable_last_error: what was asked, what was found, what
// to do.  Since: 0.1
class Error : public std::runtime_error {
public:
  Error(portable_status status, const std::string &text) : std::runtime_error(text), status_(status) {}
  // One of PORTABLE_ERR_...
  portable_status status() const noexcept { return status_; }

private:
  portable_status status_;
};

// Throws Error for a status other than PORTABLE_OK.  Since: 0.1
inline void check(portable_status status) {
  if (status != PORTABLE_OK) throw Error(status, portable_last_error());
}

} // namespace portable

#endif
