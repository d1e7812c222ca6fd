package exec

// This file names the library's own kernels for devices: the steps of copies, reductions, scans,
// filters, sorts, operations element by element, random numbers, systems of few diagonals,
// transforms, ghost cells, meshes and particles. Main functions: DeviceList, and DevicePrograms.List, which C asks once a list.

// DeviceKernel is an entry of an embedded source; SOURCE_KIND is compiled for that kind of element.
type DeviceKernel struct{ Source, Entry string }

// Calls that have lists, as internal/backend/cuda/kernel.h numbers them.
const (
	listCopy = iota
	listReduce
	listScan
	listFilter
	listSort
	listComponent
	listRandom
	listSolve
	listFFT
	listHalo
	listSegmented
	listMesh
)

// MostOfList is the most kernels of a list.
const MostOfList = 10

// deviceKinds are kinds of elements, in the order of PORTABLE_KIND_...
var deviceKinds = [...]string{"", "int8", "int16", "int32", "int64", "real32", "real64", "complex32", "complex64", "logical8", "logical16", "logical32", "logical64"}

// copyEntries are in the order of PORTABLE__ENTRY_... of internal/backend/cuda/cuda_copy.h.
var copyEntries = [...]string{
	"portable_copy_1", "portable_copy_2", "portable_copy_4", "portable_copy_8", "portable_copy_16",
	"portable_fill_1", "portable_fill_2", "portable_fill_4", "portable_fill_8", "portable_fill_16",
	"portable_transpose_1", "portable_transpose_2", "portable_transpose_4", "portable_transpose_8", "portable_transpose_16",
	"", "portable_widen", "portable_narrow", "portable_longer",
}

// Operations, in the order of PORTABLE_REDUCE_...
var (
	reduceNames = [...]string{"", "sum", "product", "min", "max", "min", "max", "count", "count", "count"}
	scanNames   = [...]string{"", "sum", "product", "min", "max"}
	filterNames = [...]string{"pack", "unpack", "indices"}
)

// Operations element by element, in the order of PORTABLE_BINARY_... and PORTABLE_UNARY_...
var (
	binaryNames = [...]string{"", "add", "subtract", "multiply", "divide", "mod", "power", "min", "max", "sign", "atan2", "less", "greater", "less_equal",
		"greater_equal", "equal", "unequal", "and", "or"}
	unaryNames = [...]string{"", "plus", "negate", "abs", "sqrt", "cbrt", "sin", "cos", "tan", "asin", "acos", "atan", "exp", "log", "log10", "log2", "floor",
		"ceil", "round", "isnan", "isinf", "not"}
)

// Distributions of random numbers, in the order of PORTABLE_RANDOM_...
var randomNames = [...]string{"random_uniform", "random_normal"}

// Steps of calls on meshes and particles: the source, then its kernels, in the order of exec/mesh/there.h.
var meshLists = [...][]string{
	{"mesh", "csr_pairs"},
	{"mesh", "csr_check", "csr_turn"},
	{"mesh", "list_none", "list_rows"},
	{"mesh", "list_rows"},
	{"mesh", "counts_widen"},
	{"mesh", "counts_total"},
	{"mesh", "counts_rows"},
	{"mesh", "order_clear", "order_check"},
	{"mesh", "order_gather", "order_return"},
	{"particles", "cell_keys"},
	{"particles", "near_gather"},
	{"particles", "near_count"},
	{"particles", "near_fill"},
	{"particles", "map_begin"},
	{"particles", "map_new"},
	{"particles", "map_pack"},
	{"particles", "map_find"},
	{"merge", "merge_check", "merge_path"},
}

// Forms of operations element by element, as exec/device/device_componentwise.h numbers them.
const (
	componentBinary = iota
	componentUnary
	componentMerge
	componentFault
)

// componentEntry is the kernel of an operation; "": there is none.
func componentEntry(op, kind, form int) string {
	logical := kind >= len(deviceKinds)-4
	switch {
	case form == componentBinary && op < len(binaryNames) && logical && (binaryNames[op] == "equal" || binaryNames[op] == "unequal"):
		return "element_" + binaryNames[op] + "_truth"
	case form == componentBinary && op > 0 && op < len(binaryNames):
		return "element_" + binaryNames[op]
	case form == componentUnary && op > 0 && op < len(unaryNames):
		return "element_" + unaryNames[op]
	case form == componentMerge:
		return "element_merge"
	case form == componentFault && op < len(binaryNames) && binaryNames[op] == "power":
		return "fault_power"
	case form == componentFault && op < len(binaryNames) && (binaryNames[op] == "divide" || binaryNames[op] == "mod"):
		return "fault_divide"
	}
	return ""
}

// Places of a sort's keys when it ends, as internal/kernels/sort/sort.h numbers them.
const (
	sortKeysOnly = 0
	sortPlaces   = 2
	sortRests    = 4
)

