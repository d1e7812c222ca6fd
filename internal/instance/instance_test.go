package instance

import (
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"libportable/gator"
	"libportable/internal/backend"
	"libportable/internal/backend/fake"
	"libportable/internal/handle"
)

// fixture is an instance whose output is kept.
type fixture struct {
	*Instance
	lines []string
}

func newFixture(env map[string]string) *fixture {
	f := &fixture{}
	f.Instance = New(variables(env), Fronts{}, func(line string) { f.lines = append(f.lines, line) })
	return f
}

func (f *fixture) output() string {
	text := strings.Join(f.lines, "\n")
	f.lines = nil
	return text
}

var strictEnv = map[string]string{"GATOR_STRICT": "1"}

func TestParticipantsAreCounted(t *testing.T) {
	f := newFixture(nil)
	require.False(t, f.Running())
	_, err := f.Default()
	require.ErrorIs(t, err, ErrState)
	require.NoError(t, f.Init(Request{}))
	require.NoError(t, f.GatorInit(Request{}))
	require.NoError(t, f.Init(Request{}))
	require.NoError(t, f.Finalize())
	require.NoError(t, f.Finalize())
	require.True(t, f.Running(), "gator is a participant")
	require.ErrorIs(t, f.Finalize(), ErrState)
	require.NoError(t, f.GatorFinalize())
	require.False(t, f.Running())
	require.ErrorIs(t, f.Finalize(), ErrState)
	require.NoError(t, f.Init(Request{}), "init after finalize works")
	require.NoError(t, f.Finalize())
	require.Empty(t, f.output())
}

// The front must be called with the state that it would see, even if threads start and stop the library at once.
func TestFrontIsNotifiedOfStartAndStop(t *testing.T) {
	var notified []bool
	f := newFixture(map[string]string{"PORTABLE_LIMIT_MB": "1"})
	f.fronts.Running = func(running bool) { notified = append(notified, running) }
	heard := func() (h []bool) { h, notified = notified, nil; return h }
	require.Error(t, f.Init(Request{Block: 3}))
	require.Equal(t, []bool{false}, heard(), "a start that fails is none")
	require.NoError(t, f.Init(Request{}))
	require.Equal(t, []bool{false, true}, heard())
	require.NoError(t, f.GatorInit(Request{}))
	require.NoError(t, f.Finalize())
	require.Empty(t, heard(), "there is still a participant")
	require.NoError(t, f.GatorFinalize())
	require.Equal(t, []bool{false}, heard())
	require.ErrorIs(t, f.Finalize(), ErrState)
	require.Equal(t, []bool{false}, heard())

	var group sync.WaitGroup
	for range 8 {
		group.Add(1)
		go func() {
			defer group.Done()
			for range 50 {
				if f.Init(Request{}) != nil || f.Finalize() != nil {
					t.Error("init or finalize failed")
				}
			}
		}()
	}
	group.Wait()
	last := false
	for i, running := range heard() {
		require.False(t, running && last, "notified twice of one start, at %d", i)
		last = running
	}
	require.False(t, last, "the last news is that it stopped")
}

func TestGatorTwice(t *testing.T) {
	f := newFixture(nil)
	require.NoError(t, f.GatorFinalize())
	require.Contains(t, f.output(), "gator_finalize was called without gator_init")
	require.NoError(t, f.GatorInit(Request{}))
	require.NoError(t, f.GatorInit(Request{}))
	require.Contains(t, f.output(), "gator_init was called again")
	require.NoError(t, f.GatorFinalize())

	f = newFixture(strictEnv)
	require.ErrorIs(t, f.GatorFinalize(), ErrState)
	require.NoError(t, f.GatorInit(Request{}))
	require.ErrorIs(t, f.GatorInit(Request{}), ErrState)
	require.NoError(t, f.GatorFinalize())
	require.Empty(t, f.output(), "an error is no warning too")
}

func TestLeaks(t *testing.T) {
	for _, env := range []map[string]string{nil, {"GATOR_DISABLE": "1"}} {
		f := newFixture(env)
		require.NoError(t, f.GatorInit(Request{}))
		d, err := f.Default()
		require.NoError(t, err)
		_, err = d.Allocate(80000, "tmp")
		require.NoError(t, err)
		_, err = d.Allocate(7, "")
		require.NoError(t, err)
		require.NoError(t, f.GatorFinalize())
		out := f.output()
		require.Contains(t, out, "2 blocks with 80007 bytes are still live in the default pool")
		require.Contains(t, out, "tmp  size 80000 bytes")
		require.Contains(t, out, "(no label)  size 7 bytes")
		require.False(t, f.Running())
	}
}

func TestStrictLeakLosesNothing(t *testing.T) {
	f := newFixture(strictEnv)
	require.NoError(t, f.Init(Request{}))
	d, err := f.Default()
	require.NoError(t, err)
	addr, err := d.Allocate(10, "kept")
	require.NoError(t, err)
	err = f.Finalize()
	require.ErrorIs(t, err, ErrLeak)
	require.Contains(t, err.Error(), "kept  size 10 bytes")
	require.True(t, f.Running())
	require.NoError(t, d.Free(addr))
	require.NoError(t, f.Finalize())
}

