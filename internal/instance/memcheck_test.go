package instance

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"libportable/gator"
	"libportable/internal/backend/fake"
	"libportable/internal/guard"
)

func memoryEnv(more ...string) map[string]string {
	env := map[string]string{"PORTABLE_CHECK": "memory"}
	for i := 0; i < len(more); i += 2 {
		env[more[i]] = more[i+1]
	}
	return env
}

// Blocks are under guard whatever serves them, and the pool behaves as any other.
func TestPoolsUnderGuard(t *testing.T) {
	for _, env := range []map[string]string{
		memoryEnv(), memoryEnv("PORTABLE_MEMCHECK", "mode=fast"), memoryEnv("GATOR_DISABLE", "1"), memoryEnv("PORTABLE_MEMCHECK", "sample=2"),
		memoryEnv("PORTABLE_MEMCHECK", "sample=2", "PORTABLE_FASTPATH", "0"),
	} {
		f := newFixture(env)
		require.NoError(t, f.Init(Request{}))
		d, err := f.Default()
		require.NoError(t, err)
		if f.running.Memory.Sample > 0 {
			require.IsType(t, gator.Sampled{}, d.Backing)
		} else {
			require.IsType(t, guardedPool{}, d.Backing)
		}
		n, err := f.CreatePool(gator.Config{Name: "mine", Limit: 1 << 20}, 0)
		require.NoError(t, err)
		own, err := f.Pool(n)
		require.NoError(t, err)
		for _, p := range []Backing{d, own} {
			var all []uintptr
			for _, bytes := range []uint64{0, 1, 1000, 4096, 500000} {
				addr, err := p.Allocate(bytes, "label")
				require.NoError(t, err)
				require.True(t, p.Starts(addr))
				b, err := p.Find(addr + uintptr(bytes/2))
				if bytes > 0 {
					require.NoError(t, err)
					require.Equal(t, gator.Block{Addr: addr, Bytes: bytes, Label: "label"}, b)
				}
				all = append(all, addr)
			}
			require.NoError(t, p.Check())
			require.Equal(t, uint64(5), p.Stats().Blocks)
			require.ErrorIs(t, p.Free(all[2]+8), gator.ErrPointer)
			for _, addr := range all {
				require.NoError(t, p.Free(addr))
				require.ErrorIs(t, p.Free(addr), gator.ErrPointer)
			}
		}
		_, err = own.Allocate(1<<20+1, "")
		require.ErrorIs(t, err, gator.ErrMemory)
		require.ErrorContains(t, err, "limit_bytes")
		_, err = own.Allocate(1<<20, "all of it")
		require.NoError(t, err)
		require.NoError(t, f.Finalize())
		require.Contains(t, f.output(), "still live in mine")
	}
}

func TestFreedBlockUnderGuardIsKnown(t *testing.T) {
	f := newFixture(memoryEnv())
	require.NoError(t, f.Init(Request{}))
	d, err := f.Default()
	require.NoError(t, err)
	addr, err := d.Allocate(800, "")
	require.NoError(t, err)
	_, freed := f.Freed(addr + 80)
	require.False(t, freed)
	require.NoError(t, d.Free(addr))
	_, freed = f.Freed(addr + 80)
	require.True(t, freed)
	require.NoError(t, f.Finalize())
}

// The functions of a user's pool provide the memory and get it back.
func TestForeignPoolUnderGuard(t *testing.T) {
	for _, mode := range []string{"mode=exact", "mode=fast"} {
		f := newFixture(memoryEnv("PORTABLE_MEMCHECK", mode))
		require.NoError(t, f.Init(Request{}))
		source := fake.New(0)
		n, err := f.CreatePool(gator.Config{Name: "theirs", Source: source, Initial: 1 << 16}, 0)
		require.NoError(t, err)
		p, err := f.Pool(n)
		require.NoError(t, err)
		addr, err := p.Allocate(100, "x")
		require.NoError(t, err)
		require.Zero(t, addr%64)
		require.NoError(t, p.Free(addr))
		source.FailCall(source.Calls() + 1)
		_, err = p.Allocate(1<<20, "large")
		require.ErrorIs(t, err, gator.ErrMemory)
		require.Equal(t, 1, strings.Count(err.Error(), "ask for less"), err)
		require.NoError(t, f.DestroyPool(n, false))
		require.Zero(t, source.Used())
		require.NoError(t, f.Finalize())
	}
}

