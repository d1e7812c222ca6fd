package directive

import (
	"slices"
	"strings"

	"libportable/internal/fortran/token"
	"libportable/internal/spelling"
)

var portableClauses = map[string]shape{"collapse": number, "private": names, "reduction": operators, "independent": alone, "async": anything,
	"on": words, "serial": words, "label": textual, "columns": ranges}

// portable reads !$portable parallel, off, on, data, end data.
func (r *reader) portable() {
	t := r.next()
	switch {
	case t.IsName("parallel"):
		r.out.Role = Loop
		r.clauses(portableClauses)
		return
	case t.IsName("off"), t.IsName("on"), t.IsName("nofission"):
		r.out.Role = map[string]Role{"off": Off, "on": On, "nofission": Whole}[t.Text]
		if rest := r.peek(); rest.Kind != token.End {
			r.problem(rest, "'"+rest.Text+"' stands behind '"+t.Text+"'", "remove it")
		}
		return
	case t.IsName("data"), t.IsName("end") && r.peek().IsName("data"), t.IsName("enddata"):
		r.out.Role = Passive
		if t.IsName("data") {
			r.out.Data = r.portableData()
			return
		}
		r.out.Data = &Data{Kind: "end"}
		if t.Text == "end" {
			r.next()
		}
		if rest := r.peek(); rest.Kind != token.End {
			r.problem(rest, "'"+rest.Text+"' stands behind 'end data'", "remove it")
		}
		return
	}
	r.out.Role = Unsupported
	remedy := "write parallel, nofission, data, end data, off or on"
	if near := spelling.Nearest(t.Text, []string{"parallel", "nofission", "data", "off", "on"}); near != "" && t.Text != "" {
		remedy = "did you mean '" + near + "'?"
	}
	r.problem(t, "'"+t.Text+"' is no directive of !$portable", remedy)
}

var ompClauses = map[string]shape{"private": names, "firstprivate": names, "lastprivate": names, "reduction": operators, "collapse": number,
	"schedule": anything, "num_threads": anything, "default": anything, "shared": anything, "if": anything, "map": anything, "device": anything,
	"nowait": alone, "proc_bind": anything, "simdlen": anything, "safelen": anything, "aligned": anything, "nontemporal": anything,
	"thread_limit": anything, "num_teams": anything, "dist_schedule": anything, "order": anything, "bind": anything, "is_device_ptr": anything,
	"has_device_addr": anything, "defaultmap": anything, "uses_allocators": anything, "allocate": anything, "depend": refuse, "ordered": maybe,
	"linear": refuse, "copyin": refuse, "in_reduction": refuse}

// omp reads !$omp.
func (r *reader) omp() {
	if t := r.peek(); t.IsName("threadprivate") {
		r.next()
		inside, _ := r.inside()
		r.out.Role = Private
		for i, w := range inside {
			switch {
			case w.Kind == token.Name && i > 0 && inside[i-1].Is("/"):
				r.out.Names = append(r.out.Names, "/"+w.Text+"/")
			case w.Kind == token.Name:
				r.out.Names = append(r.out.Names, w.Text)
			}
		}
		return
	}
	w := r.words(ompClauses)
	has := func(word string) bool { return slices.Contains(w, word) }
	if len(w) == 0 {
		return
	}
	r.out.Directive.Target = has("target")
	if w[0] == "end" {
		r.out.Role, r.out.Region = Close, region(w[1:])
		if has("do") || has("loop") || has("distribute") || has("taskloop") || has("simd") || has("data") {
			r.out.Role, r.out.EndsLoop = Passive, !has("data") // the tree knows the loop's end
		}
		if has("data") && has("target") {
			r.out.Data = &Data{Kind: "end"}
		}
		return
	}
	loop := has("do") || has("loop")
	region := has("parallel") || has("teams") || has("target")
	switch {
	case region && (loop || has("distribute") || has("simd")):
		r.out.Role = Loop
		if has("ordered") {
			r.problem(r.line.Tokens[0], "'ordered' is not taken: it gives the iterations an order", "remove it")
		}
		r.clauses(ompClauses)
	case loop || has("distribute") || has("taskloop"):
		r.out.Role = Inner
		r.clauses(ompClauses)
	case w[0] == "simd":
		r.clauses(ompClauses)
		r.out.Role, r.out.Problems = Simd, nil // it stays, and compilers say what is wrong in it
	case w[0] == "declare":
	case has("data"):
		if w[0] == "target" {
			r.out.Data = r.ompData(dataKind(w))
		}
	case slices.Contains([]string{"parallel", "target", "teams", "single", "master", "masked", "task", "sections", "workshare", "critical", "ordered", "taskgroup"}, w[0]):
		if w[0] == "target" && len(w) > 1 && w[1] == "update" {
			r.out.Data = r.ompData("update")
			return
		}
		r.begin(w, ompClauses)
	}
}

// begin reads the clauses of a region; compilers say what is wrong in them.
func (r *reader) begin(words []string, known map[string]shape) {
	r.clauses(known)
	r.out.Role, r.out.Region = Begin, region(words)
	r.out.Odd, r.out.Problems = len(r.out.Problems) > 0, nil
}

func region(words []string) string {
	if len(words) == 0 {
		return ""
	}
	return strings.Join(words, " ")
}

var accClauses = map[string]shape{"private": names, "firstprivate": names, "reduction": operators, "collapse": number, "gang": maybe, "worker": maybe,
	"vector": maybe, "seq": alone, "auto": alone, "independent": alone, "tile": anything, "num_gangs": anything, "num_workers": anything,
	"vector_length": anything, "async": maybe, "wait": maybe, "copy": anything, "copyin": anything, "copyout": anything, "create": anything,
	"present": anything, "deviceptr": anything, "no_create": anything, "attach": anything, "default": anything, "if": anything, "self": maybe,
	"device_type": anything, "dtype": anything, "pcopy": anything, "pcopyin": anything, "pcopyout": anything, "pcreate": anything,
	"present_or_copy": anything, "present_or_copyin": anything, "present_or_copyout": anything, "present_or_create": anything}

// acc reads !$acc.
func (r *reader) acc() {
	if t := r.peek(); t.IsName("update") {
		r.next()
		r.out.Data = r.accData("update")
		return
	}
	w := r.words(accClauses)
	has := func(word string) bool { return slices.Contains(w, word) }
	if len(w) == 0 {
		return
	}
	compute := has("parallel") || has("kernels") || has("serial")
	switch {
	case w[0] == "end" && compute && !has("loop"):
		r.out.Role, r.out.Region = Close, region(w[1:])
	case w[0] == "end":
		r.out.EndsLoop = has("loop")
		if len(w) == 2 && w[1] == "data" {
			r.out.Data = &Data{Kind: "end"}
		}
	case has("data"):
		r.out.Data = r.accData(dataKind(w))
	case compute && has("loop"):
		r.out.Role = Loop
		r.clauses(accClauses)
	case compute:
		r.begin(w, accClauses)
	case w[0] == "loop":
		r.out.Role = Inner
		r.clauses(accClauses)
	}
}

// dataKind is what a directive with these words does.
func dataKind(words []string) string {
	for _, w := range words {
		if w == "enter" || w == "exit" {
			return w
		}
	}
	return "data"
}
