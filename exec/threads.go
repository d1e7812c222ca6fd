package exec

// This file computes the default number of threads of a launch.

// Machine has the limits of the number of threads.
type Machine struct {
	CPUs  int     // processors in the affinity mask or in the OpenMP places of the process
	Quota float64 // processors that its control group allows; 0: no limit
	// Ranks are how many processes of one parallel program on this node have the same processors; 0: not known.
	Ranks int
}

// Threads is the default number of threads of a launch: the processors that this process may use.
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
