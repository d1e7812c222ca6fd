package main

import (
	"fmt"
	"strings"
)

// componentArgument is an array, or one value, of a specific procedure of portable_componentwise_mod.
type componentArgument struct {
	Name, Decl string
	Kind       string // of componentKinds; "logical" is the default one
	Rank       int    // 0: one value
	Out        bool
}

// Section is how the argument comes to C.
func (a componentArgument) Section() string {
	switch {
	case a.Rank == 0 && a.Kind == "logical":
		return "portable_internal_mask_0(" + a.Name + ")"
	case a.Rank == 0:
		return "one_" + a.Kind + "(" + a.Name + ")"
	case a.Kind == "logical":
		return fmt.Sprintf("portable_internal_mask_%d(%s)", a.Rank, a.Name)
	}
	return "portable_internal_array(" + a.Name + ")"
}

// componentSpecific is one specific procedure: compute with one or two operands, merge or fill.
type componentSpecific struct {
	Generic, Procedure string
	Arguments          []componentArgument
	Op                 int // position of op among the arguments; 0: there is no op
}

// Dummies are the names of the arguments.
func (s componentSpecific) Dummies() string {
	var names []string
	for i, a := range s.Arguments {
		if s.Op > 0 && i == s.Op {
			names = append(names, "op")
		}
		names = append(names, a.Name)
	}
	return strings.Join(append(names, "label", "stat", "errmsg", "device", "stream"), ", ")
}

// Call is what C gets: result, a, b, mask.
func (s componentSpecific) Call() string {
	sections := map[string]string{"a": "portable_internal_section()", "b": "portable_internal_section()", "mask": "portable_internal_section()"}
	for _, a := range s.Arguments {
		sections[a.Name] = a.Section()
	}
	op := "''"
	if s.Op > 0 {
		op = "op"
	}
	return fmt.Sprintf("%s, %s, %s, %s, %s, label, stat, errmsg, device, stream", op, sections["c"], sections["a"], sections["b"], sections["mask"])
}

// componentKinds are the kinds of numbers of portable_componentwise_mod, in the names of commonKinds.
var componentKinds = []reduceKind{
	{"int4", "integer(int32)", 3, "number", false},
	{"int8", "integer(int64)", 4, "number", false},
	{"real4", "real(real32)", 5, "number", false},
	{"real8", "real(real64)", 6, "number", false},
}

// componentModule is what portable_componentwise_mod holds.
type componentModule struct{}

// Kinds are those of arrays that are filled and merged.
func (componentModule) Kinds() []reduceKind {
	return append(append([]reduceKind{}, componentKinds...),
		reduceKind{"cplx4", "complex(real32)", 7, "complex", false}, reduceKind{"cplx8", "complex(real64)", 8, "complex", false})
}

func (componentModule) Names() []string {
	return []string{"portable_compute", "portable_merge", "portable_fill"}
}

func (m componentModule) All() (list []componentSpecific) {
	logical := reduceKind{Name: "logical", Decl: "logical"}
	array := func(name string, k reduceKind, rank int) componentArgument {
		return componentArgument{Name: name, Decl: k.Decl, Kind: k.Name, Rank: rank, Out: name == "c"}
	}
	add := func(generic, what string, k reduceKind, rank, op int, arguments ...componentArgument) {
		list = append(list, componentSpecific{generic, fmt.Sprintf("%s_%s_%d", what, k.Name, rank), arguments, op})
	}
	for rank := 1; rank <= commonRanks; rank++ {
		for _, k := range append(append([]reduceKind{}, componentKinds...), logical) {
			results := map[string]reduceKind{"": k, "is_": logical}
			if k.Name == "logical" {
				delete(results, "is_")
			}
			for _, prefix := range []string{"", "is_"} {
				r, has := results[prefix]
				if !has {
					continue
				}
				c, a, b := array("c", r, rank), array("a", k, rank), array("b", k, rank)
				one, other := array("a", k, 0), array("b", k, 0)
				add("compute", prefix+"unary", k, rank, 1, c, a)
				add("compute", prefix+"arrays", k, rank, 2, c, a, b)
				add("compute", prefix+"array_value", k, rank, 2, c, a, other)
				add("compute", prefix+"value_array", k, rank, 2, c, one, b)
			}
		}
		for _, k := range append(m.Kinds(), logical) {
			c, a, b, mask := array("c", k, rank), array("a", k, rank), array("b", k, rank), array("mask", logical, rank)
			add("merge", "merge_arrays", k, rank, 0, c, a, b, mask)
			add("merge", "merge_array_value", k, rank, 0, c, a, array("b", k, 0), mask)
			add("merge", "merge_value_array", k, rank, 0, c, array("a", k, 0), b, mask)
			add("merge", "merge_values", k, rank, 0, c, array("a", k, 0), array("b", k, 0), mask)
			add("fill", "fill", k, rank, 0, c, array("a", k, 0))
		}
	}
	return list
}

// Specifics are those of one generic.
func (m componentModule) Specifics(name string) (list []componentSpecific) {
	for _, s := range m.All() {
		if "portable_"+s.Generic == name {
			list = append(list, s)
		}
	}
	return list
}

// componentCheck is a kind with a rank, for the test that walks through them.
type componentCheck struct {
	reduceKind
	Rank int
}

// Checks are all kinds with all ranks; a logical has no numbers.
func (m componentModule) Checks() (list []componentCheck) {
	for _, k := range append(m.Kinds(), reduceKind{Name: "logical", Decl: "logical", Class: "logical"}) {
		for rank := 1; rank <= commonRanks; rank++ {
			list = append(list, componentCheck{k, rank})
		}
	}
	return list
}

// Value makes an integer expression an element.
func (c componentCheck) Value(number string) string {
	base, kind, _ := strings.Cut(strings.TrimSuffix(c.Decl, ")"), "(")
	switch base {
	case "integer":
		return "int(" + number + ", " + kind + ")"
	case "real":
		return "real(" + number + ", " + kind + ")"
	case "complex":
		return "cmplx(" + number + ", 1, " + kind + ")"
	}
	return "mod(" + number + ", 3) == 1"
}

// Same compares elements.
func (c componentCheck) Same() string {
	if c.Class == "logical" {
		return ".eqv."
	}
	return "=="
}

// componentOutputs are the generated parts of the module and its test.
func componentOutputs() []output {
	return []output{
		{"fortran/portable_componentwise_interfaces.inc", "generic_interfaces.inc.tmpl", componentModule{}},
		{"fortran/portable_componentwise_procedures.inc", "componentwise_procedures.inc.tmpl", componentModule{}},
		{"every/every_specific.f90", "every_specific.f90.tmpl", componentModule{}},
	}
}
