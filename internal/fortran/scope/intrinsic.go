package scope

import "libportable/internal/fortran/tree"

// call is a call of an intrinsic with its arguments in the order of the dummies.
type call struct {
	s    *Scope
	name string
	args map[string]tree.Expression
	list []tree.Expression // in the order of the call
}

func (s *Scope) newCall(name string, arguments []tree.Argument) *call {
	in := intrinsicsByName[name]
	if in == nil {
		return nil
	}
	c := &call{s: s, name: name, args: make(map[string]tree.Expression, len(arguments))}
	for i := range arguments {
		a := &arguments[i]
		c.list = append(c.list, a.Value)
		switch {
		case a.Keyword != "":
			c.args[a.Keyword] = a.Value
		case i < len(in.dummies):
			c.args[in.dummies[i]] = a.Value
		}
	}
	c.shiftMask(in, arguments)
	return c
}

// shiftMask moves a mask that stands in the place of DIM: sum(a, a > 0).
func (c *call) shiftMask(in *intrinsic, arguments []tree.Argument) {
	place := 1
	switch in.name {
	case "findloc":
		place = 2
	case "maxval", "minval", "sum", "product", "maxloc", "minloc", "iall", "iany", "iparity":
	default:
		return
	}
	if len(arguments) > place && arguments[place].Keyword == "" && c.args["mask"] == nil && c.s.typeOf(arguments[place].Value).Base == Logical {
		c.args["mask"] = arguments[place].Value
		delete(c.args, "dim")
	}
}

// arg is an argument by the number of its dummy, from 0.
func (c *call) arg(i int) tree.Expression {
	if in := intrinsicsByName[c.name]; i < len(in.dummies) {
		return c.args[in.dummies[i]]
	}
	return nil
}

func (c *call) has(name string) bool { return c.args[name] != nil }

// typeOfIntrinsic is the type and rank of a call of an intrinsic function.
func (s *Scope) typeOfIntrinsic(name string, arguments []tree.Argument) typed {
	c := s.newCall(name, arguments)
	if c == nil {
		return unknown
	}
	in := intrinsicsByName[name]
	t := typed{Type: c.resultType(in.result), rank: c.resultRank(in.rank)}
	if t.Base == NoType {
		return unknown
	}
	return t
}

// results: a, b, m: type of the first, second argument; of MOLD. A: the same, a complex number gives a real one. Q: of the
// first two, the larger kind. P: of all. p: as a product. i, r, d, l, c, z, s: default integer, real, double, logical,
// complex, double complex, character. k behind it: KIND= may change it. i2, i4, i8: that kind. s*: length not known.
func (c *call) resultType(code string) Type {
	s := c.s
	first := s.typeOf(c.arg(0)).Type
	switch code {
	case "a", "ak":
		return c.withKind(first)
	case "b":
		if c.has("x2") {
			return s.typeOf(c.args["x2"]).Type
		}
		return s.typeOf(c.arg(1)).Type
	case "m":
		return s.typeOf(c.args["mold"]).Type
	case "A":
		if first.Base == ComplexType {
			first.Base = Real
		}
		return first
	case "Q":
		return larger(first, s.typeOf(c.arg(1)).Type)
	case "P":
		return c.commonType()
	case "p":
		second := s.typeOf(c.arg(1)).Type
		switch {
		case numeric(first.Base) && numeric(second.Base):
			return promote(first, second)
		case first.Base == Logical && second.Base == Logical:
			return larger(first, second)
		}
		return Type{}
	case "i", "ik":
		return c.withKind(s.integer())
	case "i2":
		return Type{Base: Integer, Kind: 2}
	case "i4":
		return Type{Base: Integer, Kind: 4}
	case "i8":
		return Type{Base: Integer, Kind: 8}
	case "l", "lk":
		return c.withKind(s.logical())
	case "r":
		return s.real()
	case "d":
		return s.double()
	case "c":
		return Type{Base: ComplexType, Kind: s.Program.Options.Real}
	case "z":
		return Type{Base: ComplexType, Kind: s.Program.Options.Double}
	case "s":
		t := c.withKind(Type{Base: Character, Kind: 1})
		if c.name == "new_line" {
			t.Kind = first.Kind
		}
		return t
	case "s*":
		return c.textType(first)
	case "R":
		t := s.real()
		if first.Base == ComplexType {
			t.Kind = first.Kind
		}
		return c.withKind(t)
	case "C":
		return c.withKind(Type{Base: ComplexType, Kind: s.Program.Options.Real})
	case "CC":
		return s.complexOf(first, s.typeOf(c.arg(1)).Type)
	case "y":
		return c.moduleType()
	}
	return Type{}
}

