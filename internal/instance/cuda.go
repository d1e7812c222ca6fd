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

// The words that ask for a device without naming one.
const (
	anyDevice  = "auto" // a cuda device if there is one, else threads
	cudaDevice = "cuda" // the device of the local rank
)

// cudaNamed is a device of the driver. Launches that come by Go run as host kernels on the team.
type cudaNamed struct {
	host.Threads
	name string
}

func (d cudaNamed) Name() string { return d.name }

// asksForCuda says whether the driver knows the devices of this name.
func asksForCuda(name string) bool {
	name = strings.ToLower(strings.TrimSpace(name))
	number, indexed := strings.CutPrefix(name, cudaDevice+":")
	_, err := strconv.Atoi(number)
	return name == cudaDevice || name == anyDevice || indexed && err == nil
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
	if asksForCuda(asked) {
		in.lookLocked()
	}
}

// lookLocked opens the driver. If it finds no device, the reason is kept for the message.
func (in *Instance) lookLocked() {
	in.cudas, in.cudaWhy = cuda.Open()
}

// cudaList returns the devices found; they follow all others.
func (in *Instance) cudaList() (list []backend.Device) {
	for i := range in.cudas {
		list = append(list, cudaNamed{name: cuda.Name(i)})
	}
	return list
}

// resolve replaces a word that asks for any device by a device's name: of several devices each rank of a node takes
// another one.
func (in *Instance) resolve(name string) string {
	switch strings.ToLower(strings.TrimSpace(name)) {
	case anyDevice:
		if in.cudas == 0 {
			return "threads"
		}
	case cudaDevice:
		if in.cudas == 0 {
			return name
		}
	default:
		return name
	}
	return cuda.Name(max(in.Rank().Local, 0) % in.cudas)
}

// missing completes the message "no such device": the reason, and the list of devices.
func (in *Instance) missing(name string) string {
	why := ""
	if in.cudaWhy != nil && asksForCuda(name) {
		why = ": " + strings.TrimPrefix(in.cudaWhy.Error(), backend.ErrNoDevice.Error()+": ")
	}
	return why + "; there are " + join(in.deviceNames()) + exec.Hint(name)
}

// chooseLocked replaces the words that ask for a device of the driver by its name, or warns with the reason why there
// is no device. checkRequest has already refused such words in the program's own request.
func (in *Instance) chooseLocked(l *Launching, warnings []string) []string {
	if !asksForCuda(l.Device) {
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
	if !asksForCuda(name) {
		return devices.Find(name)
	}
	in.mu.Lock()
	defer in.mu.Unlock()
	if devices = in.devices.Load(); devices == nil {
		return 0, notRunning()
	}
	in.addCudaLocked(devices)
	n, err := devices.Find(in.resolve(name))
	if err != nil {
		err = fmt.Errorf("%w: \"%s\"%s", exec.ErrNoDevice, outside.Value(name), in.missing(name))
	}
	return n, err
}

// addCudaLocked looks for devices, unless some were found before, and adds them to the others.
func (in *Instance) addCudaLocked(devices *exec.Devices) {
	if in.cudas > 0 {
		return
	}
	in.lookLocked()
	if in.cudas > 0 {
		first := devices.Count() + 1
		list := in.cudaList()
		in.numberLocked(slices.Concat(devices.Names(), namesOf(list)), first)
		devices.Append(list)
	}
}

// leaveCudaLocked releases the contexts, and with them all memory taken in them. The pools end before.
func (in *Instance) leaveCudaLocked() {
	cuda.Release()
	in.cudas = 0
}

// numberLocked passes the names of all devices to C. Those from `first` on are the driver's.
func (in *Instance) numberLocked(names []string, first int) {
	if in.fronts.Named != nil {
		in.fronts.Named(names)
	}
	if in.cudas > 0 {
		cuda.Number(first)
	}
}

func namesOf(list []backend.Device) (names []string) {
	for _, d := range list {
		names = append(names, d.Name())
	}
	return names
}
