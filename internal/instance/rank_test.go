package instance

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestRankOfTheLauncher(t *testing.T) {
	for _, c := range []struct {
		name string
		env  map[string]string
		want Rank
	}{
		{"none", nil, Rank{NoRank, NoRank}},
		{"Open MPI", map[string]string{"OMPI_COMM_WORLD_RANK": "7", "OMPI_COMM_WORLD_LOCAL_RANK": "3"}, Rank{7, 3}},
		{"MVAPICH", map[string]string{"MV2_COMM_WORLD_RANK": "2", "MV2_COMM_WORLD_LOCAL_RANK": "0"}, Rank{2, 0}},
		{"Cray", map[string]string{"PALS_RANKID": "12", "PALS_LOCAL_RANKID": "4"}, Rank{12, 4}},
		{"MPICH", map[string]string{"PMI_RANK": "5", "MPI_LOCALRANKID": "1"}, Rank{5, 1}},
		{"PMI", map[string]string{"PMI_RANK": "5", "PMI_LOCAL_RANK": "2"}, Rank{5, 2}},
		{"PMIx", map[string]string{"PMIX_RANK": "1"}, Rank{1, NoRank}},
		{"SLURM", map[string]string{"SLURM_PROCID": "9", "SLURM_LOCALID": "1"}, Rank{9, 1}},
		{"SLURM and PMIx", map[string]string{"SLURM_PROCID": "9", "SLURM_LOCALID": "1", "PMIX_RANK": "9"}, Rank{9, 1}},
		{"mpirun inside a batch script", map[string]string{"SLURM_PROCID": "0", "SLURM_LOCALID": "0", "OMPI_COMM_WORLD_RANK": "3", "OMPI_COMM_WORLD_LOCAL_RANK": "1"}, Rank{3, 1}},
		{"a batch script's is another's", map[string]string{"SLURM_PROCID": "0", "SLURM_LOCALID": "0", "PMIX_RANK": "3"}, Rank{3, NoRank}},
		{"nonsense", map[string]string{"OMPI_COMM_WORLD_RANK": "x", "PMI_RANK": "-1", "SLURM_PROCID": "99999999999"}, Rank{NoRank, NoRank}},
	} {
		t.Run(c.name, func(t *testing.T) { require.Equal(t, c.want, newFixture(c.env).Rank()) })
	}
}

func TestSetRankWins(t *testing.T) {
	f := newFixture(map[string]string{"PMI_RANK": "5"})
	require.NoError(t, f.SetRank(Rank{6, NoRank}))
	require.Equal(t, Rank{6, NoRank}, f.Rank())
	require.ErrorIs(t, f.SetRank(Rank{-1, 0}), ErrArgument)
	require.ErrorIs(t, f.SetRank(Rank{0, -2}), ErrArgument)
	require.Equal(t, Rank{6, NoRank}, f.Rank())
}

func TestMessagesHaveTheRank(t *testing.T) {
	f := newFixture(map[string]string{"PMI_RANK": "5", "GATOR_INITIAL_MB": "x"})
	require.NoError(t, f.Init(Request{}))
	require.Contains(t, f.output(), "portable: rank 5: warning: GATOR_INITIAL_MB")
	d, err := f.Default()
	require.NoError(t, err)
	_, err = d.Allocate(10, "left")
	require.NoError(t, err)
	require.NoError(t, f.Finalize())
	require.Contains(t, f.output(), "portable: rank 5:   left  size 10 bytes")
}

func TestSettingsAreWarnedOfOnceOnANode(t *testing.T) {
	for local, want := range map[string]int{"0": 1, "1": 0, "127": 0, "": 1} {
		f := newFixture(map[string]string{"OMPI_COMM_WORLD_RANK": "5", "OMPI_COMM_WORLD_LOCAL_RANK": local, "GATOR_INITIAL_MB": "x"})
		require.NoError(t, f.Init(Request{}))
		d, err := f.Default()
		require.NoError(t, err)
		_, err = d.Allocate(10, "left")
		require.NoError(t, err)
		require.NoError(t, f.Finalize())
		text := f.output()
		require.Equal(t, want, strings.Count(text, "warning: GATOR_INITIAL_MB"), "local rank %q", local)
		require.Contains(t, text, "portable: rank 5:   left  size 10 bytes", "blocks are each rank's own")
	}
}
