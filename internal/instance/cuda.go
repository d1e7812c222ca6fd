package instance

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"libportable/exec"
	"libportable/internal/backend"
	"libportable/internal/backend/cuda"
	"libportable/internal/backend/host"
	"libportable/internal/outside"
	"libportable/internal/settings"
)

// anyDevice asks for a GPU of NVIDIA or AMD if there is one, else threads. The name of a driver asks for its device of the local rank.
const anyDevice = "auto"

// cudaNamed is a device of the driver. Launches that come by Go run as host kernels on the team.
type cudaNamed struct {
	host.Threads
	name string
}

func (d cudaNamed) Name() string { return d.name }

// asksForCuda returns the drivers that know the devices of this name, in the order in which they are asked.
func asksForCuda(name string) []cuda.Interface {
	name = strings.ToLower(strings.TrimSpace(name))
	if name == anyDevice {
		return cuda.Automatic
	}
	for _, driver := range cuda.Interfaces {
		number, indexed := strings.CutPrefix(name, driver.String()+":")
		if _, err := strconv.Atoi(number); name == driver.String() || indexed && err == nil {
			return []cuda.Interface{driver}
		}
	}
	return nil
}

// openCudaLocked looks for devices if the program or its environment asks for one. Other programs pay nothing.
func (in *Instance) openCudaLocked(q Request) {
	if in.devices.Load() != nil {
		return // their numbers are fixed by now
	}
	in.cudaWhy = nil
	asked := q.Device
	if asked == "" {
		asked, _ = in.env.Lookup(settings.Device)
	}
	in.lookLocked(asksForCuda(asked))
}

// lookLocked opens drivers until one has a device. If there is none, the reasons are kept for the message.
func (in *Instance) lookLocked(drivers []cuda.Interface) {
	in.cudaWhy = nil
	for _, driver := range drivers {
		_, err := cuda.Open(driver)
		in.cudas = cuda.Names()
		if err == nil {
			in.cudaWhy = nil
			return
		}
		if in.cudaWhy == nil { // of several the first driver, which most machines have
			in.cudaWhy = err
		}
	}
}

// cudaList returns the devices found; they follow all others.
func (in *Instance) cudaList() (list []backend.Device) {
	for _, name := range in.cudas {
		list = append(list, cudaNamed{name: name})
	}
	return list
}

// resolve replaces a word that asks for any device by a device's name: of several devices each rank of a node takes
// another one.
func (in *Instance) resolve(name string) string {
	word := strings.ToLower(strings.TrimSpace(name))
	for _, driver := range asksForCuda(name) {
		if word != anyDevice && word != driver.String() {
			return name // it names one
		}
		var own []string
		for _, device := range in.cudas {
			if strings.HasPrefix(device, driver.String()+":") {
				own = append(own, device)
			}
		}
		if len(own) > 0 {
			return own[max(in.Rank().Local, 0)%len(own)]
		}
	}
	if word == anyDevice {
		return "threads"
	}
	return name
}

// missing completes the message "no such device": the reason, and the list of devices.
func (in *Instance) missing(name string) string {
	why := ""
	if in.cudaWhy != nil && asksForCuda(name) != nil {
		why = ": " + strings.TrimPrefix(in.cudaWhy.Error(), backend.ErrNoDevice.Error()+": ")
	}
	return why + "; there are " + join(in.deviceNames()) + exec.Hint(name)
}

// chooseLocked replaces the words that ask for a device of the driver by its name, or warns with the reason why there
// is no device. checkRequest has already refused such words in the program's own request.
func (in *Instance) chooseLocked(l *Launching, warnings []string) []string {
	if asksForCuda(l.Device) == nil {
		return warnings
	}
	asked := l.Device
	if l.Device = fold(in.deviceNames(), in.resolve(asked)); l.Device == "" {
		l.Device = "threads"
		warnings = append(warnings, fmt.Sprintf("%s=%s: there is no such device%s; using %s", settings.Device, outside.Value(asked), in.missing(asked), l.Device))
	}
	return warnings
}

// FindDevice returns the number of a device. The first question for a device of the driver looks for them and adds them
// to the others.
func (in *Instance) FindDevice(name string) (int, error) {
	devices, err := in.Devices()
	if err != nil {
		return 0, err
	}
	drivers := asksForCuda(name)
	if drivers == nil {
		return devices.Find(name)
	}
	in.mu.Lock()
	defer in.mu.Unlock()
	if devices = in.devices.Load(); devices == nil {
		return 0, notRunning()
	}
	in.addCudaLocked(devices, drivers)
	n, err := devices.Find(in.resolve(name))
	if err != nil {
		err = fmt.Errorf("%w: \"%s\"%s", exec.ErrNoDevice, outside.Value(name), in.missing(name))
	}
	return n, err
}

// addCudaLocked looks for devices of drivers in which none was found before, and adds them to the others.
func (in *Instance) addCudaLocked(devices *exec.Devices, drivers []cuda.Interface) {
	before := len(in.cudas)
	for _, driver := range drivers {
		if slices.ContainsFunc(in.cudas, func(name string) bool { return strings.HasPrefix(name, driver.String()+":") }) {
			in.cudaWhy = nil // it has devices: only the number is wrong
			return
		}
	}
	in.lookLocked(drivers)
	if len(in.cudas) > before {
		first := devices.Count() + 1 - before
		list := in.cudaList()[before:]
		in.numberLocked(slices.Concat(devices.Names(), namesOf(list)), first)
		devices.Append(list)
	}
}

// leaveCudaLocked releases the contexts, and with them all memory taken in them. The pools end before.
func (in *Instance) leaveCudaLocked() {
	cuda.Release()
	in.cudas = nil
}

// numberLocked passes the names of all devices to C. Those from `first` on are the driver's.
func (in *Instance) numberLocked(names []string, first int) {
	if in.fronts.Named != nil {
		in.fronts.Named(names)
	}
	if len(in.cudas) > 0 {
		cuda.Number(first)
	}
}

func namesOf(list []backend.Device) (names []string) {
	for _, d := range list {
		names = append(names, d.Name())
	}
	return names
}
