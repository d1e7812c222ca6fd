package doctor

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"libportable/internal/outside"
	"libportable/internal/report"
	"libportable/internal/settings"
	"libportable/internal/spelling"
)

// This file examines the environment variables of the library, of OpenMP, and of launchers of MPI
// programs.

func (d *doctor) variables() {
	found := 0
	for _, name := range slices.Sorted(maps.Keys(d.Env)) {
		if !strings.HasPrefix(name, "PORTABLE_") && !strings.HasPrefix(name, "GATOR_") {
			continue
		}
		v, is := settings.Find(name)
		if !is {
			text, remedy := name+" is no variable of the library: it does nothing", "docs/build/environment.md lists them"
			if near := spelling.Nearest(name, settings.Names()); near != "" {
				remedy = "did you mean " + near + "?"
			}
			d.tell(Warning, "variables", text, remedy)
			continue
		}
		found++
		if why := v.Wrong(d.Env[name]); why != "" {
			d.tell(Warning, "variables", fmt.Sprintf("%s='%s' is invalid: %s", name, outside.Value(d.Env[name]), outside.Clean(why)), "docs/build/environment.md lists its values")
		}
	}
	if strings.EqualFold(d.Env[settings.Device], "serial") {
		d.tell(Note, "variables", settings.Device+"=serial: launches use one thread", "")
	}
	if settings.IsYes(d.Env[settings.Disable]) {
		d.tell(Note, "variables", settings.Disable+": each block comes from the system, without a pool", "")
	}
	for _, name := range []string{settings.Check, settings.Verbose, settings.Trace} {
		if v := d.Env[name]; v != "" && !settings.IsNo(v) {
			d.tell(Note, "variables", name+"="+v+" costs time in every launch or allocation", "unset it for production runs")
		}
	}
	if found > 0 {
		d.tell(OK, "variables", report.Plural(found, "variable")+" of the library set", "")
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

// launcher reports the launcher of MPI programs.
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
