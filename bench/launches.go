package main

import (
	"fmt"
	"math"
	"strings"
)

// The suite of launches: in this file its peers, phases and limits. Not in this file: what is measured (launch/).

const (
	gomp        = "libgomp"
	gompActive  = "libgomp, active"
	gompPassive = "libgomp, passive"
	plainLoops  = "plain loops"
)

// environment is that of a user with default settings, except for one variable.
var launchPeers = []peer{
	{name: pool, allocator: "portable"},
	{name: "device openmp", allocator: "portable_openmp"},
	{name: gomp, allocator: "gomp"},
	{name: gompActive, allocator: "gomp", env: []string{"OMP_WAIT_POLICY=active"}},
	{name: gompPassive, allocator: "gomp", env: []string{"OMP_WAIT_POLICY=passive"}},
	{name: "libomp", allocator: "omp"},
	{name: "oneTBB", allocator: "tbb"},
	{name: plainLoops, allocator: "plain"},
	{name: "std::sort", allocator: "std"},
	{name: "std::stable_sort, par", allocator: "par"},
	{name: "__gnu_parallel::sort", allocator: "gnu"},
	{name: "spreadsort", allocator: "spread"},
	{name: "block_indirect_sort", allocator: "block"},
	{name: "parallel_stable_sort", allocator: "stable"},
}

var sortPeers = []string{"std::sort", "std::stable_sort, par", "__gnu_parallel::sort", "spreadsort", "block_indirect_sort", "parallel_stable_sort"}

const launcher, kernels, blocks, arrays, componentwise, sorts, scans, copies = "bench_launch_%s", "bench_kernels_%s", "bench_blocks_%s", "bench_arrays_%s", "bench_componentwise_%s", "bench_sorts_%s", "bench_scans_%s", "bench_copies_%s"

var launchPhases = []phase{
	{"empty", "Launches of an empty kernel", launcher, []string{"empty"}, false},
	{"empty", "", launcher, []string{"four"}, false},
	{"empty", "", launcher, []string{"pause"}, false},
	{"empty", "", launcher, []string{"nested"}, false},
	{"empty", "", launcher, []string{"two"}, false},
	{"watch", "Cost of observers", "bench_watch", []string{"watch"}, true},
	{"streams", "Streams", "bench_streams", []string{"streams"}, true},
	{"work", "Work between the launches, on one core", launcher, []string{"work"}, false},
	{"loops", "Small loops", launcher, []string{"small"}, false},
	{"timers", "Timers", "bench_timers_%s", []string{"timers"}, true},
	{"memory", "Loops bound by memory, in Fortran", kernels, []string{"triad"}, false},
	{"memory", "", kernels, []string{"diffusion"}, false},
	{"memory", "", kernels, []string{"elements"}, false},
	{"blocks", "Alpaka's loops and atomics, in C++", blocks, []string{"daxpy"}, false},
	{"blocks", "", blocks, []string{"dgemm"}, false},
	{"blocks", "", blocks, []string{"atomics"}, false},
	{"yakl", "A program of YAKL on one thread, in C++", "bench_finite_volume_%s", []string{"rows"}, false},
	{"records", "Records in C++, in openfpm's memory test", "bench_records", []string{"records"}, true},
	{"cxx_arrays", "Arrays in C++", "bench_cxx_arrays", []string{"arrays"}, true},
	{"fortran_arrays", "Arrays in Fortran", "bench_fortran_arrays", []string{"arrays"}, true},
	{"reductions", "Loops that end in one number, in Fortran", kernels, []string{"reductions"}, false},
	{"arrays", "Reductions of arrays, in Fortran", arrays, nil, false},
	{"componentwise", "Arrays element by element, in C", componentwise, nil, false},
	{"sorts", "Sorts, in C++", sorts, nil, false},
	{"scans", "Running sums, packing and lists of indices, in C++", scans, []string{"scans"}, false},
	{"random", "Random numbers by cell, in C", "bench_random", []string{"random"}, true},
	{"rows", "Sums of rows of a mesh, in C", "bench_rows", []string{"rows"}, true},
	{"rows", "", "bench_edges", []string{"edges"}, true},
	{"particles", "Cells of particles, merges and maps, in C++", "bench_particles", []string{"particles"}, true},
	{"cases", "Forces between particles, docking, and smoothed particles, in C++", "bench_nbody", []string{"nbody"}, true},
	{"cases", "", "bench_docking", []string{"docking"}, true},
	{"cases", "", "bench_sph", []string{"sph"}, true},
	{"cases", "", "bench_forces", []string{"forces"}, true},
	{"outer", "Two levels of loops, in Fortran", "bench_outer", []string{"outer"}, true},
	{"solves", "Systems of few diagonals, in Fortran", "bench_solves", []string{"solves"}, true},
	{"ffts", "Fourier transforms, in C", "bench_ffts", []string{"ffts"}, true},
	{"copies", "Copies from one layout to another", copies, nil, false},
}