func TestServingIsNoParticipant(t *testing.T) {
	f := newFixture(nil)
	require.True(t, f.Serve())
	require.True(t, f.Serve(), "again")
	require.False(t, f.Running())
	d, err := f.Default()
	require.NoError(t, err)
	array, err := d.Allocate(100000, ServedLabel)
	require.NoError(t, err)
	require.ErrorIs(t, f.Finalize(), ErrState)
	for range 2 {
		require.NoError(t, f.GatorInit(Request{}))
		require.True(t, f.Running())
		_, err = d.Allocate(10, "forgotten")
		require.NoError(t, err)
		source := fake.New(0)
		_, err = f.CreatePool(gator.Config{Source: source, Initial: 4096}, 0)
		require.NoError(t, err)
		require.NoError(t, f.GatorFinalize())
		require.False(t, f.Running())
		require.Zero(t, source.Used(), "users' pools end")
		out := f.output()
		require.Contains(t, out, "forgotten  size 10 bytes")
		require.NotContains(t, out, ServedLabel)
		again, err := f.Default()
		require.NoError(t, err)
		require.Same(t, d, again)
		require.EqualValues(t, 1, d.Stats().Blocks)
	}
	require.NoError(t, d.Free(array))
	require.NoError(t, d.Check())
	require.Empty(t, f.output())
}

func TestServingUnderStrict(t *testing.T) {
	f := newFixture(strictEnv)
	require.True(t, f.Serve())
	d, _ := f.Default()
	_, err := d.Allocate(100000, ServedLabel)
	require.NoError(t, err)
	require.NoError(t, f.Init(Request{}))
	addr, err := d.Allocate(10, "forgotten")
	require.NoError(t, err)
	err = f.Finalize()
	require.ErrorIs(t, err, ErrLeak)
	require.NotContains(t, err.Error(), ServedLabel)
	require.NoError(t, d.Free(addr))
	require.NoError(t, f.Finalize())
}

func TestNothingIsServedWithoutAPool(t *testing.T) {
	f := newFixture(map[string]string{"GATOR_DISABLE": "1"})
	require.False(t, f.Serve())
	_, err := f.Default()
	require.ErrorIs(t, err, ErrState, "not started for nothing")
	require.NoError(t, f.Init(Request{}))
	require.False(t, f.Serve())
	require.NoError(t, f.Finalize())
	_, err = f.Default()
	require.ErrorIs(t, err, ErrState)
}

func TestManyLeaksAreCut(t *testing.T) {
	f := newFixture(nil)
	require.NoError(t, f.Init(Request{}))
	d, _ := f.Default()
	for range maxListed + 5 {
		_, err := d.Allocate(1, "many")
		require.NoError(t, err)
	}
	require.NoError(t, f.Finalize())
	require.Contains(t, f.output(), "and 5 more")
}

func TestFurtherConfigurationIsIgnored(t *testing.T) {
	f := newFixture(nil)
	require.NoError(t, f.Init(Request{Initial: mib}))
	require.NoError(t, f.Init(Request{Initial: mib}))
	require.NoError(t, f.Init(Request{}))
	require.Empty(t, f.output(), "asking for the same, or for nothing, is fine")
	require.NoError(t, f.Init(Request{Initial: 2 * mib}))
	require.Contains(t, f.output(), "is ignored")
	for range 4 {
		require.NoError(t, f.Finalize())
	}
}

func TestBadConfigurationStartsNothing(t *testing.T) {
	f := newFixture(nil)
	require.ErrorIs(t, f.Init(Request{Block: 100}), gator.ErrArgument)
	require.ErrorIs(t, f.Init(Request{Initial: 2 * mib, Limit: mib}), gator.ErrArgument)
	require.ErrorIs(t, f.Init(Request{Initial: 1 << 60}), gator.ErrMemory)
	require.False(t, f.Running())
	require.ErrorIs(t, f.Finalize(), ErrState)
	require.NoError(t, f.Init(Request{}))
	require.NoError(t, f.Finalize())
}

func TestUserPools(t *testing.T) {
	f := newFixture(nil)
	_, err := f.CreatePool(gator.Config{}, 0)
	require.ErrorIs(t, err, ErrState)
	require.NoError(t, f.Init(Request{}))
	source := fake.New(0)
	n, err := f.CreatePool(gator.Config{Name: "mine", Source: source, Initial: 4096}, 0)
	require.NoError(t, err)
	p, err := f.Pool(n)
	require.NoError(t, err)
	_, err = p.Allocate(100, "inside")
	require.NoError(t, err)
	d, err := f.DefaultHandle()
	require.NoError(t, err)
	require.ErrorIs(t, f.DestroyPool(d, false), ErrHandle, "the default pool stays")
	require.NoError(t, f.DestroyPool(n, false))
	require.Contains(t, f.output(), "inside  size 100 bytes")
	require.Zero(t, source.Used())
	require.ErrorIs(t, f.DestroyPool(n, false), ErrHandle)
	_, err = f.Pool(n)
	require.ErrorIs(t, err, ErrHandle)
	require.NoError(t, f.DestroyPool(0, false))

	_, err = f.CreatePool(gator.Config{Source: source, Initial: 4096}, 0)
	require.NoError(t, err)
	_, err = f.CreatePool(gator.Config{Name: "host memory", Initial: 4096}, 0)
	require.NoError(t, err)
	require.NoError(t, f.Finalize(), "takes users' pools with it")
	require.Zero(t, source.Used())
	_, err = f.Pool(d)
	require.ErrorIs(t, err, ErrState)
}

