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
			text := "'" + y.Name + "' is private: each column has its own " + declared(y) + ", on the CPU one of each thread, on the GPU from the pool"
			p.Notes = append(p.Notes, Note{At: y.Where.From, Of: r.node.Info().Where.From, Name: y.Name, Text: text})
		}
	}
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