var memoryRows = []string{
	"triad, 16 M elements", "7-point stencil, 256^3",
	"memory, 8 written and 1 read, 16.8 M elements", "memory, 8 read and 1 written, 16.8 M elements",
	"memory, 8 written and 1 read, 67.1 M elements", "memory, 8 read and 1 written, 67.1 M elements",
}

var reductionRows = []string{"sum, 16 M elements", "minval, 16 M elements", "max_stable_dt, 16 M elements"}

var componentwiseRows = []string{
	"c = value, 16.8 M elements", "c = a + b, 16.8 M elements", "c = sqrt(a), 16.8 M elements", "mask = a < b, 16.8 M elements",
	"c = sin(a), 1 M elements", "c = a + b, every second of 16.8 M elements", "c = a + b, the inside of 4096 x 4096",
}

const nbodyRow, dockingRow = "N-body, 16 384 particles, 5 steps", "docking of 26 atoms at 938, 65 536 poses"
const sphRow, forcesRow = "SPH, 60 025 particles, 5 steps", "forces of 10^6 particles"

const memcpyRow = "memcpy, 512^3 real(8)"

var copyRows = []string{"copy KIJ to IJK, 512^3 real(8)", "copy IJK to KIJ, 512^3 real(8)", "copy records of 5 to fields, 26.8 M", "copy fields to records of 5, 26.8 M"}

