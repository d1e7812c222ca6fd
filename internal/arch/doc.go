// Package arch holds the plan of the house, by tests alone: who imports whom (arch_test.go), what C includes and calls (c_test.go), how large folders
// are and how they are opened (folders_test.go). Not here: the plan in words (docs/ARCHITECTURE.md).
package arch
