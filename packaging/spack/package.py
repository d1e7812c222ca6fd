# Spack recipe for libportable. UNTESTED HERE: written after Spack's documentation and not run by our tests. To
# use it, put this file into packages/portable/ of a repository of your own (spack repo create), with the url of
# the source tarball that you have (make dist makes one) and its checksum.
from spack.package import *


class Portable(CMakePackage):
    """Memory pool for Fortran, C and C++ simulation codes; gator_mod of YAKL."""

    homepage = "https://example.invalid/libportable"
    url = "file:///path/to/portable-0.1.0.tar.gz"

    license("BSD-3-Clause")

    # version("0.1.0", sha256="...")  # sha256sum of the tarball

    variant("shared", default=False, description="libportable.so in place of libportable.a")

    # No Fortran at build time: each user's project compiles the modules with its own compiler, so one
    # installation serves all of them.
    depends_on("c", type="build")
    depends_on("go@1.26:", type="build")
    depends_on("cmake@3.16:", type="build")

    conflicts("platform=darwin", msg="tested on Linux only")
    conflicts("platform=windows", msg="tested on Linux only")

    def cmake_args(self):
        return [
            self.define_from_variant("BUILD_SHARED_LIBS", "shared"),
            self.define("PORTABLE_BUILD_TESTS", False),
            self.define("PORTABLE_BUILD_EXAMPLES", False),
        ]
