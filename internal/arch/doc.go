// Package arch holds the plan of the house, as tests: imports of rooms (arch_test.go), includes and
// calls of C (c_test.go), the size and the head of folders (folders_test.go), plain English
// (words_test.go). Not here: the plan in words (docs/ARCHITECTURE.md).
package arch
