//go:build portable_test_hooks

package team

/*
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include "devices.h"
#include "fibre.h"

// A device that makes a thread for each worker of a launch; it may forget the last one, or count wrongly.
struct sample {
	int32_t workers, forgets;
	struct part { void *work; int32_t worker; pthread_t thread; } parts[16];
};

static void *sample_part(void *p) {
	struct part *part = p;
	portable_device_share(part->work, part->worker);
	return NULL;
}

static int32_t sample_workers(void *payload) { return ((struct sample *)payload)->workers; }

static void sample_run(int32_t workers, void *work, void *payload) {
	int32_t forgets = ((struct sample *)payload)->forgets;
	struct sample s; // launches may come from several threads
	for (int32_t w = 1; w < workers - forgets; w++) {
		s.parts[w] = (struct part){.work = work, .worker = w};
		pthread_create(&s.parts[w].thread, NULL, sample_part, &s.parts[w]);
	}
	portable_device_share(work, 0);
	portable_device_share(work, workers); // there is none of this number
	for (int32_t w = 1; w < workers - forgets; w++) pthread_join(s.parts[w].thread, NULL);
}

static int sample_add(char *name, int32_t workers, int32_t forgets) {
	static struct sample samples[PORTABLE__DEVICES_MAX];
	static int made;
	struct sample *s = &samples[made % PORTABLE__DEVICES_MAX];
	portable_host_device d = PORTABLE_HOST_DEVICE_INIT;
	s->workers = workers;
	s->forgets = forgets;
	d.name = name;
	d.workers = sample_workers;
	d.run = sample_run;
	d.payload = s;
	int added = portable__device_add(&d);
	made += added > 0;
	return added;
}
*/
import "C"

import "unsafe"

// Small doors to C for tests, which cannot import C themselves.

// AddSample registers a device of pthreads; forgets: how many workers it forgets. 1; 0: the name is taken; -1: no room.
func AddSample(name string, workers, forgets int) int {
	text := C.CString(name)
	defer C.free(unsafe.Pointer(text))
	return int(C.sample_add(text, C.int32_t(workers), C.int32_t(forgets)))
}

// DevicesNow remembers the devices there are; the function it gives forgets those that came since.
func DevicesNow() (restore func()) {
	n := C.portable__device_own_count()
	return func() { C.portable__device_keep(n) }
}

// space is an index space as C gets it.
type space struct {
	fortran              bool
	lower, upper, stride []int64
	grain                int64 // 0: parts begin anywhere
}

// box is a tile as C gives it.
type box struct{ lower, upper []int64 }

// cut gives the boxes of each of the parts of a space; why is what C says is wrong. leaf > 0: units of about that size, < 0: of at most -leaf; else
// as a launch would have them.
func cut(s space, tile []int64, workers int, leaf int64) (parts [][]box, why int) {
	var b C.portable_bounds
	b.struct_size = C.sizeof_portable_bounds
	b.rank = C.int32_t(len(s.lower))
	if s.fortran {
		b.order = C.PORTABLE_ORDER_FORTRAN
	}
	for d := range s.lower {
		b.lower[d], b.upper[d], b.stride[d] = C.int64_t(s.lower[d]), C.int64_t(s.upper[d]), C.int64_t(s.stride[d])
	}
	var c C.struct_portable__cut
	if why = int(C.portable__cut_space(&b, &c)); why != 0 {
		return nil, why
	}
	if s.grain > 0 {
		c.grain = C.int64_t(s.grain)
	}
	var wanted [C.PORTABLE_LOOP_RANK]C.int64_t
	for d, n := range tile {
		wanted[d] = C.int64_t(n)
	}
	if leaf > 0 {
		C.portable__cut_leaves(&c, C.int64_t(leaf))
	} else if leaf < 0 {
		C.portable__cut_chunks(&c, C.int64_t(-leaf))
	} else {
		C.portable__cut_units(&c, &wanted[0], C.int32_t(workers))
	}
	for w := range workers {
		var part []box
		var from, to C.int64_t
		C.portable__cut_share(c.units, C.int32_t(w), C.int32_t(workers), &from, &to)
		for from < to {
			var t C.portable_tile
			from += C.portable__cut_box(&c, from, to, &t)
			one := box{}
			for d := range s.lower {
				one.lower = append(one.lower, int64(t.lower[d]))
				one.upper = append(one.upper, int64(t.upper[d]))
			}
			part = append(part, one)
		}
		parts = append(parts, part)
	}
	return parts, 0
}

// SwitchRefused is the reason for which stacks cannot be switched where the processor's shadow stack is at this address, 0: there is none; and that of
// the calling thread.
func SwitchRefused(shadow uint64) (why, here string) {
	text := func(shadow C.uint64_t) string {
		if t := C.portable__fibre_lacks(shadow); t != nil {
			return C.GoString(t)
		}
		return ""
	}
	return text(C.uint64_t(shadow)), text(C.portable__fibre_shadow())
}