// DeviceList gives the kernels of a call in the order of its steps; nil: there is no such call. key is PORTABLE__LIST(...) of C.
func DeviceList(key uint32) []DeviceKernel {
	call, op, kind, way := key>>24, int(key>>16&255), int(key>>8&255), int(key&255)
	switch call {
	case listCopy:
		if way < len(copyEntries) && copyEntries[way] != "" {
			return kernels("copy", copyEntries[way])
		}
	case listReduce:
		if op == 0 || op >= len(reduceNames) || kind == 0 || kind >= len(deviceKinds) {
			return nil
		}
		name, first := reduceNames[op], "_leaves"
		if k := deviceKinds[kind]; way&2 != 0 && op <= 2 && (k == "real32" || k == "complex32") { // sums and products of these have a wide form
			name = "wide_" + name
		}
		if way&1 != 0 {
			first = "_lines"
		}
		return kernels("reduce_"+deviceKinds[kind], name+first, name+"_tree", name+"_finish")
	case listScan:
		if op == 0 || op >= len(scanNames) || kind == 0 || kind > 6 {
			return nil
		}
		name := scanNames[op]
		if way != 0 {
			return kernels("scan_"+deviceKinds[kind], name+"_lines")
		}
		return kernels("scan_"+deviceKinds[kind], name+"_totals", name+"_chain", name+"_store")
	case listFilter:
		if op >= len(filterNames) {
			return nil
		}
		list := kernels("filter", "filter_count", "filter_places", filterNames[op])
		if way != 0 {
			list = append(list, DeviceKernel{"filter", "pack_rest"})
		}
		return list
	case listSort:
		if kind >= sortRests {
			return nil
		}
		keys := "keys8"
		if way != 0 {
			keys = "keys4"
		}
		list := kernels("sort", "sort_clear", keys+"_begin", "sort_differ", keys+"_count", "sort_sums", "sort_edges", keys+"_scatter")
		switch kind {
		case sortKeysOnly:
			return append(list, DeviceKernel{"sort", keys + "_end"})
		case sortPlaces:
			return append(list, DeviceKernel{"sort", "sort_indices"})
		default:
			return append(list, kernels("sort", "sort_fetch", "sort_return", keys+"_end")...)
		}
	case listComponent:
		if entry := componentEntry(op, kind, way); entry != "" && kind > 0 && kind < len(deviceKinds) {
			return kernels("componentwise_"+deviceKinds[kind], entry)
		}
	case listRandom:
		if way < len(randomNames) && (kind == int(kindReal32) || kind == int(kindReal64)) {
			return kernels("random_"+deviceKinds[kind], randomNames[way])
		}
	case listSolve:
		if (op == 1 || op == 2) && (kind == int(kindReal32) || kind == int(kindReal64)) {
			return kernels("solve_"+deviceKinds[kind], [...]string{"solve_three", "solve_five"}[op-1])
		}
	case listFFT:
		if kind == int(kindReal32) || kind == int(kindReal64) {
			if way != 0 { // of lines for cuFFT
				return kernels("fft_"+deviceKinds[kind], "fft_pack", "fft_unpack")
			}
			return kernels("fft_"+deviceKinds[kind], "fft_tables", "fft_lines")
		}
	case listHalo:
		return kernels("halo", "halo_move")
	case listSegmented:
		if op == 0 || op >= len(scanNames) || kind < int(kindInt32) || kind > int(kindReal64) {
			return nil
		}
		source, name := "segmented_"+deviceKinds[kind], scanNames[op]
		if way != 0 { // no row is long
			return kernels(source, name+"_rows")
		}
		return kernels(source, "segmented_clear", name+"_rows", name+"_leaves", name+"_tree")
	case listMesh:
		if op < len(meshLists) {
			return kernels(meshLists[op][0], meshLists[op][1:]...)
		}
	}
	return nil
}

func kernels(source string, entries ...string) (list []DeviceKernel) {
	for _, entry := range entries {
		list = append(list, DeviceKernel{source, entry})
	}
	return list
}

// List makes the programs of a list and publishes them, unless the list is there. Lists share programs. publish false: no memory.
func (t *DevicePrograms) List(label string, key uint32, there func() bool, publish func(list []*DeviceProgram) bool) error {
	t.lists.Lock()
	defer t.lists.Unlock()
	if there() {
		return nil
	}
	var list []*DeviceProgram
	for _, k := range DeviceList(key) {
		p := t.own[k]
		if p == nil {
			var err error
			if p, err = t.Add(DeviceCode{Label: label, Builtin: k.Source, Entry: k.Entry}, nil); err != nil {
				return err
			}
			t.own[k] = p
		}
		list = append(list, p)
	}
	switch {
	case len(list) == 0:
		return &DeviceRefusal{DeviceInternal, "portable: a fault inside the library, please report it: there is no list of kernels with that number"}
	case !publish(list):
		return NoMemoryForCode(label)
	}
	return nil
}
