package main

import "strings"

// This file holds the patterns of share/portable.supp, valgrind's suppressions for Go inside a user's
// program: memcheck wants an entry for each size of access, helgrind one for each function.

// suppressions is the data of portable.supp.tmpl.
func suppressions() any {
	return struct{ Memory, Accesses, Races []string }{
		Memory:   []string{"runtime.*", "internal/*", "libportable/*", "indexbytebody"}, // the last one looks for the end of a text of C, in wide words
		Accesses: strings.Fields("Cond Value4 Value8 Value16 Addr1 Addr4 Addr8 Addr16 Addr32"),
		Races: strings.Fields(`runtime* log.* libportable/* main.* internal/* gorgonia.org/* github.com/*
			sync* os.* type:* reflect.* fmt.* time.* syscall.* slices.* strings.* strconv.* unicode* errors.* io/* io.* path/* path.* math.* math/*
			iter.* embed.* hash* encoding/* bytes.*
			aeshashbody cmpbody countbody indexbody indexbytebody memeqbody crosscall* _rt0_* gogo gosave_systemstack_switch _cgo* x_cgo_*
			portable_* alloc_otherwise free_otherwise`),
	}
}
