// Package host is the memory of the machine that the program runs on: slabs mapped by libc, single
// blocks of libc's heap, and tables for bookkeeping. It has no pool and starts no thread. It calls
// libc and not the kernel, because MPI libraries hook libc's mmap and munmap to keep their
// registration caches right; a system call would leave those caches stale. No function touches or
// zeroes a slab. Threads: safe.
package host
