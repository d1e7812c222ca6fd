package main

import (
	"bytes"
	"embed"
	"fmt"
	"strings"
	"text/template"
)

// The template of the built-in array kernels.
//
//go:embed kernels
var kernelTemplates embed.FS

const (
	operationsPath     = "internal/kernels/array_operations.c"
	operationsTemplate = "array_operations.c.tmpl"
)

// arithmetic is sum or product.
type arithmetic struct {
	Name, Op, Start string
	Parts           int // numbers that a value has: 2 for complex ones
}

// extreme is min or max.
type extreme struct {
	Name, Op, Start, Empty string
	Instruction            string // the compiler's name of the processor's own; "" for integers
}

// element is a type of C that array kernels are written for.
type element struct {
	Name, C         string
	Unsigned        string // the type that it is added up in, which wraps
	Bits            string // integers of its size, for masks
	One             string // what keeps short unsigned integers from becoming int
	NaN             string // "" for integers
	Member, Member2 string // of a partial result; the second for pairs
	Pair            string // the complex type made of two of it
	Integer, Wide   bool
	Ordered         bool
	Sums, Folds     []arithmetic
	Extremes        []extreme
}

// complexKind is a kind of complex elements.
type complexKind struct{ Name, Of, C, Member2 string }

// logicalKind is a kind of logical elements.
type logicalKind struct{ Name, C string }

// operationRow is one element of the table of operations, as C writes it.
type operationRow struct {
	Op, Kind                                       string
	Bytes, ResultBytes                             int
	Masked, Begin, Add, Fold, Combine, Store, Find string
}

var complexKinds = []complexKind{{"complex32", "real32", "float", "c"}, {"complex64", "real64", "double", "z"}}

var logicalKinds = []logicalKind{{"logical8", "uint8_t"}, {"logical16", "uint16_t"}, {"logical32", "uint32_t"}, {"logical64", "uint64_t"}}

func elements() (list []element) {
	sum, product := arithmetic{"sum", "+", "0", 1}, arithmetic{"product", "*", "1", 1}
	for _, bits := range []int{8, 16, 32, 64} {
		e := element{
			Name: fmt.Sprintf("int%d", bits), C: fmt.Sprintf("int%d_t", bits), Unsigned: fmt.Sprintf("uint%d_t", bits),
			Bits: fmt.Sprintf("int%d_t", bits), One: "1u * ", Member: "i", Integer: true, Ordered: true,
			Sums: []arithmetic{sum, product}, Folds: []arithmetic{sum, product},
		}
		most, least := fmt.Sprintf("INT%d_MAX", bits), fmt.Sprintf("INT%d_MIN", bits)
		e.Extremes = []extreme{{"min", "<", most, most, ""}, {"max", ">", least, least, ""}}
		list = append(list, e)
	}
	pair := arithmetic{"pair", "+", "0", 2}
	for _, e := range []element{
		{Name: "real32", C: "float", Bits: "int32_t", NaN: "NAN", Member: "f", Member2: "c", Pair: "complex32", Wide: true},
		{Name: "real64", C: "double", Bits: "int64_t", NaN: "(double)NAN", Member: "d", Member2: "z", Pair: "complex64"},
	} {
		e.Unsigned, e.Ordered = e.C, true
		e.Sums, e.Folds = []arithmetic{sum, product}, []arithmetic{sum, product, pair}
		most := map[string]string{"real32": "FLT_MAX", "real64": "DBL_MAX"}[e.Name]
		suffix := map[string]string{"real32": "ps", "real64": "pd"}[e.Name]
		e.Extremes = []extreme{
			{"min", "<", "INFINITY", most, "__builtin_ia32_min" + suffix},
			{"max", ">", "-INFINITY", "-" + most, "__builtin_ia32_max" + suffix},
		}
		list = append(list, e)
	}
	return list
}

