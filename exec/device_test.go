package exec

// These tests check refusals of device code, launches and memory, and the table of programs.

import (
	"errors"
	"math"
	"math/rand"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestDeviceCodeIsRefusedInOrder(t *testing.T) {
	good := DeviceCode{Label: "kernel", NoEntry: true, Text: []byte("x"), Terminated: true}
	require.NoError(t, good.Refusal())
	// Each fault is reported before those behind it in the list.
	faults := []struct {
		text string
		add  func(c *DeviceCode)
	}{
		{"there is no form 7", func(c *DeviceCode) { c.Form = 7 }},
		{"code is NULL", func(c *DeviceCode) { c.Text = nil }},
		{"the entry 'a b' is no name", func(c *DeviceCode) { c.Entry, c.NoEntry = "a b", false }},
		{"block_size is -1", func(c *DeviceCode) { c.BlockSize = -1 }},
		{"line is -2", func(c *DeviceCode) { c.Line = -2 }},
		{"shared_bytes is 1048577", func(c *DeviceCode) { c.SharedBytes = mostShared + 1 }},
		{"code has 18446744073709551615 bytes", func(c *DeviceCode) { c.Bytes = math.MaxUint64 }},
	}
	for i := range faults {
		c := good
		for _, f := range faults[i:] {
			f.add(&c)
		}
		require.ErrorContains(t, c.Refusal(), "portable_kernel_set_cuda of 'kernel': "+faults[i].text)
	}
	for text, c := range map[string]DeviceCode{
		"code is empty":                      {Label: "k", NoEntry: true, Text: []byte{}},
		"the label '100%s' is no name":       {Label: "100%s", NoEntry: true, Text: []byte("x")},
		"the entry '' is no name":            {Label: "k", Text: []byte("x")},
		"machine code, which needs its leng": {Label: "k", NoEntry: true, Form: deviceImage, Text: []byte("\177ELF"), Terminated: true},
	} {
		require.ErrorContains(t, c.Refusal(), text)
	}
}

func TestCodeIsLocated(t *testing.T) {
	first, second, third := t.TempDir(), t.TempDir(), t.TempDir()
	for _, folder := range []string{second, third} {
		require.NoError(t, os.WriteFile(filepath.Join(folder, "k.cu"), nil, 0o600))
	}
	locate := func(form int, path, folders string) string {
		c := DeviceCode{Form: form, Text: []byte(path)}
		c.Locate(folders, filepath.Join(third, "program"))
		return string(c.Text)
	}
	require.Equal(t, second+"/k.cu", locate(deviceSourceFile, "k.cu", first+"::"+second))
	require.Equal(t, third+"/k.cu", locate(deviceImageFile, "k.cu", first))
	require.Equal(t, "none.cu", locate(deviceSourceFile, "none.cu", second))
	require.Equal(t, "/k.cu", locate(deviceSourceFile, "/k.cu", second))
	require.Equal(t, "k.cu", locate(deviceSource, "k.cu", second))
	require.Equal(t, second+"/k.cu", locate(deviceSourceFile, "k.cu\x00more", second))
}

// loads is a loader without a device.
type loads struct {
	calls   int
	err     error
	why     string
	retired map[any]bool
}

func (l *loads) Record(p *DeviceProgram) any { return p.Number }
func (l *loads) Load(*DeviceProgram, int, int) (string, error) {
	l.calls++
	return "log", l.err
}
func (l *loads) Forget(record any) bool { return l.retired[record] }
func (l *loads) NoCompiler(int) string  { return l.why }
func (l *loads) Compiler(index int) (string, string) {
	return []string{"NVIDIA's compiler NVRTC", "AMD's compiler hiprtc"}[index&1], "install it"
}

func TestDevicePrograms(t *testing.T) {
	l := &loads{retired: map[any]bool{}}
	said := []string{}
	table := NewDevicePrograms(l, func(line string) { said = append(said, line) })
	p, err := table.Add(DeviceCode{Label: "k", NoEntry: true}, []string{"a", "a", "", "", "b"})
	require.NoError(t, err)
	require.Equal(t, "k", p.Code.Entry)

	// A function is made once; code that does not compile is tried once for each device and variant.
	require.NoError(t, table.Form(p, 0, 1, false))
	require.NoError(t, table.Form(p, 0, 1, false))
	require.Equal(t, 1, l.calls)
	l.err = &CodeProblem{Lasting: true, Text: "it does not compile"}
	for range 3 {
		require.EqualError(t, table.Form(p, 0, 2, false), "kernel 'k': it does not compile")
	}
	require.Equal(t, 2, l.calls)
	l.err = &CodeProblem{Text: "no file"}
	for range 2 {
		require.Error(t, table.Form(p, 1, 2, false))
	}
	require.Equal(t, 4, l.calls, "a file may be readable the next time")

	// The code of the source tool runs on the host then, and one warning says why.
	generated, err := table.Add(DeviceCode{Label: "nest", Entry: GeneratedEntry}, nil)
	require.NoError(t, err)
	l.err = &CodeProblem{Lasting: true, Text: "it does not compile"}
	for range 2 {
		require.ErrorIs(t, table.Form(generated, 0, 2, true), ErrCodeRefused)
	}
	require.EqualError(t, table.Form(generated, 0, 2, false), "kernel 'nest': it does not compile")
	require.Equal(t, []string{"kernel 'nest' runs on the host: it does not compile"}, said)
	said = nil

	// Without a compiler: an error, or a warning where the host runs the launch.
	l.err, l.why = &CodeProblem{NoCompiler: true, Text: "missing"}, "it is nowhere"
	kind := func(err error) DeviceKind {
		var r *DeviceRefusal
		require.True(t, errors.As(err, &r))
		return r.Kind
	}
	require.Equal(t, DeviceNoCompiler, kind(table.Form(p, 2, 0, false)))
	require.Empty(t, table.MissingCompilers())
	for range 2 {
		require.ErrorIs(t, table.Form(p, 2, 0, true), ErrNoCompiler)
		require.False(t, table.Compiles(0))
	}
	require.Len(t, said, 1)
	require.Contains(t, said[0], "NVRTC is missing: it is nowhere; kernels")
	require.Equal(t, []string{"NVIDIA's compiler NVRTC was not found: install it"}, table.MissingCompilers())
	require.ErrorIs(t, table.Form(p, 3, 0, true), ErrNoCompiler, "the other driver's compiler has a warning of its own")
	require.Len(t, said, 2)
	require.Contains(t, said[1], "hiprtc is missing: it is nowhere; kernels")
	require.Len(t, table.MissingCompilers(), 2)

	l.err = &DriverProblem{Code: driverOutOfMemory, Call: "cuModuleLoadDataEx", Name: "N", Text: "t", Log: "lines"}
	err = table.Form(p, 3, 0, true)
	require.Equal(t, DeviceNoMemory, kind(err))
	require.True(t, strings.HasPrefix(err.Error(), "'k': cuModuleLoadDataEx answers N (2): t; release arrays"))
	require.True(t, strings.HasSuffix(err.Error(), "the driver's compiler says:\nlines"))

	// Neighbours of one name are one argument; a released program has no name.
	_, text := table.Note(&DeviceNote{Kernel: p.Number, Code: -1, Argument: 4, Index: true, Dimension: 1, Rank: 2, At: 9, Lower: 0, Upper: 8})
	require.Equal(t, "parallel_for 'k': the kernel failed with code -1: PORTABLE_CHECK=arrays: the index of dimension 1 (of 2) of argument 4 ('b') is 9; its bounds are 0:8", text)
	table.End()
	require.Error(t, table.Form(p, 0, 1, true), "it is loaded again")
	l.retired[p.Record] = true
	table.End()
	require.Nil(t, table.Find(p.Number))
	label, text := table.Note(&DeviceNote{Kernel: p.Number, Code: 3, Said: "bad"})
	require.Equal(t, "a kernel", label)
	require.Equal(t, "parallel_for 'a kernel': the kernel failed with code 3: bad", text)
}

func TestDeviceLaunchIsRefusedInOrder(t *testing.T) {
	require.NoError(t, (&DeviceLaunch{Call: "portable_launch", Label: "k", Device: 3, Named: 3}).Refusal())
	all := []struct {
		text string
		add  func(l *DeviceLaunch)
	}{
		{"the stream is one of device 3 (cuda:0), the launch names device 1", func(l *DeviceLaunch) { l.Named = 1 }},
		{"args is NULL", func(l *DeviceLaunch) { l.NoArguments = true }},
		{"argument 2 ('a') is a view of rank 3", func(l *DeviceLaunch) { l.View = &DeviceView{2, "a", 3, 2} }},
		{"blocks of 5000 threads", func(l *DeviceLaunch) { l.Threads, l.MostThreads = 5000, 1024 }},
		{"a block asks for 90 bytes", func(l *DeviceLaunch) { l.Shared, l.MostShared, l.Static = 90, 99, 10 }},
		{"the parameters of its entry 'e' take 264 bytes; the launch has 272", func(l *DeviceLaunch) { l.Entry, l.Takes, l.Has, l.Space, l.End = "e", 264, 272, 256, 16 }},
	}
	for i := range all {
		l := DeviceLaunch{Call: "portable_launch", Label: "k", Device: 3, DeviceName: "cuda:0"}
		for _, f := range all[i:] {
			f.add(&l)
		}
		require.ErrorContains(t, l.Refusal(), "portable_launch 'k': "+all[i].text)
	}
}

// An entry may take a structure without the padding at its end, and nothing else.
func TestParametersFit(t *testing.T) {
	for l, fits := range map[DeviceLaunch]bool{
		{Takes: 272, Has: 272, End: 12}:                                 true,
		{Takes: 0, Has: 272, End: 12}:                                   true, // an earlier driver does not tell
		{Takes: 268, Has: 272, End: 12}:                                 true,
		{Takes: 267, Has: 272, End: 12}:                                 false,
		{Takes: 273, Has: 272, End: 12}:                                 false,
		{Takes: 257, Has: 272}:                                          true, // nothing is declared
		{Takes: 256, Has: 272}:                                          false,
		{Takes: 256, Has: 264, Block: 4000, End: 4000, ByPointer: true}: false,
		{Takes: 264, Has: 264, Block: 4000, End: 4000, ByPointer: true}: true,
	} {
		l.Space = 256
		require.Equal(t, fits, l.Refusal() == nil, "%+v", l)
	}
}

// The list of a call is made once, and a kernel of two lists is one program.
func TestDeviceLists(t *testing.T) {
	table := NewDevicePrograms(&loads{}, nil)
	made := map[uint32][]*DeviceProgram{}
	ask := func(key uint32) error {
		return table.List("first", key, func() bool { return made[key] != nil }, func(list []*DeviceProgram) bool {
			require.Nil(t, made[key])
			made[key] = list
			return true
		})
	}
	entries := map[string]bool{}
	known := 0
	for call := range uint32(7) {
		for op := range uint32(22) {
			for kind := range uint32(15) {
				for way := range uint32(24) {
					key := call<<24 | op<<16 | kind<<8 | way
					list := DeviceList(key)
					if list == nil {
						require.Error(t, ask(key))
						continue
					}
					known++
					require.LessOrEqual(t, len(list), MostOfList)
					require.NoError(t, ask(key))
					require.NoError(t, ask(key))
					for i, k := range list {
						entries[k.Source+" "+k.Entry] = true
						require.Equal(t, k, DeviceKernel{made[key][i].Code.Builtin, made[key][i].Code.Entry})
					}
				}
			}
		}
	}
	require.Positive(t, known)
	require.Len(t, table.all, len(entries))
	require.Equal(t, kernels("sort", "sort_clear", "keys4_begin", "sort_differ", "keys4_count", "sort_sums", "sort_edges", "keys4_scatter", "sort_fetch", "sort_return",
		"keys4_end"), DeviceList(4<<24|3<<8|1))
	require.Equal(t, kernels("reduce_real32", "wide_sum_lines", "wide_sum_tree", "wide_sum_finish"), DeviceList(1<<24|1<<16|5<<8|3))
	require.Equal(t, kernels("reduce_real64", "max_leaves", "max_tree", "max_finish"), DeviceList(1<<24|6<<16|6<<8|2))
	require.Equal(t, kernels("copy", "portable_transpose_8"), DeviceList(13))
	require.Equal(t, kernels("scan_int64", "product_totals", "product_chain", "product_store"), DeviceList(2<<24|2<<16|4<<8))
	require.Equal(t, kernels("filter", "filter_count", "filter_places", "pack", "pack_rest"), DeviceList(3<<24|1))
	err := NewDevicePrograms(&loads{}, nil).List("first", 13, func() bool { return false }, func([]*DeviceProgram) bool { return false })
	require.ErrorContains(t, err, "first")
}

func TestHostMemory(t *testing.T) {
	files := map[string]string{"/proc/meminfo MemTotal:": "  1000 kB", "/proc/meminfo MemAvailable:": " 600 kB"}
	line := func(path, key string) string { return files[strings.TrimSpace(path+" "+key)] }
	groups := [][2]string{{"limit", "used"}}
	free, total := hostMemory(line, groups)
	require.Equal(t, [2]uint64{600 * 1024, 1000 * 1024}, [2]uint64{free, total})
	files["limit"], files["used"] = "max", "5"
	free, total = hostMemory(line, groups)
	require.Equal(t, [2]uint64{600 * 1024, 1000 * 1024}, [2]uint64{free, total})
	files["limit"], files["used"] = "1000", "300"
	free, total = hostMemory(line, groups)
	require.Equal(t, [2]uint64{700, 1000}, [2]uint64{free, total})
	files["used"] = "3000"
	free, _ = hostMemory(line, groups)
	require.Zero(t, free)
	free, total = HostMemory()
	require.NotZero(t, total)
	require.LessOrEqual(t, free, total)
}

func TestMemoryOutOfReach(t *testing.T) {
	u := DeviceUnreached{Call: "portable_sort", Label: "s", Name: "keys", OtherName: "values", At: 0x10, Other: 0x20, Index: 1, Owner: "cuda:1", Device: "cuda:0"}
	for why, text := range []string{"which 'cuda:0' does not reach; name that device", "and the host runs this call", "and 'cuda:0' does not reach values (0x20)"} {
		u.Why = why
		require.Contains(t, u.Refusal(), "portable_sort 's': keys (0x10) is memory of the device 'cuda:1', "+text)
	}
	u.Why = UnreachedCopy
	require.Contains(t, u.Refusal(), "the array is in memory of the device 'cuda:1', which the device 'cuda:0' does not reach")
	u.OnDevice = true
	require.Contains(t, u.Refusal(), "the array is in memory of device 1, which does not exist")
}

func TestPlanStaging(t *testing.T) {
	for _, c := range []struct {
		name  string
		spans []Span
		parts []Part
		at    []uint64
		bytes uint64
	}{
		{name: "nothing"},
		{"one keeps its alignment", []Span{{0x1008, 0x1018, 8, false, "a"}}, []Part{{0x1008, 16, 8, 0, "a"}}, []uint64{8}, 24},
		{"apart", []Span{{0x3000, 0x3100, 4, false, "b"}, {0x1000, 0x1010, 16, true, "a"}},
			[]Part{{0x1000, 16, 0, 8, "a"}, {0x3000, 256, 256, 0, "b"}}, []uint64{256, 0}, 512},
		{"neighbours are two parts", []Span{{0x1000, 0x1010, 8, false, "a"}, {0x1010, 0x1020, 4, true, "b"}},
			[]Part{{0x1000, 16, 0, 0, "a"}, {0x1010, 16, 0x110, 4, "b"}}, []uint64{0, 0x110}, 0x120},
		{"overlap", []Span{{0x1008, 0x1040, 8, true, "b"}, {0x1000, 0x1010, 8, false, "a"}, {0x1020, 0x1030, 8, false, "c"}},
			[]Part{{0x1000, 64, 0, 8, "b"}}, []uint64{8, 0, 32}, 64},
		{"the smallest written element", []Span{{0x1000, 0x1040, 8, true, "b"}, {0x1008, 0x1010, 2, true, "a"}, {0x1020, 0x1030, 1, false, "c"}},
			[]Part{{0x1000, 64, 0, 2, "b"}}, []uint64{0, 8, 32}, 64},
		{"written elements that lie across", []Span{{0x1000, 0x1040, 8, true, "b"}, {0x1004, 0x1014, 8, true, "a"}},
			[]Part{{0x1000, 64, 0, 4, "b"}}, []uint64{0, 4}, 64},
	} {
		t.Run(c.name, func(t *testing.T) {
			parts, at, bytes := PlanStaging(c.spans)
			require.Equal(t, c.parts, parts)
			require.Equal(t, len(c.at), len(at))
			for i := range c.at {
				require.Equal(t, c.at[i], at[i])
			}
			require.Equal(t, c.bytes, bytes)
		})
	}
}

// TestPlanStagingModel: a byte of host memory has one place in the block, no two bytes share a place, and alignment stays.
func TestPlanStagingModel(t *testing.T) {
	r := rand.New(rand.NewSource(1))
	for range 3000 {
		var spans []Span
		for range r.Intn(8) {
			start := uintptr(r.Intn(900))
			spans = append(spans, Span{Start: start, End: start + 1 + uintptr(r.Intn(200)), Unit: 1})
		}
		parts, at, bytes := PlanStaging(spans)
		place, taken := map[uintptr]uint64{}, map[uint64]bool{}
		for _, p := range parts {
			for i := range p.Bytes {
				require.False(t, taken[p.At+i])
				require.Less(t, p.At+i, bytes)
				taken[p.At+i] = true
				place[p.Start+uintptr(i)] = p.At + i
			}
		}
		for i, s := range spans {
			require.Equal(t, uint64(s.Start%stageAlign), at[i]%stageAlign)
			for b := s.Start; b < s.End; b++ {
				require.Equal(t, at[i]+uint64(b-s.Start), place[b])
			}
		}
	}
}

func TestStagings(t *testing.T) {
	var s Stagings
	require.Empty(t, s.Report())
	spans := []Span{{0x1000, 0x1000 + 8000, 8, true, "work"}, {0x9000, 0x9010, 8, false, "c"}}
	parts, _, _ := PlanStaging(spans)
	for range 3 {
		s.Count("update", parts)
	}
	require.Equal(t, []Staged{{"update", "work", 6, 48000}, {"update", "c", 3, 48}}, s.List())
	report := s.Report()
	require.Contains(t, report, "update")
	require.Regexp(t, `work +6 +48 kB\n`, report)
	require.Regexp(t, `all +9 +48 kB\n`, report)
	s.Forget()
	require.Empty(t, s.List())
}

func TestSizes(t *testing.T) {
	for bytes, want := range map[uint64]string{0: "0 B", 999: "999 B", 1000: "1 kB", 999_499: "999 kB", 999_600: "1 MB", 1_234_567_890: "1.23 GB", 1 << 63: "9.22 EB"} {
		require.Equal(t, want, sizeOf(bytes))
	}
}

// TestOrderParts: a rule turns an array that is free and alone in its part; other rules are noted once.
func TestOrderParts(t *testing.T) {
	var s Stagings
	spans := []Span{{0x1000, 0x1800, 8, true, "t"}, {0x1900, 0x1980, 4, false, "q"}, {0x2000, 0x2100, 8, false, "u"}, {0x2080, 0x2180, 8, true, "v"},
		{0x3000, 0x3040, 8, false, "line"}, {0x4000, 0x4100, 8, false, "same"}}
	shapes := []Shape{{3, Free}, {2, OfKernel}, {2, Free}, {2, WithGaps}, {1, Free}, {2, Free}}
	parts, at, _ := PlanStaging(spans)
	require.Len(t, parts, 5)
	rule := func(name string, rank int) ([]int32, bool) {
		return map[string][]int32{"t": {2, 0, 1}, "q": {1, 0}, "u": {1, 0}, "v": {1, 0}, "same": {0, 1}, "line": {0}}[name], true
	}
	for range 2 {
		turned, orders := s.OrderParts("loop", spans, shapes, at, parts, rule)
		require.Equal(t, []int{0, -1, -1, -1, -1}, turned)
		require.Equal(t, []int32{2, 0, 1}, orders[0])
	}
	require.Equal(t, "kij", Letters([]int32{2, 0, 1}))
	require.Len(t, s.Refused(), 3)
	require.Contains(t, s.Refused()[0], "'q' does not hold in 'loop': a procedure")
	require.Contains(t, s.Refused()[1], "'u' does not hold in 'loop': another array")
	turned, _ := s.OrderParts("none", spans, shapes, at, parts, func(string, int) ([]int32, bool) { return nil, false })
	require.Equal(t, []int{-1, -1, -1, -1, -1}, turned)
	s.Forget()
	require.Empty(t, s.Refused())
}
