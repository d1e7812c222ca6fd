package main

import "fmt"

// This file holds the data of the generated parts of portable_fft_mod. Not in this file: kinds (reduce_array.go).

// direction of a transform.
type direction struct {
	Name     string
	Backward bool
}

// fftSpecific is a specific procedure of both directions: From is the side with n numbers, To the other one.
type fftSpecific struct {
	Name, From, To string
	Rank           int
	InPlace        bool
}

// fftModule is what portable_fft_mod holds.
type fftModule struct{}

func (fftModule) Directions() []direction { return []direction{{"forward", false}, {"backward", true}} }

func (fftModule) Transforms() (list []fftSpecific) {
	for _, bits := range []string{"32", "64"} {
		for rank := 1; rank <= commonRanks; rank++ {
			name := func(form string) string { return fmt.Sprintf("%s_%s_%d", form, bits, rank) }
			real, complex := "real(real"+bits+")", "complex(real"+bits+")"
			list = append(list, fftSpecific{name("complex"), complex, complex, rank, false}, fftSpecific{name("real"), real, complex, rank, false},
				fftSpecific{name("complex_in_place"), complex, "", rank, true}, fftSpecific{name("real_in_place"), real, "", rank, true})
		}
	}
	return list
}

// fftOutputs are the generated parts of the module of transforms.
func fftOutputs() []output {
	return []output{
		{"fortran/portable_fft_interfaces.inc", "fft_interfaces.inc.tmpl", fftModule{}},
		{"fortran/portable_fft_procedures.inc", "fft_procedures.inc.tmpl", fftModule{}},
	}
}
