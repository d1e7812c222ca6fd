//go:build !portable_debug

package capi

// symbolizes: this archive knows procedures and lines of C and Fortran.
const symbolizes = false
