package doctor

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"libportable/internal/outside"
	"libportable/internal/spelling"
)

// The environment variables of the library, of OpenMP, and of what starts MPI programs.

// form is what a value may look like. The library itself warns when it meets nonsense (internal/instance); here it is told before.
type form int

const (
	anything form = iota
	yesOrNo
	size
	number
	words
	list // of words; yes is all of them, no is none
)

type known struct {
	form  form
	words []string
	unit  float64 // of a size without a unit; 0: 1 MiB
	least float64
	power bool // of two
}

// variables are those of docs/build/environment.md; a test compares the two.
var variables = map[string]known{
	"GATOR_DISABLE":          {form: yesOrNo},
	"GATOR_INITIAL_MB":       {form: size},
	"GATOR_GROW_MB":          {form: size},
	"GATOR_BLOCK_BYTES":      {form: size, unit: 1, least: 64, power: true},
	"GATOR_STRICT":           {form: yesOrNo},
	"PORTABLE_LIMIT_MB":      {form: size},
	"PORTABLE_FASTPATH":      {form: yesOrNo},
	"PORTABLE_HUGEPAGES":     {form: yesOrNo},
	"PORTABLE_ALLOCATE_FROM": {form: size, unit: 1, least: 4096},
	"PORTABLE_DEVICE":        {},
	"PORTABLE_CUDA_LIBRARY":  {},
	"PORTABLE_CUDA_PATH":     {},
	"PORTABLE_NVRTC_LIBRARY": {},
	"PORTABLE_CACHE":         {},
	"PORTABLE_NVTX":          {form: yesOrNo},
	"PORTABLE_MANAGED":       {form: yesOrNo},
	"PORTABLE_HOSTMEM":       {form: words, words: []string{"error", "warn", "allow"}},
	"PORTABLE_NUM_THREADS":   {form: number},
	"PORTABLE_STACKSIZE":     {form: size},
	"PORTABLE_SCHEDULE":      {form: words, words: []string{"static", "dynamic"}},
	"PORTABLE_PROFILE":       {},
	"PORTABLE_B4B":           {form: yesOrNo},
	"PORTABLE_TWINS":         {form: words, words: []string{"separate", "0", "no"}},
	"PORTABLE_TOOLS":         {},
	"PORTABLE_VERBOSE":       {},
	"PORTABLE_CHECK":         {form: list, words: []string{"launch", "arrays", "memory", "hash", "all"}},
	"PORTABLE_MEMCHECK":      {},
	"PORTABLE_HASH":          {},
	"PORTABLE_TRACE":         {},
	"PORTABLE_TUNING":        {},
}

var yesNo = []string{"1", "y", "yes", "t", "true", "on", ".true.", "0", "n", "no", "f", "false", "off", ".false."}

// wrong says what is wrong with a value; "": nothing that can be seen from here.
func (k known) wrong(value string) string {
	v := strings.ToLower(strings.TrimSpace(value))
	switch {
	case v == "":
		return ""
	case k.form == yesOrNo && !slices.Contains(yesNo, v):
		return "yes or no is wanted"
	case k.form == size:
		n := k.size(v)
		switch {
		case n < 1:
			return "a size such as 4000, 4000MB or 4GB is wanted"
		case n >= 1<<56:
			return "it is more than any machine has"
		case n < k.least:
			return fmt.Sprintf("it is less than %.0f", k.least)
		case k.power && (n > 1<<30 || math.Exp2(math.Round(math.Log2(n))) != n):
			return "a power of two from 64 to 1 GiB is wanted"
		}
	case k.form == number:
		if n, err := strconv.Atoi(v); err != nil || n < 1 || n > 4095 {
			return "a number from 1 to 4095 is wanted"
		}
	case k.form == words || k.form == list:
		for word := range strings.FieldsFuncSeq(v, func(c rune) bool { return c == ',' || c == ' ' }) {
			if !slices.Contains(k.words, word) && (k.form == words || !slices.Contains(yesNo, word)) {
				return "there are " + strings.Join(k.words, ", ")
			}
		}
	}
	return ""
}

// Wrong says what is wrong with the value of a variable of the library; looked: the form of its values is known here.
func Wrong(name, value string) (why string, looked bool) {
	k, known := variables[name]
	return k.wrong(value), known && k.form != anything
}

// size is in bytes; 0: it is none.
func (k known) size(v string) float64 {
	digits := strings.TrimRight(v, "bkmgti ")
	n, err := strconv.ParseFloat(digits, 64)
	if err != nil || strings.Trim(digits, "0123456789.") != "" {
		return 0
	}
	unit := strings.TrimSpace(v[len(digits):])
	if unit == "" {
		return n * cmp.Or(k.unit, mb)
	}
	scale, known := map[byte]float64{'b': 1, 'k': 1 << 10, 'm': mb, 'g': gb, 't': 1 << 40}[unit[0]], slices.Contains([]string{"", "b", "ib"}, unit[1:])
	if !known || unit[0] == 'b' && len(unit) > 1 {
		return 0
	}
	return n * scale
}

