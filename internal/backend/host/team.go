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

// Team is the team behind the device threads, held by whoever changes it; see team.Held for what that means for locks.
type Team struct{ held team.Held }

// ErrInKernel is for what would wait for the kernel that it is called in.
var ErrInKernel = team.ErrInKernel

// HoldTeam waits for the launch under way; an error inside a kernel.
func HoldTeam() (Team, error) {
	held, err := team.Hold()
	return Team{held}, err
}

// Release lets launches have it again.
func (t Team) Release() { t.held.Release() }

// CPUs looks how many processors this process may use.
func (t Team) CPUs() int { return t.held.CPUs() }

// Set changes it: workers on so many processors; their threads are made now, or by the first launch that needs them.
func (t Team) Set(workers, cpus int, spin time.Duration, stack uint64, now bool) error {
	err := t.held.Configure(team.Config{Workers: workers, CPUs: cpus, Spin: spin, Stack: stack, AtOnce: now})
	if errors.Is(err, team.ErrShort) {
		return fmt.Errorf("%w: %w", backend.ErrRefused, err)
	}
	return err
}

// Stop ends its threads; what is launched late runs on its own thread.
func (t Team) Stop() {
	t.held.Stop()
	_ = t.held.Configure(team.Config{Workers: 1, CPUs: 1})
}

// StackLimit is the soft limit of the main thread's stack, which a user who has large arrays there has raised; 0 for none.
func StackLimit() uint64 {
	var l C.struct_rlimit
	if C.getrlimit(C.RLIMIT_STACK, &l) != 0 || l.rlim_cur == ^C.rlim_t(0) {
		return 0
	}
	return uint64(l.rlim_cur)
}

// Unbound says that nobody has restricted this process, which may use so many processors, to some of those that there are.
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

// listed counts the processors of a list as "0-3,8".
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