// textType is the type of TRIM, REPEAT and their kin, with the length if it is constant.
func (c *call) textType(first Type) Type {
	t := Type{Base: Character, Kind: 1, Len: &tree.Star{}}
	if first.Base == Character {
		t.Kind = first.Kind
	}
	if c.name == "repeat" {
		n, ok := c.s.constantLength(first)
		times, known := c.s.Constant(c.args["ncopies"])
		if ok && known && times.Integer >= 0 && times.Integer < 1<<20 && n < 1<<10 {
			t.Len = length(n * int(times.Integer))
		}
	}
	return t
}

func (c *call) withKind(t Type) Type {
	if kind := c.args["kind"]; kind != nil && intrinsicsByName[c.name].hasDummy("kind") {
		t.Kind = c.s.kindOf(kind)
	}
	return t
}

func (in *intrinsic) hasDummy(name string) bool {
	for _, d := range in.dummies {
		if d == name {
			return true
		}
	}
	return false
}

// larger is the type of two arguments that must agree, or differ in kind as an extension.
func larger(x, y Type) Type {
	switch {
	case x.Base == BOZ:
		return y
	case y.Base == BOZ || y.Base != x.Base:
		return x
	case x.Kind == 0 || y.Kind == 0:
		x.Kind = 0
	default:
		x.Kind = max(x.Kind, y.Kind)
	}
	return x
}

func (c *call) commonType() Type {
	var t Type
	for i, e := range c.list {
		it := c.s.typeOf(e).Type
		switch {
		case it.Base == NoType:
			return Type{}
		case i == 0:
			t = it
		case numeric(t.Base) && numeric(it.Base):
			t = promote(t, it)
		case t.Base == Character && it.Base == Character:
			t.Len = c.longer(t, it)
		}
	}
	return t
}

func (c *call) longer(x, y Type) tree.Expression {
	m, ok := c.s.constantLength(x)
	n, known := c.s.constantLength(y)
	if ok && known {
		return length(max(m, n))
	}
	return &tree.Star{}
}

// moduleType is the type of a function of a module of the compiler whose result is a derived type.
func (c *call) moduleType() Type {
	module, name := "iso_c_binding", "c_ptr"
	switch c.name {
	case "c_funloc":
		name = "c_funptr"
	case "ieee_class":
		module, name = "ieee_arithmetic", "ieee_class_type"
	}
	if m := c.s.Program.compilerModule(module); m != nil && m.symbols[name] != nil {
		return Type{Base: Derived, Def: m.symbols[name].Def}
	}
	return Type{}
}

// ranks: e: elemental. 0, 1: that rank. s: of the first argument. x: a reduction, one less with DIM, else 0. lx: one less with
// DIM, else 1. b: 1, with DIM 0. +1: one more. mm: product of matrices. u: of MASK. sh: length of SHAPE. tr: TRANSFER.
func (c *call) resultRank(code string) int {
	s := c.s
	first := func() int { return s.typeOf(c.arg(0)).rank }
	switch code {
	case "0":
		return 0
	case "1":
		return 1
	case "e":
		rank := 0
		for name, e := range c.args {
			if name != "kind" && e != nil {
				rank = joinRank(rank, s.typeOf(e).rank)
			}
		}
		for _, e := range c.list[min(len(c.list), len(intrinsicsByName[c.name].dummies)):] {
			rank = joinRank(rank, s.typeOf(e).rank)
		}
		return rank
	case "j":
		if c.has("x2") {
			return 1
		}
		return joinRank(first(), s.typeOf(c.arg(1)).rank)
	case "s":
		return first()
	case "x", "lx", "fx":
		whole := 0
		if code != "x" {
			whole = 1
		}
		if !c.has("dim") {
			return whole
		}
		if first() < 1 {
			return -1
		}
		return first() - 1
	case "b":
		if c.has("dim") {
			return 0
		}
		return 1
	case "ti":
		if c.has("coarray") && !c.has("dim") {
			return 1
		}
		return 0
	case "+1":
		if first() < 0 {
			return -1
		}
		return first() + 1
	case "mm":
		if m, n := first(), s.typeOf(c.arg(1)).rank; m > 0 && n > 0 {
			return m + n - 2
		}
		return -1
	case "u":
		return s.typeOf(c.args["mask"]).rank
	case "sh":
		if n, ok := s.extent(c.args["shape"]); ok && n <= 15 {
			return int(n)
		}
		return -1
	case "tr":
		if c.has("size") || s.typeOf(c.args["mold"]).rank > 0 {
			return 1
		}
		return s.typeOf(c.args["mold"]).rank
	}
	return -1
}
