package scope

// transformations are functions of whole arrays that are computed. Sums and products of reals are gfortran's: in array
// element order, each step rounded.
var transformations = map[string]func(f folder, c *call, t Type) (Value, bool){}

func init() {
	transformations["sum"] = reduction("+", 0)
	transformations["product"] = reduction("*", 1)
	transformations["maxval"] = extremes(1)
	transformations["minval"] = extremes(-1)
	transformations["any"] = logicals(func(all, any bool) bool { return any })
	transformations["all"] = logicals(func(all, any bool) bool { return all })
	transformations["count"] = countTrue
	transformations["reshape"] = reshape
	transformations["trim"] = trim
	transformations["repeat"] = repeat
	transformations["spread"] = spreadOut
	transformations["transpose"] = transpose
	transformations["dot_product"] = dotProduct
}

// array is the only argument, as an array: with DIM or MASK nothing is computed.
func (f folder) array(c *call) (Value, bool) {
	if c.has("dim") || c.arg(0) == nil || len(c.list) != 1 {
		return Value{}, false
	}
	v, ok := f.fold(c.arg(0))
	return v, ok && v.Shape != nil
}

func reduction(operator string, start int64) func(f folder, c *call, t Type) (Value, bool) {
	return func(f folder, c *call, t Type) (Value, bool) {
		v, ok := f.array(c)
		if !ok {
			return v, false
		}
		sum, ok := convert(Value{Type: Type{Base: Integer, Kind: 8}, Integer: start}, t)
		for _, x := range v.List {
			if !ok {
				return v, false
			}
			sum, ok = arithmetic(operator, sum, x)
		}
		return sum, ok
	}
}

func extremes(sign int) func(f folder, c *call, t Type) (Value, bool) {
	return func(f folder, c *call, t Type) (Value, bool) {
		v, ok := f.array(c)
		if !ok || len(v.List) == 0 {
			return v, false
		}
		return extreme(sign)(t, v.List)
	}
}

func logicals(pick func(all, any bool) bool) func(f folder, c *call, t Type) (Value, bool) {
	return func(f folder, c *call, t Type) (Value, bool) {
		v, ok := f.array(c)
		all, any := true, false
		for _, x := range v.List {
			all, any = all && x.Logical, any || x.Logical
		}
		return Value{Type: t, Logical: pick(all, any)}, ok && v.Type.Base == Logical
	}
}

func countTrue(f folder, c *call, t Type) (Value, bool) {
	v, ok := f.array(c)
	n := int64(0)
	for _, x := range v.List {
		if x.Logical {
			n++
		}
	}
	return Value{Type: t, Integer: n}, ok && v.Type.Base == Logical && inRange(n, t.Kind)
}

func reshape(f folder, c *call, t Type) (Value, bool) {
	source, ok := f.fold(c.args["source"])
	shape, fine := f.fold(c.args["shape"])
	if !ok || !fine || source.Shape == nil || shape.Shape == nil || c.has("order") {
		return Value{}, false
	}
	result := Value{Type: source.Type, Shape: []int64{}}
	for _, n := range shape.List {
		if n.Integer < 0 {
			return Value{}, false
		}
		result.Shape = append(result.Shape, n.Integer)
	}
	n := count(result.Shape)
	if n > mostElements {
		return Value{}, false
	}
	list := source.List
	if int64(len(list)) < n {
		pad, ok := f.fold(c.args["pad"])
		if !ok || len(pad.List) == 0 {
			return Value{}, false
		}
		list = append([]Value{}, list...)
		for int64(len(list)) < n {
			list = append(list, pad.List...)
		}
	}
	result.List = list[:n]
	return result, true
}

func trim(f folder, c *call, t Type) (Value, bool) {
	v, ok := f.fold(c.arg(0))
	if !ok || v.Shape != nil || v.Type.Base != Character {
		return Value{}, false
	}
	n, _ := trimmedLength(Type{Base: Integer, Kind: 4}, []Value{v})
	return resize(v, int(n.Integer)), true
}

func repeat(f folder, c *call, t Type) (Value, bool) {
	v, ok := f.fold(c.arg(0))
	n, fine := f.integer(c.arg(1))
	if !ok || !fine || v.Shape != nil || n < 0 || n*int64(len(v.Text)) > mostElements || n > mostElements {
		return Value{}, false
	}
	text := ""
	for ; n > 0; n-- {
		text += v.Text
	}
	v.Text, v.Type.Len = text, length(len(text))
	return v, true
}

// spreadOut is SPREAD of a scalar.
func spreadOut(f folder, c *call, t Type) (Value, bool) {
	v, ok := f.fold(c.arg(0))
	n, fine := f.integer(c.args["ncopies"])
	if !ok || !fine || v.Shape != nil {
		return Value{}, false
	}
	return spread(v, []int64{max(n, 0)})
}

func transpose(f folder, c *call, t Type) (Value, bool) {
	v, ok := f.fold(c.arg(0))
	if !ok || len(v.Shape) != 2 {
		return Value{}, false
	}
	rows, columns := v.Shape[0], v.Shape[1]
	result := Value{Type: v.Type, Shape: []int64{columns, rows}, List: make([]Value, 0, len(v.List))}
	for i := range rows {
		for j := range columns {
			result.List = append(result.List, v.List[j*rows+i])
		}
	}
	return result, true
}

func dotProduct(f folder, c *call, t Type) (Value, bool) {
	x, ok := f.fold(c.arg(0))
	y, fine := f.fold(c.arg(1))
	if !ok || !fine || len(x.Shape) != 1 || !sameShape(x.Shape, y.Shape) || t.Base != Integer {
		return Value{}, false
	}
	sum := Value{Type: t}
	for i := range x.List {
		term, ok := f.s.binary("*", x.List[i], y.List[i])
		if ok {
			sum, ok = f.s.binary("+", sum, term)
		}
		if !ok {
			return Value{}, false
		}
	}
	return convert(sum, t)
}
