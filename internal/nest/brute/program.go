package brute

import (
	"fmt"
	"strings"
)

// Program is a main program that calls the drivers of nests. Their names differ.
func Program(nests ...*Nest) string {
	var b strings.Builder
	b.WriteString("program main\n  implicit none\n")
	for _, n := range nests {
		fmt.Fprintf(&b, "  call %s_run\n", n.Name)
	}
	b.WriteString("end program main\n")
	return b.String()
}

// Driver is a subroutine NAME_run that calls the nest once for each run with data, and prints all dummies: with it the original and a
// converted nest are compared. Contents are small whole numbers, so that sums have the same bits in any order.
func (n *Nest) Driver() string {
	var b strings.Builder
	put := func(format string, args ...any) { fmt.Fprintf(&b, format+"\n", args...) }
	put("subroutine %s_run\n  implicit none", n.Name)
	var dummies []string
	for _, v := range n.Vars {
		if v.Local {
			continue
		}
		dummies = append(dummies, v.Name)
		kind, shape := "double precision", ""
		if v.Integer {
			kind = "integer"
		}
		if v.Rank > 0 {
			shape = "(" + v.shape() + ")"
		}
		put("  %s :: %s%s", kind, v.Name, shape)
	}
	put("  integer :: x")
	for r, data := range n.Data {
		for i, v := range n.Vars {
			switch {
			case v.Local:
			case v.Integer && v.Rank == 0:
				put("  %s = %d", v.Name, data[i])
			case v.Integer:
				var values []string
				for at := v.Lower[0]; at <= v.Upper[0]; at++ {
					values = append(values, fmt.Sprint(Fill(i, n.Fills[r], at)))
				}
				put("  %s = [ &\n    %s]", v.Name, strings.Join(wrapped(values), ", "))
			case v.Rank == 0:
				put("  %s = %d", v.Name, i-r)
			default:
				put("  %s = reshape([(dble(mod(x*x*%d + %d, 17) - 8), x = 1, size(%s))], shape(%s))", v.Name, 2*i+1, r, v.Name, v.Name)
			}
		}
		put("  call %s( &\n    %s)", n.Name, strings.Join(dummies, ", "))
		for _, v := range n.Vars {
			if !v.Local && !v.Symbol && (!v.Integer || v.Rank == 0) {
				put("  print *, '%s %s', %s", n.Name, v.Name, v.Name)
			}
		}
	}
	put("end subroutine %s_run", n.Name)
	return b.String()
}

// wrapped breaks long lists.
func wrapped(values []string) []string {
	for i := 20; i < len(values); i += 20 {
		values[i] = "&\n    " + values[i]
	}
	return values
}
