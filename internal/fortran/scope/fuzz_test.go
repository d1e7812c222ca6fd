package scope

import (
	"fmt"
	"testing"
	"time"

	"libportable/internal/fortran/parse"
	"libportable/internal/fortran/source"
	"libportable/internal/fortran/tree"
)

// ask puts every question about every expression and name of a program.
func ask(p *Program) (questions int) {
	for _, file := range p.Files {
		for _, unit := range file.Units {
			p.askUnit(unit, &questions)
		}
	}
	return questions
}

func (p *Program) askUnit(u *tree.Unit, questions *int) {
	s := p.Of(u)
	one := func(at *Scope, e tree.Expression) {
		*questions++
		at.TypeOf(e)
		at.Constant(e)
		at.Symbol(e)
		switch e := e.(type) {
		case *tree.Reference:
			at.Meaning(e)
		case *tree.Component:
			at.Component(e)
		case *tree.Name:
			if y := at.Lookup(e.Name); y == nil {
				panic("no symbol")
			}
		}
	}
	all := func(at *Scope, n any) {
		tree.Walk(n, func(n any) bool {
			switch n := n.(type) {
			case *tree.Unit:
				return false
			case tree.Expression:
				one(at, n)
			}
			return true
		})
	}
	for _, d := range u.Declarations {
		all(s, d)
		if block, ok := d.(*tree.Interface); ok {
			for _, body := range block.Bodies {
				p.askUnit(body, questions)
			}
		}
	}
	if u.Interface {
		return
	}
	s.statements(func(at *Scope, n tree.Node) {
		tree.Walk(n, func(below any) bool {
			switch below := below.(type) {
			case tree.Expression:
				one(at, below)
			case tree.Node:
				return below == n
			}
			return true
		})
		if a, ok := n.(*tree.Assignment); ok {
			at.Assignment(a.Left, a.Right)
		}
	})
	for _, y := range s.Own() {
		y.typed()
		if y.Def != nil {
			y.Def.Component("x")
			y.Def.Binding("x")
		}
	}
	for _, inner := range u.Contains {
		p.askUnit(inner, questions)
	}
}

// FuzzScope reads any bytes as two files and asks about all of them. Nothing may panic, and the time is bounded by the size.
func FuzzScope(f *testing.F) {
	for _, seed := range cycles {
		f.Add([]byte(seed), false)
	}
	f.Fuzz(func(t *testing.T, text []byte, fixed bool) {
		if len(text) > 1<<14 {
			return
		}
		begun := time.Now()
		set := source.NewSet(func(name string) ([]byte, error) { return nil, fmt.Errorf("no file %s", name) })
		o := source.Options{Form: source.Free}
		if fixed {
			o.Form = source.Fixed
		}
		var files []*tree.File
		half := len(text) / 2
		for _, part := range [][]byte{text, text[:half], text[half:]} {
			files = append(files, parse.File(source.Read(set, "x.f90", part, o)))
		}
		read := time.Since(begun)
		ask(Build(files, Options{}))
		if took := time.Since(begun) - read; took > 20*time.Second {
			t.Fatalf("%d bytes took %v", len(text), took)
		}
	})
}

// cycles are sources that would never end if every name were followed.
var cycles = []string{
	"module a\nuse b\nend\nmodule b\nuse a\ninteger, parameter :: k = x\nend\n",
	"module a\nuse a\ninteger :: x\nend\n",
	"program p\ninteger, parameter :: a = b, b = a\nreal(a) :: x(b)\nx = a + b\nend\n",
	"program p\ntype, extends(t) :: t\ninteger :: x\nend type\ntype(t) :: y\ny%x = 1\nend\n",
	"program p\ntype, extends(u) :: t\nend type\ntype, extends(t) :: u\nend type\ntype(t) :: y\nprint *, y%q\nend\n",
	"program p\nassociate (a => b, b => a)\na = b\nend associate\nend\n",
	"program p\nprocedure(f) :: f\ninterface f\nprocedure f\nend interface\ncall f(f)\nend\n",
	"submodule (a:b) b\nend\nsubmodule (a:c) d\nend\nsubmodule (a:d) c\nend\nmodule a\nend\n",
	"program p\nimplicit real(k) (k)\nx = k\nend\n",
	"program p\ninteger, parameter :: n(size(n)) = [(n(i), i = 1, size(n))]\nprint *, n\nend\n",
	"program p\ninteger, parameter :: n = sum([((((((i*j, i=1,1000), j=1,1000), k=1,1000), l=1,1000), m=1,1000), o=1,1000)])\nprint *, n\nend\n",
	"program p\ncharacter(len=len(c)) :: c\nprint *, c, 2**(2**(2**(2**30)))\nend\n",
	"function f(x) result(f)\nf = f(f)\nentry f(f) result(g)\nend\n",
	"program p\ninteger, parameter :: a(10000)=1, b(10000)=a+a, c(10000)=b*b\nprint *, [a, b, c], repeat('x', 2**30)\nend\n",
	"program p\ntype t\ntype(t), pointer :: n\ncontains\nprocedure :: n => n\ngeneric :: operator(+) => n, m\ngeneric :: m => m\nend type\ntype(t) :: x\nx = x + x%n + x%m(x)\nend\n",
	"program p\nf(x) = g(x)\ng(x) = f(x)\ny = f(g(1.0))\nend\n",
	"program p\nselect type (a => a)\ntype is (real)\na = a\nclass is (t)\na = 1\nend select\nselect rank (a)\nrank (2)\na = 1\nrank (*)\na = 2\nend select\nend\n",
	"subroutine x(x)\nreal :: x\nx = x\nend\n",
	"subroutine x(x)\nprocedure(real) :: x\ny = x(x)\nend\n",
}

// TestCycles: sources that refer to themselves end, and their answers are "not known".
func TestCycles(t *testing.T) {
	for i, text := range cycles {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			set := source.NewSet(nil)
			file := parse.File(source.Read(set, "x.f90", []byte(text), source.Options{}))
			begun := time.Now()
			if ask(Build([]*tree.File{file}, Options{})) == 0 && i > 1 && i != 7 {
				t.Fatal("nothing was asked")
			}
			if took := time.Since(begun); took > 5*time.Second {
				t.Fatalf("it took %v", took)
			}
		})
	}
}
