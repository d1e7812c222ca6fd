package host

import (
	"libportable/internal/backend"
	"libportable/internal/team"
)

// Serial runs all units on the launching thread, in order.
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

// Threads runs launches on the team. Launches of C kernels without an observer go to the team directly;
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

// Own runs launches on the program's own threads; see portable_device_host.h. Launches of C kernels do not pass
// here.
type Own struct{ own team.Own }

var _ backend.Device = Own{}

// Owns returns the devices on the program's threads. They have the numbers after serial and threads.
func Owns() (devices []backend.Device) {
	for _, own := range team.Owns() {
		devices = append(devices, Own{own})
	}
	return devices
}

// EmulatedName is the device with memory that the host cannot access; once added it is one of Owns.
const EmulatedName = team.EmulatedName

// Emulate adds the emulated device; a second call does nothing.
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
