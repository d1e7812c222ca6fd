package exec

// Machine is what bounds the number of threads.
type Machine struct {
	CPUs  int     // that the process's affinity mask or its OpenMP places leave
	Quota float64 // of processor time, in processors, that its control group leaves; 0: none
	// Ranks are how many processes of one parallel program on this node have the same processors; 0: not known.
	Ranks int
}

// Threads is how many threads share a launch, by default: as many as there are processors for this process.
func Threads(m Machine) int {
	n := max(1, m.CPUs)
	if m.Quota > 0 {
		n = min(n, max(1, int(m.Quota+0.999)))
	}
	if m.Ranks > 1 {
		n = max(1, n/m.Ranks)
	}
	return n
}