// A pool that gets no handle is closed, and nothing else changes.
func TestNoHandleForAPool(t *testing.T) {
	var others handle.Table[int]
	fill := func() {
		for ok := true; ok; {
			_, ok = others.Put(0)
		}
	}
	empty := func() {
		for _, n := range others.All() {
			others.Take(n)
		}
	}
	f := newFixture(nil)
	fill()
	require.ErrorIs(t, f.Init(Request{}), gator.ErrMemory)
	require.False(t, f.Running())
	empty()
	require.NoError(t, f.Init(Request{}))
	fill()
	source := fake.New(0)
	_, err := f.CreatePool(gator.Config{Name: "mine", Source: source, Initial: 4096}, 0)
	require.ErrorIs(t, err, gator.ErrMemory)
	require.ErrorContains(t, err, "no handle for pool 'mine'")
	require.Zero(t, source.Used())
	empty()
	_, err = f.CreatePool(gator.Config{Name: "mine", Source: source, Initial: 4096}, 0)
	require.NoError(t, err)
	require.NoError(t, f.Finalize())
	require.Zero(t, source.Used())
}

func TestReassignedWarnsOnceAndOnlyForLiveBlocks(t *testing.T) {
	f := newFixture(nil)
	require.NoError(t, f.Init(Request{}))
	d, _ := f.Default()
	addr, err := d.Allocate(1000, "h")
	require.NoError(t, err)
	require.NoError(t, f.Reassigned(12345, "x"), "an undefined pointer")
	require.NoError(t, f.Reassigned(addr+64, "x"), "an interior one")
	require.Empty(t, f.output())
	require.NoError(t, f.Reassigned(addr, "new"))
	require.Contains(t, f.output(), `gator_allocate of 'new': the pointer is associated already: its block of 1000 bytes labelled "h" is lost`)
	require.NoError(t, f.Reassigned(addr, "new"))
	require.Empty(t, f.output())
	require.NoError(t, d.Free(addr))
	require.NoError(t, f.Finalize())

	f = newFixture(strictEnv)
	require.ErrorIs(t, f.Reassigned(12345, "x"), ErrState)
}

func TestStrictNonsenseIsOneWarning(t *testing.T) {
	f := newFixture(map[string]string{"GATOR_STRICT": "perhaps"})
	require.False(t, f.Strict())
	require.False(t, f.Strict())
	require.Len(t, f.lines, 1)
	require.Contains(t, f.output(), "GATOR_STRICT='perhaps'")
}

func TestThreads(t *testing.T) {
	f := newFixture(nil)
	var group sync.WaitGroup
	for range 4 {
		group.Go(func() {
			for range 20 {
				if f.Init(Request{}) != nil {
					t.Error("init")
				}
				if d, err := f.Default(); err == nil {
					if addr, err := d.Allocate(100, "t"); err != nil || d.Free(addr) != nil {
						t.Error("allocate or free", err)
					}
				}
				if f.Finalize() != nil {
					t.Error("finalize")
				}
			}
		})
	}
	group.Wait()
	require.False(t, f.Running())
	require.Empty(t, f.output())
}

// If a source refuses memory, the error of CreatePool has its reason.
func TestRefusedFirstSlab(t *testing.T) {
	f := newFixture(nil)
	require.NoError(t, f.Init(Request{}))
	_, err := f.CreatePool(gator.Config{Source: fake.New(100), Initial: 4096}, 0)
	require.ErrorIs(t, err, gator.ErrMemory)
	require.ErrorIs(t, err, backend.ErrRefused)
	require.NoError(t, f.Finalize())
}

// The text of a failure names the setting that counts: the program's own setting wins over the environment.
func TestKnobsNameWhoSetThem(t *testing.T) {
	for _, c := range []struct {
		request Request
		want    string
	}{
		{Request{}, "raise PORTABLE_LIMIT_MB"},
		{Request{Limit: 2 * mib}, "raise limit_mb (pool_limit_bytes in C), which the program set"},
	} {
		f := newFixture(map[string]string{"PORTABLE_LIMIT_MB": "1"})
		require.NoError(t, f.Init(c.request))
		d, err := f.Default()
		require.NoError(t, err)
		_, err = d.Allocate(100*mib, "h")
		require.ErrorContains(t, err, c.want)
		require.NoError(t, f.Finalize())
	}
	f := newFixture(nil)
	require.ErrorContains(t, f.Init(Request{Initial: 1 << 60}), "the first slab has its size from initial_mb")
	err := f.Init(Request{Block: 100})
	require.Error(t, err)
	require.NotContains(t, err.Error(), "first slab")
}
