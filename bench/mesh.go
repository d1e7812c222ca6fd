package main

import (
	"fmt"
	"math"
)

// Limits for meshes and particles. In this file: which rows are compared, and by how much. Not in this file: measuring
// (mesh/).

const (
	triedMesh   = "Blocks of rows of one length (3, 4, 6, 8) have a loop without branches, which asks for elements 4 KB (Intel) or 512 bytes (others) before they are read; indices are checked by vectors; OpenMP's loop checks none. On two threads of an Intel Xeon rows of 8 took 0.23 to 0.25 ns an element without requests, 0.18 with those 512 bytes on, 0.17 with 1 KB, 0.16 with 2, 4 and 8 KB (OpenMP 0.17 to 0.19)."
	triedHeavy  = "64 MB come from memory, which gives two threads less than twice as much as one: the stream does nothing but read. A row of half of 1 M elements is in the caches."
	triedFluxes = "A gather has no conflicts, so 64 fluxes are computed at a time in vectors, stored for both sides of an edge, and added up by cell. In ns an edge, 110 000 cells, AMD EPYC, two threads: " +
		"a flux of one edge at a time and a sign by the edge's first cell 3.2; a list of sides in place of the test 3.2; a part for each entry of a row, added up in order 2.9; blocks of 64 fluxes and one number for each edge 2.0, two numbers 1.8. " +
		"Colours 2.5, in blocks 1.8, atomics 2.5 to 2.7. 4 M cells, Intel Xeon with 480 MiB of third-level cache: two launches, with all fluxes in memory, 2.7 to 2.9; one number for each edge 2.8 to 3.0; tiles of 4096 cells, whose fluxes stay in the second-level cache, 2.2, " +
		"of 8192 2.0, of 32768 1.9, of 65536 2.0. Colours 2.0 to 2.3, in blocks 1.6 to 1.8; they read the cells four times, which that cache hides."
	triedMap       = "lower_bound gives a place, a map the number that is kept there: one more line of memory, which is asked for 32 keys before the end. A sample of each 64th key, in the second-level cache, would take 0.75 of the time, a search in four parts 1.3 times as long."
	triedParticles = "Keys are counted while they are computed, and each bucket of cells is counted once in the cache; the rest is the one move of all pairs to their buckets, which the sort has, too (exec/mesh/RATIONALE.md)."
)

// meshLimits compares rows with OpenMP's loops, cells with the sort of their keys, merges and maps with the standard library.
func meshLimits() (list []limit) {
	against := func(what, need string, least float64, name, other, tried string) {
		list = append(list, limit{what, need, func(r *results) (string, bool) { return times2(r, least, name, pool, other, pool) }, tried})
	}
	for _, name := range []string{"rows of 3 through an index, 6 M elements", "rows of 3 through an index, 60 000 elements", "rows of 8, 8 M elements", "rows of 50, 8 M elements"} {
		against(name+": of the best OpenMP version", "0.95x", 0.95, name, name+", OpenMP", triedMesh)
	}
	cached, half := "one row of half of 1 M elements", "one row of half of 8 M elements"
	against(cached+", two threads: of one", "1.8x", 1.8, cached, cached+", one thread", triedMesh)
	list = append(list, limit{half + ", two threads: of one", "1.8x, or 0.95 of what a stream that reads them gains", func(r *results) (string, bool) {
		return asTheStream(r, 1.8, 0.95, half, ", a stream that reads them", ", one thread")
	}, triedHeavy})
	cells := "cells of particles"
	against(cells+": of sort_by_key of the keys", "1.2 times as long", 1/1.2, cells, cells+", sort_by_key of the keys", triedParticles)
	for _, kind := range []string{"real64", "int32"} {
		name := "a merge of 2 x 2 M " + kind
		against(name+": of std::merge", "1.8x", 1.8, name, name+", std::merge", triedParticles)
	}
	key := "a key of a map"
	against(key+": of std::lower_bound", "1.3 times as long", 1/1.3, key, key+", std::lower_bound", triedMap)
	return list
}

// asTheStream compares two threads with one: the gain is at least `least`, or that share of what a stream over the same elements gains.
func asTheStream(r *results, least, share float64, name, stream, alone string) (string, bool) {
	gain := r.value(name+alone, pool) / r.value(name, pool)
	limit := r.value(name+stream+alone, pool) / r.value(name+stream, pool)
	if math.IsNaN(gain) || math.IsNaN(limit) {
		return "", false
	}
	return fmt.Sprintf("%.2fx; the stream %.2fx", gain, limit), gain >= math.Min(least, share*limit)*(1-noise)
}