func (d *doctor) variables() {
	found := 0
	for _, name := range slices.Sorted(maps.Keys(d.Env)) {
		if !strings.HasPrefix(name, "PORTABLE_") && !strings.HasPrefix(name, "GATOR_") {
			continue
		}
		k, is := variables[name]
		if !is {
			text, remedy := name+" is no variable of the library: it does nothing", "docs/build/environment.md lists them"
			if near := spelling.Nearest(name, slices.Collect(maps.Keys(variables))); near != "" {
				remedy = "did you mean " + near + "?"
			}
			d.tell(Warning, "variables", text, remedy)
			continue
		}
		found++
		if why := k.wrong(d.Env[name]); why != "" {
			d.tell(Warning, "variables", fmt.Sprintf("%s=%s makes no sense: %s", name, outside.Value(d.Env[name]), outside.Clean(why)), "docs/build/environment.md says what it may be")
		}
	}
	if v := strings.ToLower(d.Env["PORTABLE_DEVICE"]); v == "serial" {
		d.tell(Note, "variables", "PORTABLE_DEVICE=serial: launches use one thread", "")
	}
	if v := strings.ToLower(d.Env["GATOR_DISABLE"]); slices.Contains(yesNo[:7], v) {
		d.tell(Note, "variables", "GATOR_DISABLE: each block comes from the system, without a pool", "")
	}
	for _, name := range []string{"PORTABLE_CHECK", "PORTABLE_VERBOSE", "PORTABLE_TRACE"} {
		if v := strings.ToLower(d.Env[name]); v != "" && !slices.Contains(yesNo[7:], v) {
			d.tell(Note, "variables", name+"="+d.Env[name]+" costs time in every launch or allocation", "unset it for production runs")
		}
	}
	if found > 0 {
		d.tell(OK, "variables", plural(found, "variable")+" of the library set", "")
	}
}

func (d *doctor) openMP() {
	if v := strings.ToLower(d.Env["OMP_PROC_BIND"]); v != "" && v != "false" {
		d.tell(OK, "OMP_PROC_BIND", "each of the library's threads gets a processor of its own too", "")
	}
	if d.Env["OMP_PLACES"] != "" && d.Env["OMP_PROC_BIND"] == "" {
		d.tell(Note, "OMP_PLACES", "OMP_PLACES="+d.Env["OMP_PLACES"]+" binds threads (OMP_PROC_BIND is not set, and then counts as true)", "")
	}
	policy := strings.ToLower(d.Env["OMP_WAIT_POLICY"])
	spin := d.Env["GOMP_SPINCOUNT"]
	switch {
	case policy == "active" || strings.HasPrefix(strings.ToLower(spin), "inf"):
		d.tell(Warning, "OpenMP", "idle threads of OpenMP never sleep: a launch after a parallel region has to share its processors with them",
			"OMP_WAIT_POLICY=passive, or launch on the device openmp")
	case policy == "" && spin == "" && d.Env["OMP_NUM_THREADS"] != "" && d.Env["OMP_NUM_THREADS"] != "1":
		d.tell(Note, "OpenMP", "idle threads of libgomp look for work for some milliseconds before they sleep", "OMP_WAIT_POLICY=passive, where "+
			"regions and launches take turns")
	}
}

// launcher looks at what a launcher of MPI programs has set.
func (d *doctor) launcher() {
	for _, l := range []struct{ name, local, of string }{
		{"OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_LOCAL_SIZE", "Open MPI"}, {"MV2_COMM_WORLD_RANK", "MV2_COMM_WORLD_LOCAL_SIZE", "MVAPICH"},
		{"PALS_RANKID", "PALS_LOCAL_SIZE", "Cray PALS"}, {"PMI_RANK", "MPI_LOCALNRANKS", "MPICH or Intel MPI"}, {"PMIX_RANK", "", "PMIx"},
		{"SLURM_PROCID", "SLURM_TASKS_PER_NODE", "SLURM"},
	} {
		if d.Env[l.name] == "" {
			continue
		}
		d.tell(OK, "MPI", fmt.Sprintf("started by %s as rank %s", l.of, d.Env[l.name]), "")
		ranks, err := strconv.Atoi(d.Env[l.local])
		if online := count(d.text("/sys/devices/system/cpu/online")); err == nil && online > 0 && ranks*d.threads > online && d.cpus == online && d.Env["PORTABLE_NUM_THREADS"] != "" {
			d.tell(Warning, "MPI", fmt.Sprintf("%d ranks with %d threads each are on this node, which has %d processors", ranks, d.threads, online),
				fmt.Sprintf("PORTABLE_NUM_THREADS=%d, or bind the ranks", max(1, online/ranks)))
		}
		return
	}
}
