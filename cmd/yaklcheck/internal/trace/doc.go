// Package trace is the trace file in Go: what the library writes where memory checks or PORTABLE_TRACE are on, and what
// yaklcheck reads. The library's own writer is capi/trace.c; the Writer here is for tests and for tools that make
// files smaller.
//
// The file is little endian. It begins with 16 bytes: "PORTTRC1", the version (u32), 0 (u32). Then come records, each of
// which the library has written by one write(2) on a descriptor opened to append:
//
//	u32 magic "PTRC"   u16 kind   u16 0   u32 bytes of the whole record, a multiple of 8   u32 thread
//	u64 time (CLOCK_MONOTONIC, ns)   payload
//
// A string is a u32 length and its bytes, padded with zeros to a multiple of 4. What a payload holds is in records.go, once
// for reading and writing.
//
// Invariant: a file that was cut off, or has foreign bytes in it, loses what is there and nothing else. A record that
// ends early, or says that it is longer than the file, is skipped up to the next one; how many bytes were, is told.
//
// Threads: a Reader, Writer or File belongs to one goroutine at a time.
package trace
