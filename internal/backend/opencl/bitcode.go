package opencl

import (
	"fmt"
	"strconv"
	"strings"
)

// bytesOf begins the name of a constant with the bytes of an entry's parameters.
const bytesOf = "portable__bytes_"

// arguments are the names of metadata of an entry's two parameters, and their values.
var arguments = []struct{ name, value string }{
	{"kernel_arg_addr_space", "i32 1, i32 3"},
	{"kernel_arg_access_qual", `!"none", !"none"`},
	{"kernel_arg_type", `!"char*", !"char*"`},
	{"kernel_arg_base_type", `!"char*", !"char*"`},
	{"kernel_arg_type_qual", `!"", !""`},
}

// firstNode is above all numbers of metadata in clang's text.
const firstNode = 1 << 24

// finish makes clang's text one for OpenCL's drivers: atomic operations in place of marked calls, and facts of entries. It returns the
// bytes of each entry's parameters.
func finish(text string) (result string, parameters map[string]int, err error) {
	parameters = map[string]int{}
	var b strings.Builder
	attached := ""
	for k, a := range arguments {
		attached += fmt.Sprintf("!%s !%d ", a.name, firstNode+k)
	}
	for line := range strings.Lines(text) {
		line = strings.TrimSuffix(line, "\n")
		switch {
		case strings.HasPrefix(line, "@"+bytesOf):
			name, rest, _ := strings.Cut(line[1:], " = ")
			_, value, _ := strings.Cut(rest, "constant i64 ")
			value, _, _ = strings.Cut(value, ",")
			n, err := strconv.Atoi(value)
			if err != nil {
				return "", nil, fmt.Errorf("the bytes of an entry's parameters are not known: %s", line)
			}
			parameters[strings.TrimPrefix(name, bytesOf)] = n
			continue
		case strings.HasPrefix(line, "@llvm.used"), strings.HasPrefix(line, "@llvm.compiler.used"), strings.HasPrefix(line, "declare ") && strings.Contains(line, " @portable__"):
			continue
		case strings.HasPrefix(line, "target triple"):
			line = `target triple = "spir64-unknown-unknown"`
		case strings.HasPrefix(line, "define ") && strings.Contains(line, " spir_kernel "):
			line = strings.TrimSuffix(line, "{") + attached + "{"
		case strings.Contains(line, " @portable__rmw_"), strings.Contains(line, " @portable__cas_"), strings.Contains(line, " @portable__fence("):
			if line, err = operation(line); err != nil {
				return "", nil, err
			}
		}
		b.WriteString(line + "\n")
	}
	for k, a := range arguments {
		fmt.Fprintf(&b, "!%d = !{%s}\n", firstNode+k, a.value)
	}
	n := firstNode + len(arguments)
	fmt.Fprintf(&b, "!spirv.Source = !{!%d}\n!%d = !{i32 3, i32 102000}\n!opencl.spir.version = !{!%d}\n!%d = !{i32 2, i32 0}\n", n, n, n+1, n+1)
	return b.String(), parameters, nil
}

// operation is LLVM's instruction for a marked call: `  %r = tail call spir_func noundef i32 @portable__rmw_add_int(ptr addrspace(4) noundef %p, i32 noundef %v) #5`.
func operation(line string) (string, error) {
	wrong := fmt.Errorf("an atomic operation has an unknown form: %s", strings.TrimSpace(line))
	front, rest, _ := strings.Cut(line, " @portable__")
	if strings.HasPrefix(rest, "fence(") {
		return "  fence seq_cst", nil
	}
	result, call, found := strings.Cut(strings.TrimSpace(front), " = ")
	words := strings.Fields(call)
	name, list, opened := strings.Cut(rest, "(")
	end := strings.LastIndexByte(list, ')')
	if !found || len(words) == 0 || !opened || end < 0 {
		return "", wrong
	}
	kind := words[len(words)-1]
	for _, attribute := range []string{"noundef ", "nonnull ", "nocapture "} {
		list = strings.ReplaceAll(list, attribute, "")
	}
	list = list[:strings.LastIndexByte(list, ')')]
	last := func() (value string) {
		at := strings.LastIndex(list, ", "+kind+" ")
		if at < 0 {
			return ""
		}
		value = list[at+2:]
		list = withoutAlignment(list[:at])
		return value
	}
	what, isUpdate := strings.CutPrefix(name, "rmw_")
	if isUpdate {
		what, _, _ = strings.Cut(what, "_")
		value := last()
		if value == "" {
			return "", wrong
		}
		return fmt.Sprintf("  %s = atomicrmw %s %s, %s monotonic", result, what, list, value), nil
	}
	value := last()
	compare := last()
	if value == "" || compare == "" {
		return "", wrong
	}
	pair := "%portable.pair." + strings.TrimPrefix(result, "%")
	return fmt.Sprintf("  %s = cmpxchg %s, %s, %s monotonic monotonic\n  %s = extractvalue { %s, i1 } %s, 0", pair, list, compare, value, result, kind, pair), nil
}

// withoutAlignment removes what an argument may have between its type and its value: `align 8`, and `dereferenceable(8)`.
func withoutAlignment(pointer string) string {
	words := strings.Fields(pointer)
	var kept []string
	for i := 0; i < len(words); i++ {
		switch {
		case words[i] == "align":
			i++
		case strings.HasPrefix(words[i], "dereferenceable"):
		default:
			kept = append(kept, words[i])
		}
	}
	return strings.Join(kept, " ")
}
