// Package settings lists the environment variables of the library: name, form of values, default
// (settings.go), and reads sizes and yes or no (value.go). internal/instance reads the variables,
// internal/edge those that C needs before Go runs, and yaklcheck doctor examines them before a run.
// Threads: any; nothing here changes.
package settings

// Names of the variables.
const (
	Disable       = "GATOR_DISABLE"
	Initial       = "GATOR_INITIAL_MB"
	Grow          = "GATOR_GROW_MB"
	Block         = "GATOR_BLOCK_BYTES"
	Strict        = "GATOR_STRICT"
	Limit         = "PORTABLE_LIMIT_MB"
	FastPath      = "PORTABLE_FASTPATH"
	HugePages     = "PORTABLE_HUGEPAGES"
	AllocateFrom  = "PORTABLE_ALLOCATE_FROM"
	Device        = "PORTABLE_DEVICE"
	CudaLibrary   = "PORTABLE_CUDA_LIBRARY"   // C reads it when a program asks for a CUDA device
	NVRTCLibrary  = "PORTABLE_NVRTC_LIBRARY"  // C reads it when it compiles a kernel
	HipLibrary    = "PORTABLE_HIP_LIBRARY"    // C reads it when a program asks for an AMD device
	HiprtcLibrary = "PORTABLE_HIPRTC_LIBRARY" // C reads it when it compiles a kernel for one
	OpenCLLibrary = "PORTABLE_OPENCL_LIBRARY" // C reads it when a program asks for a device of OpenCL
	Clang         = "PORTABLE_CLANG"          // internal/backend/opencl reads it when it compiles a kernel
	FFTLibrary    = "PORTABLE_FFT_LIBRARY"    // C reads it when a program makes the first plan of transforms
	Cache         = "PORTABLE_CACHE"
	CudaPath      = "PORTABLE_CUDA_PATH" // C reads it when a kernel object gets a file
	Threads       = "PORTABLE_NUM_THREADS"
	StackSize     = "PORTABLE_STACKSIZE"
	Schedule      = "PORTABLE_SCHEDULE"
	TeamSize      = "PORTABLE_TEAM_SIZE"
	Profile       = "PORTABLE_PROFILE"
	BitForBit     = "PORTABLE_B4B"
	Tools         = "PORTABLE_TOOLS"
	Verbose       = "PORTABLE_VERBOSE"
	NVTX          = "PORTABLE_NVTX"
	Check         = "PORTABLE_CHECK"
	Memcheck      = "PORTABLE_MEMCHECK"
	RacesMB       = "PORTABLE_RACES_MB"
	Trace         = "PORTABLE_TRACE"
	Hash          = "PORTABLE_HASH"
	Tuning        = "PORTABLE_TUNING"
	Twins         = "PORTABLE_TWINS"
	Managed       = "PORTABLE_MANAGED"
	MPIDevice     = "PORTABLE_MPI_DEVICE" // C reads it at the first exchange of ghost cells
	HostMemory    = "PORTABLE_HOSTMEM"
)

// OpenMP's variables, which the library reads where its own ones are not set.
const (
	OpenMPThreads   = "OMP_NUM_THREADS"
	OpenMPStackSize = "OMP_STACKSIZE"
)

// Form is the form of a variable's values.
type Form int

// Forms.
const (
	Free   Form = iota // this package does not know it
	YesNo              // yes, no and their kin
	Size               // 4000, 4000MB, 4GB
	Number             // a whole number from Least to Most
	Word               // one of Words
	List               // several of Words, or yes for all and no for none
)

// Variable is one environment variable of the library.
type Variable struct {
	Name    string
	Default string // as docs/build/environment.md says it
	Form    Form
	Words   []string
	Unit    uint64 // bytes, of a size without a unit
	Least   uint64 // of a size in bytes, or of a number
	Most    uint64
	Power   bool // a size is a power of two
}

const mib = 1 << 20

// Variables are those of this version, in the order of docs/build/environment.md. Other names that begin as these do
// get a warning.
var Variables = []Variable{
	{Name: Disable, Default: "no", Form: YesNo},
	{Name: Initial, Default: "64 MB", Form: Size, Unit: mib},
	{Name: Grow, Default: "doubling", Form: Size, Unit: mib},
	{Name: Block, Default: "128", Form: Size, Unit: 1, Least: 64, Most: 1 << 30, Power: true},
	{Name: Strict, Default: "no", Form: YesNo},
	{Name: Limit, Default: "none", Form: Size, Unit: mib},
	{Name: FastPath, Default: "yes", Form: YesNo},
	{Name: HugePages, Default: "yes; no on guests that report free pages", Form: YesNo},
	{Name: AllocateFrom, Default: "64 KB", Form: Size, Unit: 1, Least: 4096},
	{Name: Device, Default: "`threads`"},
	{Name: CudaLibrary, Default: "`libcuda.so.1`"},
	{Name: NVRTCLibrary, Default: "the library that the loader finds"},
	{Name: HipLibrary, Default: "`libamdhip64.so.7`, `.6`, `.5`"},
	{Name: HiprtcLibrary, Default: "the library that the loader finds"},
	{Name: FFTLibrary, Default: "our own transforms"},
	{Name: OpenCLLibrary, Default: "`libOpenCL.so.1`"},
	{Name: Clang, Default: "the newest that the driver's LLVM reads"},
	{Name: Cache, Default: "`$XDG_CACHE_HOME/portable`"},
	{Name: CudaPath, Default: "none"},
	{Name: Threads, Default: "`OMP_NUM_THREADS`", Form: Number, Least: 1, Most: 4095},
	{Name: StackSize, Default: "`OMP_STACKSIZE`", Form: Size, Unit: mib},
	{Name: Schedule, Default: "`static`", Form: Word, Words: []string{"static", "dynamic"}},
	{Name: TeamSize, Default: "`1`", Form: Number, Least: 1, Most: 1024},
	{Name: Profile, Default: "`0`"},
	{Name: BitForBit, Default: "no", Form: YesNo},
	{Name: Tools, Default: "`KOKKOS_TOOLS_LIBS`"},
	{Name: Verbose, Default: "none"},
	{Name: NVTX, Default: "on if `NVTX_INJECTION64_PATH` is set", Form: YesNo},
	{Name: Check, Default: "none", Form: List, Words: []string{"launch", "arrays", "memory", "hash", "races", "all"}},
	{Name: Memcheck, Default: "`mode=exact,guard=end`"},
	{Name: RacesMB, Default: "4096 MB", Form: Size, Unit: mib, Least: 1},
	{Name: Trace, Default: "none"},
	{Name: Hash, Default: "after each launch"},
	{Name: Tuning, Default: "none"},
	{Name: Twins, Default: "one memory if that is enough", Form: Word, Words: []string{"separate", "0", "no"}},
	{Name: Managed, Default: "yes", Form: YesNo},
	{Name: MPIDevice, Default: "as MPI says", Form: Word, Words: []string{"0", "1"}},
	{Name: HostMemory, Default: "`error`; of generated launches `copy`", Form: Word, Words: []string{"error", "copy", "warn", "allow"}},
}

// Names are the names of all variables.
func Names() (names []string) {
	for _, v := range Variables {
		names = append(names, v.Name)
	}
	return names
}

// Find returns the variable of that name.
func Find(name string) (v Variable, found bool) {
	for _, v := range Variables {
		if v.Name == name {
			return v, true
		}
	}
	return Variable{}, false
}
