// Package fission cuts the body of a loop into parts that are loops of their own (Kennedy and Allen).
//
// In this package: the graph of the statements of one body. It knows no trees and tests no dependence: nest says which statement must run
// before which, and which parts are parallel. It changes no program.
// Invariant: two statements of different parts run in the order that the graph asks for; those of one part in the order of the body.
// Threads: any; nothing is kept.
package fission

import "slices"

// Most is the number of statements above which no body is cut.
const Most = 64

// Graph says which statements of a body must run before others when each becomes a loop.
type Graph struct {
	n     int
	after [][]bool // after[s][t]: the loop of t must not run before the loop of s
}

// New is the graph of n statements that do not depend on each other.
func New(n int) *Graph {
	g := &Graph{n: n, after: make([][]bool, n)}
	for i := range g.after {
		g.after[i] = make([]bool, n)
	}
	return g
}

// Order says that the loop of t must not run before that of s. Both orders of two statements keep them in one loop.
func (g *Graph) Order(s, t int) { g.after[s][t] = true }

// Part is one loop: its statements in the order of the body.
type Part struct {
	Statements []int
	Parallel   bool
}

// Parts are the loops in the order in which they run. Neighbours of one kind are one loop, if it is parallel again where they are.
func (g *Graph) Parts(parallel func(statements []int) bool) (list []Part) {
	groups := g.components()
	is := make([]bool, len(groups))
	for i, x := range groups {
		is[i] = parallel(x)
	}
	done := make([]bool, len(groups))
	for range groups {
		best := -1
		for i := range groups {
			if done[i] || !g.ready(groups, done, i) {
				continue
			}
			if best < 0 {
				best = i
			}
			if len(list) == 0 {
				break
			}
			last := &list[len(list)-1]
			if is[i] != last.Parallel {
				continue
			}
			both := append(slices.Clone(last.Statements), groups[i]...)
			slices.Sort(both)
			if !is[i] || parallel(both) {
				last.Statements, best = both, -1
				done[i] = true
				break
			}
		}
		if best >= 0 {
			done[best] = true
			list = append(list, Part{groups[best], is[best]})
		}
	}
	return list
}

// ready reports whether all groups that run before a group are done.
func (g *Graph) ready(groups [][]int, done []bool, i int) bool {
	for k, other := range groups {
		if k == i || done[k] {
			continue
		}
		for _, s := range other {
			for _, t := range groups[i] {
				if g.after[s][t] {
					return false
				}
			}
		}
	}
	return true
}

// components are the strongly connected parts, each sorted, in the order of their first statements.
func (g *Graph) components() (groups [][]int) {
	reach := make([][]bool, g.n)
	for i := range reach {
		reach[i] = slices.Clone(g.after[i])
		reach[i][i] = true
	}
	for k := range g.n {
		for i := range g.n {
			for j := range g.n {
				reach[i][j] = reach[i][j] || reach[i][k] && reach[k][j]
			}
		}
	}
	taken := make([]bool, g.n)
	for i := range g.n {
		if taken[i] {
			continue
		}
		var group []int
		for j := range g.n {
			if reach[i][j] && reach[j][i] {
				taken[j] = true
				group = append(group, j)
			}
		}
		groups = append(groups, group)
	}
	return groups
}
