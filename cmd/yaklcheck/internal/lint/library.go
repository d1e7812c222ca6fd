package lint

import (
	"slices"
	"strings"

	"libportable/internal/fortran/scope"
)

// This file lists the library's names, and the language's own procedures.

// libraryModules are the library's modules.
var libraryModules = []string{"portable", "portable_mod", "portable_core_mod", "portable_reduce_mod", "portable_sort_mod", "portable_algorithm_mod", "portable_solvers_mod", "portable_fft_mod", "portable_math_mod", "portable_random_mod", "portable_random_fill_mod",
	"portable_argument_mod", "portable_list_mod", "gator_mod", "portable_pool_mod", "portable_system_mod", "portable_observe_mod",
	"portable_array_mod", "portable_componentwise_mod", "portable_mesh_mod", "portable_particles_mod", "portable_graph_mod", "portable_blocks_mod", "portable_cfi_mod",
	"portable_record_mod", "portable_records_twin_mod", "portable_twin_mod", "portable_fields_mod", "portable_reduce_more_mod", "gator_more_mod"}

// prefixed are modules of others whose names have a prefix.
var prefixed = map[string]string{"omp_lib": "omp_", "openacc": "acc_", "mpi": "mpi_", "mpi_f08": "mpi_", "netcdf": "nf90_"}

// ourModules tells package scope which names the modules offer: without their files it cannot know.
type ourModules struct{}

func (ourModules) Offers(module, name string) (offers, known bool) {
	if prefix := prefixed[module]; prefix != "" {
		return strings.HasPrefix(name, prefix), true
	}
	return libraryName(name) != "", slices.Contains(libraryModules, module)
}

// launches are the procedures that take a kernel, with its position and its keyword.
var launches = map[string]struct {
	place int
	word  string
}{
	"portable_parallel_for":    {2, "kernel"},
	"portable_parallel_reduce": {2, "kernel"},
	"portable_parallel_outer":  {2, "kernel"},
	"portable_parallel_filter": {2, "kernel"},
	"portable_parallel_inner":  {2, "body"},
}

// outputs are the arguments that calls assign, counted from 0; -1: all of them.
var outputs = map[string][]int{
	"portable_liveout_get": {1},
	"random_number":        {0}, "system_clock": {-1}, "cpu_time": {0}, "date_and_time": {-1}, "random_seed": {0},
	"get_command_argument": {1, 2, 3}, "get_environment_variable": {1, 2, 3}, "move_alloc": {0, 1}, "mvbits": {3}, "c_f_pointer": {1},
	"c_f_procpointer": {1}, "execute_command_line": {2, 3, 4}, "get_command": {-1},
	"ieee_get_flag": {1}, "ieee_get_halting_mode": {1}, "ieee_get_rounding_mode": {0}, "ieee_get_status": {0},
}

// short are the names of portable_mod that are not the long ones without portable_.
var short = map[string]string{"kernel_fail": "portable_kernel_fail", "live_out_get": "portable_liveout_get",
	"live_out_create": "portable_liveout_create", "exact_add": "portable_exact_add", "add_atomically": "portable_atomic_add",
	"min_atomically": "portable_atomic_min", "max_atomically": "portable_atomic_max", "tile": "portable_tile", "team": "portable_team"}

// libraryName is the name in portable_core_mod of a library name, long or short; "": it has none that matters here.
func libraryName(n string) string {
	if full := short[n]; full != "" {
		return full
	}
	if _, is := launches[n]; is {
		return n
	}
	if _, is := launches["portable_"+n]; is {
		return "portable_" + n
	}
	if strings.HasPrefix(n, "portable_") || strings.HasPrefix(n, "gator_") {
		return n
	}
	switch n {
	case "inner_range", "fence_inner", "single_inner", "exact_value", "bounds", "fence", "host_read", "host_write", "timer_start", "timer_stop":
		return "portable_" + n
	}
	return ""
}

// called is the name of the procedure of the library or the language, "" for the program's own.
func (p *program) called(s *scope.Scope, n string) string {
	m := p.meaning(s, n)
	switch {
	case m.library != "":
		return m.library
	case m.procedures != nil || m.symbol != nil:
		return ""
	}
	if _, known := outputs[n]; known {
		return n
	}
	if full := libraryName(n); full != "" && m.module != "" { // a module of the user's exports it again
		return full
	}
	return ""
}

// isTile reports whether a dummy is a tile, as kernels have.
func (p *program) isTile(y *scope.Symbol) bool {
	if y == nil || !y.Dummy || y.Type.Def == nil {
		return false
	}
	n := y.Type.Def.Name
	if y.Type.Def.Decl != nil {
		return inLibrary(y.Type.Def.Scope.Parent) && (n == "portable_tile" || n == "portable_team")
	}
	m := p.meaning(y.Scope, n)
	if m.library == "" && m.symbol == nil && m.procedures == nil {
		return slices.Contains([]string{"tile", "portable_tile", "team", "portable_team"}, n)
	}
	return m.library == "portable_tile" || m.library == "portable_team"
}
