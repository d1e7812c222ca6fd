// Package trace reads and writes the trace file: records with the time, the thread and the fields
// of their kind (records.go). The library writes traces (internal/tracing/trace.c) when memory
// checks or PORTABLE_TRACE are on; the Writer here serves tests, and tools that make files smaller.
// In a damaged file only the damaged records are lost: one that ends early, or goes beyond the
// file, is skipped; Skipped is the number of these bytes. Threads: a Reader, Writer or File belongs
// to one goroutine at a time.
package trace

// The file is little endian. It begins with 16 bytes: "PORTTRC1", the version (u32), 0 (u32). Records follow. The library
// writes each of them by one write(2) on a descriptor that was opened to append:
//
//	u32 magic "PTRC"   u16 kind   u16 0   u32 bytes of the whole record, a multiple of 8   u32 thread
//	u64 time (CLOCK_MONOTONIC, ns)   payload
//
// A string is a u32 length and its bytes, padded with zeros to a multiple of 4.