const (
	triedCopies = "Two cache lines are written at a time, past the caches, each cache line that is read is used up at once, and lines are asked for beforehand; other sizes of these tiles, buffers between and plain stores took longer. From IJK to KIJ each line that is read lies in a page of its own: in pages of 4 KB on a guest on an AMD EPYC 23 GB/s, with PORTABLE_HUGEPAGES=yes 38 to 43, as memcpy. There lines asked for in the first-level cache came to 25 GB/s, for half of the lines to 21, for none to 18, a buffer of 8 KB to 17, one of 32 KB to 17, and pages asked for beforehand to 23 to 26 (internal/kernels/copy/RATIONALE.md)."

	triedReductions = "Leaves are numbered and combined along one tree, which OpenMP does not do; a leaf costs 20 to 30 ns, which is 1 % of a row of 4096 elements. The rest is where the pages lie. The minimum of 16 M on two threads of an AMD EPYC (family 25): in pages of 4 KB 18 to 20 GB/s, OpenMP 19 to 29; in huge pages (PORTABLE_HUGEPAGES=yes) 29 to 38; on one thread 14 to 17, OpenMP 13 to 16. The largest stable time step came to 0.92 of OpenMP's while its kernel read three pointers, which gfortran loads number by number; dummies that are CONTIGUOUS are read in vectors."

	triedLaunch        = "Launches that are over at once are run by the launching thread, and the others hold back; the rest is the atomic instructions that let them in otherwise."
	triedTimers        = "A pair reads CLOCK_MONOTONIC twice, at some 20 to 30 ns each, and looks its label up by content, in some 35 ns."
	triedAtomic        = "The same instructions; where all threads add to one number, the time is that of its cache line, which the processors hand to each other as they please. Ten rounds of one program on two threads of an AMD EPYC took 9.0 to 13.6 ns; with the line asked for before each addition 10.6 to 12.4, with a pause after each 35 to 62, by compare-and-swap 13.7 to 15.4, with a pause after a failed one 16 to 34, with eight pauses 13.3 to 14.4."
	triedReduced       = "In the cache an element takes 0.1 ns on one thread. From memory the loop waits for it, and how long depends on where the pages lie: in three runs on two threads of an AMD EPYC (family 25) with 4 KB pages the least took 3.6 to 4.0 ms, and the loop of OpenMP 3.5 to 4.2; in huge pages (PORTABLE_HUGEPAGES=yes) a fifth less. On one thread it took 7.2 ms without prefetches, 6.6 with them 512 bytes on, 6.9 with 256 or 1024, 7.7 with 2048. Intel's processors ask 4 KB on: on two threads of a Xeon 4.5 to 4.9 ms with 512 bytes, 4.0 to 4.4 with 1 KB, 3.6 to 3.8 with 2 KB, 3.2 to 3.4 with 4 KB. Sums along a slow dimension read eight rows at a time in strips of 512 lines; nine other shapes of strips took longer or more stack (internal/kernels/reduction/RATIONALE.md)."
	triedMemory        = "The loops are the same machine code but for the pointers' bounds; on a machine with busy neighbours the figures of one and the same program differ by tens of percent."
	triedStencil       = "OpenMP's loop is as fast. On two threads of an AMD EPYC with 4 KB pages the stencil came to 22.5 GB/s, in tiles of 64 rows to 21.8, of 32 to 19.5, of 16 to 21.3, of 64 x 64 rows to 20.8, so planes that leave the second-level cache are not the reason; in huge pages (PORTABLE_HUGEPAGES=yes) it came to 27, the copy to 32 to 36."
	triedComponentwise = "All of these but sin wait for memory. Large results are stored past the caches. On two threads of an AMD EPYC c = a + b of 16.8 M real64 came to 81 GB/s by usual stores, 84 by blocks of 4 KB past the caches, 82 with operands asked for beforehand, 97 by blocks of 1 KB (OpenMP 77); a loop alone that does nothing else came to 115. On family 25 blocks of 1 KB came to 48 to 49, of 2 KB, which all have now, to 53 (OpenMP 35 to 42). On two threads of an Intel Xeon, by blocks of 2 KB, mask = a < b came to 30 GB/s without requests and with those 1 KB on, to 29 to 30 with 2 KB, to 26 with 4 KB, by usual stores to 27 (OpenMP 31); c = a + b to 32, 37, 32 and 32. Elements with gaps are stored in place (internal/kernels/componentwise/RATIONALE.md)."
	triedSort          = "Keys that are in order take one look on all threads, at the speed of memory, after which nothing else is done; of few keys it is the waking of a thread."
	triedRows          = "Rows that begin at the first index have a loop of their own, which folds it into addresses. Plain loops know at compile time that a halo has two cells, and have no launch."
	triedScans         = "A part whose value before is known is scanned at once, the next two are added up first and scanned from the second-level cache. For 16.8 M real64 on two threads of an AMD EPYC, parts of 64 KB through a buffer took 9.0 ms, this with parts of 256 KB 5.8, of 512 KB 5.6 (OpenMP 5.4 to 5.5, which gives other bits for other threads); stores past the caches made the loop slower, 5.4 in place of 4.1; vectors of AVX2 took int32 from 0.8 to 1.0 of OpenMP (exec/algorithm/RATIONALE.md)."
	triedCases         = "Both engines call one body, which is bound by the processor and has equal shares; they differ by the noise of the machine."
	triedDivision      = "Divisors are compared with 0 in blocks that are in the cache; 32-bit integers are divided as doubles, in vectors, while the next block is asked for. On two threads of an Intel Xeon a / b took 39 ms without requests, 31 to 33 with those one, two or four blocks on, 40 with quotients of floats where both are below 2^24 and no requests (a * b 28)."
	triedRandom        = "Two cells share a block, so a single call chooses its half, which Random123's row does not; random_range gives both. One thread of an Intel Xeon, ns an element at -O3 -march=native: words of 64 bits 3.9, of 32, which it has now, 3.5, a last round with both products and a choice afterwards 4.0, a choice by masks 3.6 (Random123 3.2); at -O2 7.5, 5.8, 6.0 and 7.2 (5.8). An AMD EPYC with AVX-512 has words of 64 bits: 1.3 (Random123 2.4) (internal/kernels/random/RATIONALE.md)."
	triedSolves        = "Systems are lanes of vectors, 128 at once where they are side by side, else 16 that are turned in the cache; each cache line asks for lines of the next row and of the next group; one division in each row in place of two took the same time. Six other designs took 0.97 to 1.2 of its time; a loop that only adds up the same operands in rows of 128 systems takes as long as the stream, because each row is elsewhere in memory (internal/kernels/solve/RATIONALE.md)."
	triedOuter         = "A team of the host is one thread, so one outer iteration keeps one thread busy; a launch for each loop shares both dimensions (docs/fortran/hierarchy.md)."
	triedTransforms    = "Passes are out of place over vectors of real and of imaginary parts; contiguous lines are cut into lanes, others are lanes (internal/kernels/fft/RATIONALE.md)."
	triedMaking        = "A block of the pool, a record of its holders from malloc, and its label."
)