func TestToolsKeepTheirBlocks(t *testing.T) {
	f := newFixture(memoryEnv())
	f.fronts.Tool = true
	require.NoError(t, f.Init(Request{}))
	d, err := f.Default()
	require.NoError(t, err)
	require.IsType(t, &gator.Pool{}, d.Backing)
	require.Contains(t, f.output(), "the checks of memory are off")
	require.NoError(t, f.Finalize())
}

// A later change of the environment does not change a running pool; a start after a stop reads it again.
func TestGuardIsChosenAtTheStart(t *testing.T) {
	env := map[string]string{}
	f, w := watchedFixture(env)
	require.NoError(t, f.GatorInit(Request{}))
	env["PORTABLE_CHECK"] = "memory,launch"
	require.NoError(t, f.Init(Request{}))
	d, err := f.Default()
	require.NoError(t, err)
	require.IsType(t, &gator.Pool{}, d.Backing)
	require.NoError(t, f.Finalize())
	require.NoError(t, f.GatorFinalize())
	require.NoError(t, f.Init(Request{}))
	require.Equal(t, uint32(5), w.checks)
	d, err = f.Default()
	require.NoError(t, err)
	require.IsType(t, guardedPool{}, d.Backing)
	require.NoError(t, f.Finalize())
}

func TestServingUnderGuard(t *testing.T) {
	f := newFixture(memoryEnv("GATOR_DISABLE", "1"))
	require.True(t, f.Serve())
	d, err := f.Default()
	require.NoError(t, err)
	addr, err := d.Allocate(100000, ServedLabel)
	require.NoError(t, err)
	require.NoError(t, f.Init(Request{}))
	forgotten, err := d.Allocate(80, "mine")
	require.NoError(t, err)
	require.NoError(t, f.Finalize())
	require.Contains(t, f.output(), "1 block with 80 bytes is still live")
	require.False(t, d.Starts(forgotten))
	require.NoError(t, d.Free(addr))
	guard.Guarding{}.Set()
}

// Blocks that are not sampled are counted by label before the pools end. If each block is recorded, no sample is taken.
func TestSampledBlocks(t *testing.T) {
	f, seen := watchedFixture(memoryEnv("PORTABLE_MEMCHECK", "sample=3"))
	require.NoError(t, f.Init(Request{}))
	d, err := f.Default()
	require.NoError(t, err)
	pool := d.Backing.(gator.Sampled)
	picked, err := pool.Checked.Allocate(900, "picked")
	require.NoError(t, err)
	other, err := pool.Allocate(1000, "other")
	require.NoError(t, err)
	kept, err := pool.Allocate(100, "kept")
	require.NoError(t, err)
	_, err = pool.Allocate(200, "kept")
	require.NoError(t, err)
	require.Equal(t, []Left{{"other", 1, 1000}, {"kept", 2, 300}}, f.Left())
	listed := 0
	d.Each(func(gator.Block) bool { listed++; return true })
	require.Equal(t, 4, listed)
	require.Equal(t, uint64(2200), d.Stats().InUse)
	require.True(t, d.Starts(picked) && d.Starts(other))
	b, err := d.Find(picked + 899)
	require.NoError(t, err)
	require.Equal(t, gator.Block{Addr: picked, Bytes: 900, Label: "picked"}, b)
	require.NoError(t, d.Check())
	for _, addr := range []uintptr{picked, other} {
		require.ErrorContains(t, d.Free(addr+8), "inside")
		require.NoError(t, d.Free(addr))
		require.ErrorIs(t, d.Free(addr), gator.ErrPointer)
	}
	require.True(t, d.Uses(kept+1, over{}))
	require.False(t, d.Uses(picked, over{}))
	require.NoError(t, d.Check())
	require.NoError(t, f.Finalize())
	require.Equal(t, []Left{{"kept", 2, 300}}, seen.left)

	f, _ = watchedFixture(memoryEnv("PORTABLE_MEMCHECK", "sample=3", "PORTABLE_TRACE", "x"))
	require.NoError(t, f.Init(Request{}))
	d, err = f.Default()
	require.NoError(t, err)
	require.IsType(t, guardedPool{}, d.Backing)
	require.NoError(t, f.Finalize())
}

// over is a completed point.
type over struct{}

func (over) Done() bool { return true }
func (over) Wait()      {}