// operationRows is the table of operations: as they are, and those that add up and multiply single precision in double.
func operationRows() (rows, wide []operationRow) {
	size := map[string]int{"int8": 1, "int16": 2, "int32": 4, "int64": 8, "real32": 4, "real64": 8}
	kind := func(name string) string { return "PORTABLE_KIND_" + strings.ToUpper(name) }
	op := func(name string) string { return "PORTABLE_REDUCE_" + strings.ToUpper(name) }
	arithmeticRow := func(o, k, of string, bytes int, masked, add, fold, store string) operationRow {
		return operationRow{op(o), kind(k), bytes, bytes, masked, "begin_" + of, add, "fold_" + fold, "combine_" + fold, "store_" + store, "NULL"}
	}
	for _, e := range elements() {
		for _, s := range e.Sums {
			of := s.Name + "_" + e.Name
			masked := fmt.Sprintf(".%s = %s", e.Name, s.Start)
			rows = append(rows, arithmeticRow(s.Name, e.Name, of, size[e.Name], masked, "add_"+of, of, e.Name))
			if e.Wide {
				in := s.Name + "_real64"
				wide = append(wide, arithmeticRow(s.Name, e.Name, in, 4, masked, "add_wide_"+of, in, "wide_real32"))
			}
		}
		for _, x := range e.Extremes {
			for _, name := range []string{x.Name, x.Name + "loc"} {
				of := x.Name + "_" + e.Name
				rows = append(rows, operationRow{op(name), kind(e.Name), size[e.Name], size[e.Name],
					fmt.Sprintf(".%s = %s", e.Name, x.Start), "begin_" + of, "add_" + of, "fold_" + of, "combine_" + of, "store_" + of, "find_" + e.Name})
			}
		}
	}
	for _, c := range complexKinds {
		bytes := 2 * size[c.Of]
		zero, one := fmt.Sprintf(".%s = {0, 0}", c.Name), fmt.Sprintf(".%s = {1, 0}", c.Name)
		rows = append(rows,
			arithmeticRow("sum", c.Name, "sum_"+c.Of, bytes, zero, "add_"+c.Name, "pair_"+c.Of, c.Name),
			arithmeticRow("product", c.Name, "product_"+c.Name, bytes, one, "add_product_"+c.Name, "product_"+c.Name, c.Name))
		if c.Of == "real32" {
			wide = append(wide,
				arithmeticRow("sum", c.Name, "sum_real64", bytes, zero, "add_wide_"+c.Name, "pair_real64", "wide_"+c.Name),
				arithmeticRow("product", c.Name, "product_complex64", bytes, one, "add_wide_product_"+c.Name, "product_complex64", "wide_"+c.Name))
		}
	}
	for i, l := range logicalKinds {
		for _, name := range []string{"any", "all", "count"} {
			result := 4
			if name == "count" {
				result = 8
			}
			rows = append(rows, operationRow{op(name), kind(l.Name), 1 << i, result, ".bytes = {0}", "begin_count", "add_count_" + l.Name,
				"fold_count_" + l.Name, "combine_count", "store_count", "NULL"})
		}
	}
	return rows, wide
}

// renderKernels gives the generated C of internal/kernels.
func renderKernels() (map[string][]byte, error) {
	t, err := template.New(operationsTemplate).ParseFS(kernelTemplates, "kernels/*.tmpl")
	if err != nil {
		return nil, fmt.Errorf("gen: %s: %w", operationsTemplate, err)
	}
	rows, wide := operationRows()
	data := struct {
		Types          []element
		Complex        []complexKind
		Logicals       []logicalKind
		Rows, WideRows []operationRow
	}{elements(), complexKinds, logicalKinds, rows, wide}
	var b bytes.Buffer
	fmt.Fprintf(&b, "/* Code generated by internal/gen from %s; DO NOT EDIT. */\n", operationsTemplate)
	if err := t.ExecuteTemplate(&b, operationsTemplate, data); err != nil {
		return nil, fmt.Errorf("gen: %s: %w", operationsPath, err)
	}
	return map[string][]byte{operationsPath: b.Bytes()}, nil
}