func launchLimits() []limit {
	list := []limit{
		{"empty launch, 2 threads: against libgomp's default waiting", "2x", times(2, gomp, "empty launch, 2 threads"), triedLaunch},
		{"empty launch, 2 threads: the goal", "5x", times(5, gomp, "empty launch, 2 threads"), triedLaunch},
	}
	list = append(list, limit{"labels, timers, checks and tools that are off: a label against none", "0.98x",
		func(r *results) (string, bool) {
			return times2(r, 0.98, "launch on serial, a label", pool, "launch on serial, no label", pool)
		}, triedLaunch})
	for _, us := range []int{20, 1000} {
		list = append(list,
			limit{fmt.Sprintf("a launch after %d us of work, one core", us), "1000 ns",
				most(1000, pool, fmt.Sprintf("launch after %d us of work, one core", us)), triedLaunch},
			limit{fmt.Sprintf("switches after %d us of work, one core", us), "0.01 per launch",
				most(0.01, pool, fmt.Sprintf("voluntary switches per launch after %d us, one core", us)), triedLaunch})
	}
	list = append(list,
		limit{"timers: start and stop, below others or not", "100 ns", most(100, pool, "timer: start and stop", "timer below eight others, of 400: start and stop"), triedTimers},
		limit{"timers, off: start and stop", "5 ns", most(5, pool, "timer off: start and stop"), triedTimers})
	for _, name := range reductionRows {
		list = append(list, limit{name + ": of the best OpenMP version", "0.98x", ofTheBest(0.98, name, gomp, gompActive, gompPassive), triedReductions})
	}
	for _, n := range []string{"16 M", "40 000"} {
		list = append(list, limit{"exact sum of " + n + " elements: of the plain one", "0.33x", func(r *results) (string, bool) {
			return times2(r, 0.33, "exact sum, "+n+" elements", pool, "sum, "+n+" elements", pool)
		}, triedReductions})
	}
	for _, name := range memoryRows {
		list = append(list, limit{name + ": of the best OpenMP version", "0.98x", ofTheBest(0.98, name, gomp, gompActive, gompPassive), triedMemory})
	}
	// The model of perfect caches: a point is read once and written once, as by the copy.
	list = append(list, limit{"7-point stencil, 256^3: of the copy times a number", "0.9x", func(r *results) (string, bool) {
		return times2(r, 0.9, "7-point stencil, 256^3", pool, "copy times a number, 256^3", pool)
	}, triedStencil})
	for _, layout := range []string{"as structures", "as arrays", "in blocks of 8"} {
		for _, way := range []string{"8 written and 1 read, 67.1 M elements ", "8 read and 1 written, 67.1 M elements "} {
			name := way + layout
			list = append(list, limit{name + ": Records against plain pointers", "0.98x", func(r *results) (string, bool) {
				return times2(r, 0.98, name+", Records", pool, name+", plain pointers", pool)
			}, triedMemory})
		}
	}
	for _, name := range []string{"DAXPY, 16.8 M elements", "tiled DGEMM, 1024 x 1024"} {
		list = append(list, limit{name + ": of plain loops with OpenMP", "0.94x", ofTheBest(0.94, name, gomp, gompActive, gompPassive), triedMemory})
	}
	for _, name := range []string{"triad in C++, 16.8 M elements", "7-point stencil in C++, 256^3", "7-point stencil in C++, Fortran style, 256^3"} {
		list = append(list, limit{name + ": Arrays against plain pointers", "0.98x", func(r *results) (string, bool) {
			return times2(r, 0.98, name+", Array", pool, name+", plain pointers", pool)
		}, triedMemory})
	}
	for _, row := range []struct {
		cells string
		least float64
	}{{"64", 1}, {"10", 0.95}} {
		list = append(list, limit{"a program of YAKL, rows of " + row.cells + " cells: against plain loops", fmt.Sprintf("%gx", row.least),
			times(row.least, plainLoops, "finite volumes, rows of "+row.cells+": a step"), triedRows})
	}
	list = append(list, limit{"a / b of integer Arrays: of a * b", "1.3 times as long", func(r *results) (string, bool) {
		return times2(r, 1/1.3, "a / b in C++, 67.1 M integers", pool, "a * b in C++, 67.1 M integers", pool)
	}, triedDivision})
	for _, row := range []string{nbodyRow, dockingRow} {
		list = append(list, limit{row + ": of the same loop of OpenMP", "1x", func(r *results) (string, bool) {
			return times2(r, 1, row, pool, row+", OpenMP", pool)
		}, triedCases})
	}
	list = append(list, limit{sphRow + ": of OpenMP with cells that are counted by hand", "1.05 times as long", func(r *results) (string, bool) {
		return times2(r, 1/1.05, sphRow, pool, sphRow+", OpenMP", pool)
	}, triedCases})
	list = append(list, limit{forcesRow + ": of OpenMP with linked lists in the order of cells", "1.3x", func(r *results) (string, bool) {
		return times2(r, 1.3, forcesRow, pool, forcesRow+", OpenMP and linked lists in the order of cells", pool)
	}, triedCases})
	for _, cells := range []string{"20 000", "110 000", "4 M"} {
		for _, way := range []string{"atomics", "colours", "colours, in blocks"} {
			name := "fluxes of edges, " + cells + " cells"
			list = append(list, limit{name + ": of OpenMP with " + way, "1x", func(r *results) (string, bool) {
				return times2(r, 1, name, pool, name+", "+way, pool)
			}, triedFluxes})
		}
	}
	list = append(list, meshLimits()...)
	for _, way := range []string{"serialize", "deserialize"} {
		list = append(list, limit{"structure of 59 MB, " + way + ": of memcpy by one thread", "0.9x", func(r *results) (string, bool) {
			return times2(r, 0.9, "structure of 59 MB, "+way, pool, "structure of 59 MB, memcpy", pool)
		}, triedMemory})
	}
	list = append(list, limit{"replay of 64 empty nodes: of 64 launches into a stream", "in 0.9 of the time; the goal is 0.5", func(r *results) (string, bool) {
		return times2(r, 1/0.9, "replay of 64 empty nodes and a fence", pool, "64 empty launches into a stream and a fence", pool)
	}, triedGraphs})
	list = append(list, limit{"an Array made and dropped", "250 ns", most(250, pool, "an Array of 80 KB made and dropped"), triedMaking})
	for _, row := range [][2]string{{"triad in Fortran, 16 M elements", "triad, 16 M elements"}, {"7-point stencil in Fortran, 256^3", "7-point stencil, 256^3"}} {
		handles := row[0] + ", handles"
		list = append(list,
			limit{row[0] + ": handles against ALLOCATABLE", "0.98x", func(r *results) (string, bool) { return times2(r, 0.98, handles, pool, row[0]+", ALLOCATABLE", pool) }, triedMemory},
			limit{row[0] + ": handles against the best OpenMP version", "0.98x", func(r *results) (string, bool) {
				return ofTheBestRow(r, 0.98, handles, row[1], gomp, gompActive, gompPassive)
			}, triedMemory})
	}
	list = append(list, limit{"a work array made and dropped in Fortran", "250 ns", most(250, pool, "a work array of 80 KB, made and dropped in Fortran"), triedMaking})
	for _, name := range []string{"int64, each thread to its own", "int64, all threads to one", "real64, each thread to its own", "real64, all threads to one"} {
		list = append(list, limit{"atomic add, " + name + ": against omp atomic", "0.94x", times(0.94, gomp, "atomic add, "+name), triedAtomic})
	}
	for _, name := range copyRows {
		list = append(list,
			limit{name + ": of memcpy by as many threads", "0.8x", func(r *results) (string, bool) { return times2(r, 0.8, name, pool, memcpyRow, pool) }, triedCopies},
			limit{name + ": of plain loops with OpenMP", "0.98x", ofTheBest(0.98, name, gomp, gompActive, gompPassive), triedCopies})
	}
	for _, what := range []string{"sum", "least", "largest", "sums along the slow dimension"} {
		name := what + " of 16.8 M elements"
		list = append(list, limit{name + ": of the best OpenMP version", "0.98x", ofTheBest(0.98, name, gomp, gompActive, gompPassive), triedReduced})
	}
	for _, name := range componentwiseRows {
		list = append(list, limit{name + ": of the best OpenMP version", "0.98x", ofTheBest(0.98, name, gomp, gompActive, gompPassive), triedComponentwise})
	}
	for _, count := range []string{"16.8 M", "100 000"} {
		for _, kind := range []string{"int32", "int64", "real64"} {
			for _, order := range []string{"", ", in order already"} {
				name := "sort, " + count + " " + kind + order
				list = append(list, limit{name + ": of the best library", "1x", ofTheBest(1, name, sortPeers...), triedSort})
			}
		}
	}
	for _, what := range []string{"prefix sum, real64,", "prefix sum, int32,", "pack, 30 % by chance,", "list of indices, 30 % by chance,", "list of indices, 30 % in runs,"} {
		name := what + " of 16.8 M elements"
		list = append(list, limit{name + ": of the best of libstdc++, OpenMP and oneTBB", "0.98x", ofTheBest(0.98, name, gomp, gompActive, gompPassive, "oneTBB"), triedScans})
	}
	for _, row := range []struct {
		ours, theirs string
		least        float64
	}{
		{"random_fill, real64", "Jenkins' generator seeded by index", 2},
		{"random_real in a kernel", "Jenkins' generator seeded by index", 1},
		{"random_real in a kernel", "Random123's Philox in a kernel", 1},
		{"random_fill, real64", "random_number of Fortran", 1},
	} {
		const size = ", of 8192 elements"
		list = append(list, limit{row.ours + ": of " + row.theirs, fmt.Sprintf("%gx", row.least), func(r *results) (string, bool) {
			return times2(r, row.least, row.ours+size, pool, row.theirs+size, pool)
		}, triedRandom})
	}
	for _, row := range []struct {
		iterations, ours, theirs string
		least                    float64
	}{
		{"1 outer and 40 000 inner", ", a parallel_for for each", ", parallel_outer", 1.5},
		{"1000 outer and 60 inner", ", parallel_outer", ", a parallel_for for each", 1},
	} {
		name := "two loops over " + row.iterations + " iterations"
		list = append(list, limit{name + row.ours + ": of " + strings.TrimPrefix(row.theirs, ", "), fmt.Sprintf("%gx", row.least), func(r *results) (string, bool) {
			return times2(r, row.least, name+row.ours, pool, name+row.theirs, pool)
		}, triedOuter})
	}
	for _, goal := range []struct {
		what, row, other string
		least            float64
	}{
		{"of the bandwidth of a stream of five arrays", "three diagonals, (column, level)", "stream of five arrays", 0.9},
		{"against a loop of Fortran", "three diagonals, (level, column)", "loop of Fortran, (level, column)", 2},
		{"against dgtsv for each column", "three diagonals, (level, column)", "dgtsv for each column", 4},
	} {
		list = append(list, limit{goal.row + ": " + goal.what, fmt.Sprintf("%gx", goal.least), func(r *results) (string, bool) {
			return times2(r, goal.least, goal.row+", an element", pool, goal.other+", an element", pool)
		}, triedSolves})
	}
	return append(list, transformLimits()...)
}

