// Package halo plans the exchange of ghost cells and of particles: which cells go to which rank, where
// they lie in the message, and which arguments are refused. Not here: messages and packing (exec/halo), MPI
// (portable_mpi.h). Caller is capi, once for a halo, once for a halo with fields, once for a migration. Pure Go; all
// functions are safe from any thread.
package halo

import "fmt"

// Fault is an error of the caller: the text of a refusal. Empty: no fault.
type Fault string

func fault(format string, args ...any) Fault { return Fault(fmt.Sprintf(format, args...)) }

// Spec is a halo, which is a box or lists, or a migration.
type Spec struct {
	Label       string
	Rank, Ranks int
	Box         *Box
	Lists       *Lists
	Particles   *Particles
}

// Segment is a set of cells of this rank that is one part of a message: of a box from Lower on, Extent cells along each
// dimension, counted with ghost cells; of lists the cells of Index. Segments of one group share no cell. Runs cut Index where a
// cell comes again: each part is a group, from Group on. Outer: cells lie in the message as those of an Index do.
type Segment struct {
	Peer, Group   int
	Lower, Extent []int64
	Index         []int64
	Runs          []int
	Outer         bool
}

// Segments are the own cells that others need, and the ghost cells that come from others; both by groups. For each pair of
// ranks the own segments of one and the ghost segments of the other have the same order and the same numbers of cells.
func (s *Spec) Segments() (own, ghost []Segment) {
	if s.Box != nil {
		return s.Box.segments(s.Rank)
	}
	if s.Particles != nil {
		return s.Particles.segments(s.Rank)
	}
	return s.Lists.segments()
}

// Check refuses arguments that do not fit this rank.
func (s *Spec) Check() Fault {
	if s.Box != nil {
		return s.Box.check(s.Ranks)
	}
	return s.Lists.check(s)
}

// dimensions is how many dimensions of a field the halo shares among ranks.
func (s *Spec) dimensions() int {
	if s.Box != nil {
		return len(s.Box.Global)
	}
	return 1
}
