package instance

import (
	"fmt"
	"strconv"
	"strings"
	"sync"
)

// NoRank stands for an unknown rank.
const NoRank = -1

// Rank is the number of this process among those of a parallel program, from 0 on, or NoRank.
type Rank struct{ World, Local int }

// launchers are the variables with which launchers pass a process its rank among all and on its node. A launcher of
// this very process comes before a batch system, which sets its variables in every process of a job.
var launchers = []struct{ world, local string }{
	{"OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_LOCAL_RANK"}, // Open MPI
	{"MV2_COMM_WORLD_RANK", "MV2_COMM_WORLD_LOCAL_RANK"},   // MVAPICH
	{"PALS_RANKID", "PALS_LOCAL_RANKID"},                   // Cray
	{"PMI_RANK", "MPI_LOCALRANKID"},                        // MPICH, Intel MPI
	{"PMI_RANK", "PMI_LOCAL_RANK"},
	{"PMIX_RANK", "PMIX_LOCAL_RANK"},
	{"SLURM_PROCID", "SLURM_LOCALID"},
}

// ranks keeps the rank found, or the one that the program has set, which wins.
type ranks struct {
	mu    sync.Mutex // guards the fields below
	known bool
	rank  Rank
}

// Rank returns the rank that the program has set, else the launcher's.
func (in *Instance) Rank() Rank {
	in.ranks.mu.Lock()
	defer in.ranks.mu.Unlock()
	if !in.ranks.known {
		in.ranks.rank, in.ranks.known = in.launched(), true
	}
	return in.ranks.rank
}

// SetRank sets the rank where no launcher does, or replaces it. local may be NoRank.
func (in *Instance) SetRank(r Rank) error {
	if r.World < 0 || r.Local < NoRank {
		return fmt.Errorf("%w: rank %d with local rank %d; a rank is 0 or more, a local rank that is not known is %d",
			ErrArgument, r.World, r.Local, NoRank)
	}
	in.ranks.mu.Lock()
	defer in.ranks.mu.Unlock()
	in.ranks.rank, in.ranks.known = r, true
	return nil
}

// launched finds the first launcher that gives a rank. A launcher that gives both ranks is better than one that gives
// one.
func (in *Instance) launched() Rank {
	found := Rank{NoRank, NoRank}
	for _, l := range launchers {
		world := in.number(l.world)
		if world == NoRank || found.World != NoRank && found.World != world {
			continue
		}
		found = Rank{world, in.number(l.local)}
		if found.Local != NoRank {
			break
		}
	}
	return found
}

// number reads a rank from the environment.
func (in *Instance) number(name string) int {
	value, ok := in.env.Lookup(name)
	if n, err := strconv.ParseInt(value, 10, 32); ok && err == nil && n >= 0 {
		return int(n)
	}
	return NoRank
}

// print writes a message. If there is a rank, each line begins with it: the ranks of a program share one screen.
func (in *Instance) print(text string) {
	if r := in.Rank(); r.World != NoRank {
		prefix := fmt.Sprintf("portable: rank %d: ", r.World)
		text = prefix + strings.ReplaceAll(strings.TrimPrefix(text, "portable: "), "\n", "\n"+prefix)
	}
	in.write(text)
}

// printOnNode prints what is the same on all ranks of a node: its first rank prints it. Ranks whose place is not known print too.
func (in *Instance) printOnNode(text string) {
	if in.Rank().Local <= 0 {
		in.print(text)
	}
}
