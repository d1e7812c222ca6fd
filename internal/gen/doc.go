// Command gen writes the Fortran source that is a product of kinds and ranks: the specifics behind
// gator_allocate and gator_deallocate, the include template for derived types, and the test that walks
// through all of them; and valgrind's suppressions. It also assembles portable_stub.F90, the module over ALLOCATE in one file, and the Fortran half of the
// matrix of misuse: its programs and its cells. Everything else is written by hand.
//
//	go run ./internal/gen     # from anywhere inside the module
//
// It writes into build/gen, or into the folder that -o names. CMake runs it when it configures (cmake/PortableGenerated.cmake);
// source tarballs carry the result. Two files are committed as samples, in fortran/golden, and compared by a test. Output is a
// function of the tables in kinds.go and misuse_*_kinds.go, templates/, misuse/, stub/, the public headers and, for the stub, the
// hand-written parts of gator_mod.
package main
