package statics

import (
	"debug/elf"
	"slices"
)

// This file goes from kernels to the procedures that they call, and finds the stores there.

type reached struct {
	p      *procedure
	kernel *procedure
}

// kernels are the procedures that take a tile, or the ones that stacks show under a kernel.
func (b *executable) kernels(stacks [][]uint64) (out []*procedure) {
	for _, p := range b.procedures {
		if stacks == nil && p.tile && !p.library && len(p.ranges) > 0 {
			out = append(out, p)
		}
	}
	for _, stack := range stacks {
		begun := false
		for _, pc := range stack {
			p := b.holding(pc)
			if p == nil || p.library {
				if begun { // the team's frames: the launching code is behind them
					break
				}
				continue
			}
			begun = true
			if !slices.Contains(out, p) {
				out = append(out, p)
			}
		}
	}
	return out
}

func (b *executable) holding(address uint64) *procedure {
	for _, p := range b.procedures {
		if slices.ContainsFunc(p.ranges, func(r [2]uint64) bool { return address >= r[0] && address < r[1] }) {
			return p
		}
	}
	return nil
}

func (b *executable) reach(roots []*procedure) (order []reached) {
	known := map[*procedure]bool{}
	add := func(p, kernel *procedure) {
		if p != nil && !known[p] && !p.library {
			known[p] = true
			order = append(order, reached{p, kernel})
		}
	}
	for _, k := range roots {
		add(k, k)
	}
	for i := 0; i < len(order); i++ {
		at := order[i]
		for _, o := range at.p.inlined {
			add(b.byOffset[o], at.kernel)
		}
		if !isRead(b.machine) {
			continue
		}
		for _, r := range at.p.ranges {
			for _, p := range b.called(r) {
				add(p, at.kernel)
			}
		}
	}
	return order
}

// large is the size from which gfortran puts a local array into static memory (-fmax-stack-var-size).
const large = 65536

// look finds the stores of a procedure to shared data.
func (b *executable) look(at reached) (out []Finding) {
	tell := func(v *variable, what Kind, address uint64) {
		f := Finding{What: what, Variable: v.name, Block: v.common, Owner: v.owner, Bytes: v.bytes, File: v.file, Line: v.line,
			Procedure: at.p.display, Kernel: at.kernel.display, At: at.p.file, AtLine: at.p.line}
		if file, line := b.debug.Line(address); line > 0 {
			f.At, f.AtLine = file, line
		}
		out = append(out, f)
	}
	stored := map[*variable]bool{}
	if isRead(b.machine) {
		for _, r := range at.p.ranges {
			for _, s := range b.stores(r) {
				v := s.v
				if stored[v] || v.array && v.in == nil || v.section.Flags&elf.SHF_WRITE == 0 {
					continue
				}
				what := Saved
				switch {
				case v.common != "":
					what = Common
				case v.in == nil:
					what = Module
				case v.in.isMain:
					what = Main
				}
				if v.array && what != Saved { // threads may have elements of their own
					continue
				}
				stored[v] = true
				if what == Saved && v.array && v.bytes > large {
					what = Large
				}
				tell(v, what, s.at)
			}
		}
	}
	for _, v := range b.variables {
		if v.in != at.p || stored[v] || !v.array || v.common != "" || v.section.Type != elf.SHT_NOBITS {
			continue // with a value it may be a table that the program only reads
		}
		what := Saved
		if v.bytes > large {
			what = Large
		}
		tell(v, what, 0)
	}
	return out
}
