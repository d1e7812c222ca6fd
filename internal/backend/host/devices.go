package host

import (
	"libportable/internal/backend"
	"libportable/internal/team"
)

// Serial runs everything on the thread that launches, in order.
type Serial struct{}

var _ backend.Device = Serial{}

func (Serial) Name() string { return "serial" }

func (Serial) Workers() int { return 1 }

func (Serial) Launch(w backend.Work) {
	each := w.Grain
	if each <= 0 {
		each = w.Units
	}
	for from := int64(0); from < w.Units && !w.Failed(); from += each {
		w.Run(0, from, min(from+each, w.Units))
	}
}

// Threads runs launches on the team. Launches of C's kernels that nobody watches go to it without passing here;
// see exec/launch/launch.c.
type Threads struct{}

var _ backend.Device = Threads{}

func (Threads) Name() string { return "threads" }

func (Threads) Workers() int { return team.Workers() }

func (Threads) Launch(w backend.Work) {
	team.Run(w.Label, w.Units, team.Workers(), w.Grain, func(worker int, from, to int64) {
		if !w.Failed() {
			w.Run(worker, from, to)
		}
	})
}

// Own runs launches on threads that the program has brought; see portable_device_host.h. Launches of C's kernels go to
// it without passing here.
type Own struct{ own team.Own }

var _ backend.Device = Own{}

// Owns are the devices that the program has brought. They have the numbers after serial and threads.
func Owns() (devices []backend.Device) {
	for _, own := range team.Owns() {
		devices = append(devices, Own{own})
	}
	return devices
}

// EmulatedName is the device with memory that the host does not reach; it is one of Owns once it was added.
const EmulatedName = team.EmulatedName

// Emulate adds it, once; Emulates says whether it is there.
func Emulate() error { return team.Emulate() }

// Emulates says whether the emulated device is there.
func Emulates() bool { return team.Emulates() }

func (o Own) Name() string { return o.own.Name() }

func (o Own) Workers() int { return o.own.Workers() }

func (o Own) Launch(w backend.Work) {
	o.own.Run(w.Label, w.Units, w.Grain, func(worker int, from, to int64) {
		if !w.Failed() {
			w.Run(worker, from, to)
		}
	})
}
