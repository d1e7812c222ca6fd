# ocean-config.cmake - the user's package file: what his library needs, then his targets.
include(CMakeFindDependencyMacro)
find_dependency(portable 0.1 COMPONENTS Fortran)
include("${CMAKE_CURRENT_LIST_DIR}/ocean-targets.cmake")
