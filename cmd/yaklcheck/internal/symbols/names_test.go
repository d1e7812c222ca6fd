package symbols

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestReadable(t *testing.T) {
	cases := []struct {
		symbol, name, scope string
	}{
		{"__swe_MOD_step", "step", "swe"},
		{"__swe_MOD_step.constprop.0", "step", "swe"},
		{"__swe_MOD_step.constprop.0.isra.0", "step", "swe"},
		{"__swe_MOD_step._omp_fn.0", "step (OpenMP region)", "swe"},
		{"__swe.tides_MOD_pull", "pull", "swe.tides"},
		{"MAIN__", "main program", ""},
		{"MAIN__._omp_fn.12", "main program (OpenMP region)", ""},
		{"inner.3456", "inner", ""},
		{"outside_", "outside", ""},
		{"out_side__", "out_side", ""},
		{"_start", "_start", ""},
		{"memcpy@@GLIBC_2.14", "memcpy", ""},
		{"work._omp_fn.0", "work (OpenMP region)", ""},
		{"work.omp_outlined", "work (OpenMP region)", ""},
		{".omp_outlined._debug__", "OpenMP region", ""},
		{".omp_outlined..12", "OpenMP region", ""},
		{"_QMswePstep", "step", "swe"},
		{"_QMsweFstepPinner", "step::inner", "swe"},
		{"_QMsweStidesPpull", "pull", "swe.tides"},
		{"_QPoutside", "outside", ""},
		{"_QQmain", "main program", ""},
		{"_QFPlocal", "local", ""},
		{"_QMsweEh", "_QMsweEh", ""},
		{"_QM", "_QM", ""},
		{"_ZN3swe4GridIdE4fillEd", "swe::Grid::fill", ""},
		{"_ZZ4mainENKUliE_clEi", "main::{lambda(int)#1}::operator()", ""},
		{"_Z4stepPd._omp_fn.0", "step (OpenMP region)", ""},
		{"_Z4stepPd.cold", "step", ""},
		{"_Znonsense", "_Znonsense", ""},
		{"", "", ""},
	}
	for _, c := range cases {
		name, scope := readable(c.symbol, true, "")
		require.Equal(t, []string{c.name, c.scope}, []string{name, scope}, c.symbol)
	}
	name, _ := readable("outside_", false, "")
	require.Equal(t, "outside_", name, "in C a name may end in _")
	name, _ = readable("MAIN__._omp_fn.0", true, "model")
	require.Equal(t, "model (OpenMP region)", name)
}

// FuzzReadable: it panics for no name.
func FuzzReadable(f *testing.F) {
	for _, s := range []string{"_QMsweFstepPinner", "__swe_MOD_step._omp_fn.0", "_ZN3swe4GridIdE4fillEd", "_Q", "a.b.0"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, symbol string) { readable(symbol, true, "") })
}
