// Package trace reads and writes the trace file. The library writes traces when memory checks or
// PORTABLE_TRACE are on, and yaklcheck reads them. The library's own writer is internal/tracing/trace.c; the
// Writer here serves tests, and tools that make files smaller.
//
// The file is little endian. It begins with 16 bytes: "PORTTRC1", the version (u32), 0 (u32).
// Records follow. The library writes each of them by one write(2) on a descriptor that was opened
// to append:
//
//	u32 magic "PTRC"   u16 kind   u16 0   u32 bytes of the whole record, a multiple of 8   u32 thread
//	u64 time (CLOCK_MONOTONIC, ns)   payload
//
// A string is a u32 length and its bytes, padded with zeros to a multiple of 4. records.go lists
// the fields of each payload, once for reading and writing.
//
// Invariant: in a file that was cut off or damaged, only the damaged records are lost. A record
// that ends early, or whose length goes beyond the file, is skipped up to the next one. Skipped is
// the number of these bytes.
//
// Threads: a Reader, Writer or File belongs to one goroutine at a time.
package trace
