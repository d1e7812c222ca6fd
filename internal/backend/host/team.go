package host

/*
#include <sys/resource.h>
*/
import "C"

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"libportable/internal/backend"
	_ "libportable/internal/edge" // C, called by C
	"libportable/internal/outside"
	"libportable/internal/team"
)

// Team is the team behind the device threads, held by its caller; team.Held describes the order of locks.
type Team struct{ held team.Held }

// ErrInKernel refuses a call that would wait for the kernel that makes it.
var ErrInKernel = team.ErrInKernel

// HoldTeam waits for the launch in progress; inside a kernel it returns an error.
func HoldTeam() (Team, error) {
	held, err := team.Hold()
	return Team{held}, err
}

// Release lets launches use the team again.
func (t Team) Release() { t.held.Release() }

// CPUs returns the number of processors that this process may use.
func (t Team) CPUs() int { return t.held.CPUs() }

// Set changes the number of workers and processors; now: makes the threads now, not at the first launch.
func (t Team) Set(workers, cpus int, spin time.Duration, stack uint64, now bool) error {
	err := t.held.Configure(team.Config{Workers: workers, CPUs: cpus, Spin: spin, Stack: stack, AtOnce: now})
	if errors.Is(err, team.ErrShort) {
		return fmt.Errorf("%w: %w", backend.ErrRefused, err)
	}
	return err
}

// Stop ends the threads; later launches run on their own thread.
func (t Team) Stop() {
	t.held.Stop()
	_ = t.held.Configure(team.Config{Workers: 1, CPUs: 1})
}

// StackLimit is the soft limit of the main thread's stack, which users with large arrays raise; 0: no limit.
func StackLimit() uint64 {
	var l C.struct_rlimit
	if C.getrlimit(C.RLIMIT_STACK, &l) != 0 || l.rlim_cur == ^C.rlim_t(0) {
		return 0
	}
	return uint64(l.rlim_cur)
}

// Unbound says that this process, which may use so many processors, may use all processors of the machine.
func Unbound(cpus int) bool {
	for _, file := range []string{"/sys/fs/cgroup/cpuset.cpus.effective", "/sys/devices/system/cpu/online"} {
		if text, err := outside.ReadFile(file, outside.TextMost); err == nil {
			if n := listed(string(text)); n > 0 {
				return cpus >= n
			}
		}
	}
	return false
}

// listed counts the processors in a list such as "0-3,8".
func listed(text string) (n int) {
	for _, part := range strings.Split(strings.TrimSpace(text), ",") {
		first, last, isRange := strings.Cut(part, "-")
		if !isRange {
			last = first
		}
		a, err := strconv.Atoi(first)
		if err != nil {
			return 0
		}
		b, err := strconv.Atoi(last)
		if err != nil || b < a {
			return 0
		}
		n += b - a + 1
	}
	return n
}