// transformLimits compares transforms with FFTW on one thread, and two threads with one.
func transformLimits() (list []limit) {
	for _, transform := range []string{"c2c of 64", "c2c of 360", "c2c of 1000", "c2c of 1024", "c2c of 4096", "r2c of 360", "r2c of 1024"} {
		for _, way := range []string{"contiguous", "side by side"} {
			row := func(engine, threads string) string {
				return fmt.Sprintf("%s%s, %s, %s, a number", engine, transform, way, threads)
			}
			list = append(list, limit{transform + ", " + way + ": of FFTW_MEASURE on one thread", "0.6x", func(r *results) (string, bool) {
				return times2(r, 0.6, row("", "one thread"), pool, row("FFTW: ", "one thread"), pool)
			}, triedTransforms}, limit{transform + ", " + way + ": two threads of one", "1.8x", func(r *results) (string, bool) {
				return times2(r, 1.8, row("", "two threads"), pool, row("", "one thread"), pool)
			}, triedTransforms})
		}
	}
	for _, transform := range []string{"r2c of 2", "r2c of 3", "r2c of 4", "r2c of 6"} {
		row := transform + ", contiguous, one thread, a number"
		list = append(list, limit{transform + ", contiguous: of FFTW_MEASURE on one thread", "0.6x", func(r *results) (string, bool) {
			return times2(r, 0.6, row, pool, "FFTW: "+row, pool)
		}, triedTransforms})
	}
	return list
}

// ofTheBest compares a time or a rate with the best of several peers: the worst of the comparisons with each.
func ofTheBest(least float64, name string, others ...string) func(*results) (string, bool) {
	return func(r *results) (string, bool) { return ofTheBestRow(r, least, name, name, others...) }
}

// ofTheBestRow does so with another row of theirs.
func ofTheBestRow(r *results, least float64, name, row string, others ...string) (string, bool) {
	best := ""
	for _, p := range others {
		a, b := r.value(row, p), r.value(row, best)
		if !math.IsNaN(a) && (best == "" || better(r.find(row).unit, a, b)) {
			best = p
		}
	}
	if best == "" {
		return "", false
	}
	return times2(r, least, name, pool, row, best)
}
