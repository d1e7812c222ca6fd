package host

import (
	"libportable/internal/emit/device"
	"libportable/internal/fortran/scope"
)

// This file: the last values that a device gives as results. Not in this file: those of the host's tiles (body.go).

// givesLasts reports whether the text for devices has last values.
func (n *one) givesLasts() bool { return len(n.lasts()) > 0 }

// lasts are the results of the device that are last values.
func (n *one) lasts() (list []*device.Result) {
	if n.device == nil {
		return nil
	}
	for _, r := range n.device.kernel.Results {
		if r.Last != nil {
			list = append(list, r)
		}
	}
	return list
}

// carrier is the name of the integer that gets last value i.
func carrier(i int) string { return "@portable_last_" + decimal(i+1) }

// declareLasts declares the integers.
func (n *one) declareLasts() {
	for i, r := range n.lasts() {
		n.place.text.add(4, "integer("+decimal(r.Variable.Type.Kind)+"), target :: "+carrier(i))
	}
}

// beginLasts sets them to zero, to which the last iteration adds; they are the results of the launch behind the reductions.
func (n *one) beginLasts() (list []string) {
	for i, r := range n.lasts() {
		n.place.text.add(6, carrier(i)+" = 0")
		list = append(list, "@portable_result_of("+carrier(i)+", '"+r.Operation+"'"+n.suffix()+")")
	}
	return list
}

// endLasts gives them to the user's variables if the device ran an iteration.
func (n *one) endLasts() {
	lasts := n.lasts()
	if len(lasts) == 0 {
		return
	}
	t := &n.place.text
	ran := "@portable_on"
	for i := range n.loops {
		d := decimal(i + 1)
		ran += " .and. @portable_upper(" + d + ") >= @portable_lower(" + d + ")"
	}
	t.add(4, "if ("+ran+") then")
	for i, r := range lasts {
		for _, l := range n.locals {
			if l.symbol != r.Last.Symbol || l.last == nil {
				continue
			}
			kind := l.symbol.Type.Kind
			switch {
			case l.symbol.Type.Base == scope.Real:
				t.add(6, l.last.name+" = transfer("+carrier(i)+", "+l.last.name+")")
			case l.symbol.Type.Base == scope.Logical:
				t.add(6, l.last.name+" = "+carrier(i)+" /= 0")
			case kind < 4:
				t.add(6, l.last.name+" = int("+carrier(i)+", "+decimal(kind)+")")
			default:
				t.add(6, l.last.name+" = "+carrier(i))
			}
		}
	}
	t.add(4, "end if")
}
