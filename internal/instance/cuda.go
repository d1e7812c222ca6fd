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
	anyDevice  = "auto" // a cuda device where there is one, else threads
	cudaDevice = "cuda" // the one of the local rank
)

// cudaNamed is a device of the driver. What reaches it by Go is a kernel of the host, which the team runs.
type cudaNamed struct {
	host.Threads
	name string
}

func (d cudaNamed) Name() string { return d.name }

// asksForCuda says whether a name is for the driver to answer.
func asksForCuda(name string) bool {
	name = strings.ToLower(strings.TrimSpace(name))
	number, indexed := strings.CutPrefix(name, cudaDevice+":")
	_, err := strconv.Atoi(number)
	return name == cudaDevice || name == anyDevice || indexed && err == nil
}

// openCudaLocked looks for devices when the program or its environment asks for one. Nobody who does not pays for it.
func (in *Instance) openCudaLocked(q Request) {
	if in.devices.Load() != nil {
		return // their numbers are given
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

// lookLocked opens the driver; why it finds nothing is kept for the message.
func (in *Instance) lookLocked() {
	in.cudas, in.cudaWhy = cuda.Open()
}

// cudaList are the devices that were found, which come after all others.
func (in *Instance) cudaList() (list []backend.Device) {
	for i := range in.cudas {
		list = append(list, cudaNamed{name: cuda.Name(i)})
	}
	return list
}

// resolve makes the name of a device of the words that ask for any: of several each rank on a node takes another one.
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

// missing says, behind the message that there is no such device, why, and which there are.
func (in *Instance) missing(name string) string {
	why := ""
	if in.cudaWhy != nil && asksForCuda(name) {
		why = ": " + strings.TrimPrefix(in.cudaWhy.Error(), backend.ErrNoDevice.Error()+": ")
	}
	return why + "; there are " + join(in.deviceNames()) + exec.Hint(name)
}

// chooseLocked names the device that the words for the driver's devices mean, or says why there is none. Of what the program itself asks
// for checkRequest has spoken.
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

// FindDevice gives the number of a device; the driver's are looked for when somebody asks for one, and added to the others.
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

// addCudaLocked looks for devices, where none were found yet, and adds them to the others.
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

// leaveCudaLocked gives the contexts back, with which all memory goes that was taken in them: after the pools.
func (in *Instance) leaveCudaLocked() {
	cuda.Release()
	in.cudas = 0
}

// numberLocked tells C the names of all devices, of which those from `first` on are the driver's.
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
