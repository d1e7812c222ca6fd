package columns

import (
	"strings"

	"libportable/internal/fortran/scope"
	"libportable/internal/nest/parts"
)

// notes tells for each region the data of modules of which each column has its own.
func (p *Plan) notes() {
	for _, r := range p.regions {
		for _, y := range p.needed(r.text) {
			text := "'" + y.Name + "' is private: each column has its own " + declared(y) + ", a local variable of the thread on the CPU and on the GPU"
			if !small(y) {
				text = "'" + y.Name + "' is private: each column has its own " + declared(y) + ", a local array of the thread on the CPU, memory of the pool on the GPU"
			}
			p.Notes = append(p.Notes, Note{At: y.Where.From, Of: r.node.Info().Where.From, Name: y.Name, Text: text})
		}
	}
}

// small reports whether a GPU keeps a variable in its thread: it has at most 4096 bytes, as in package device.
func small(y *scope.Symbol) bool {
	bytes := int64(y.Type.Kind)
	for _, d := range y.Dims {
		lower := int64(1)
		if d.Lower != nil {
			lower, _ = value(y.Scope, d.Lower)
		}
		upper, known := int64(0), false
		if d.Upper != nil {
			upper, known = value(y.Scope, d.Upper)
		}
		if bytes *= max(upper-lower+1, 0); !known || bytes > 4096 {
			return false
		}
	}
	return true
}

// declared is a variable with its dimensions as they are declared.
func declared(y *scope.Symbol) string {
	if len(y.Dims) == 0 {
		return y.Name
	}
	var dims []string
	for _, d := range y.Dims {
		text := ":"
		if d.Upper != nil {
			text = parts.Show(d.Upper)
			if d.Lower != nil {
				text = parts.Show(d.Lower) + ":" + text
			}
		}
		dims = append(dims, text)
	}
	return y.Name + "(" + strings.Join(dims, ", ") + ")"
}
