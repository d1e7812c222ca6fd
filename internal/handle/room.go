package handle

/*
// slots.c: the same kind of numbers for records in C.
#cgo CFLAGS: -fexceptions
*/
import "C"
