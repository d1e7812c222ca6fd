package exec

// This file refuses launches of kernel objects on CUDA devices. C (exec/device/cuda_launch.c)
// passes the facts of a launch that it refuses; capi/exports_device.go makes DeviceLaunch of them.

import "libportable/internal/outside"

// DeviceLaunch is a launch of a kernel object on a CUDA device that is not ordinary. A field that was not known when the launch
// failed is 0; sizes are in bytes.
type DeviceLaunch struct {
	Call, Label                string
	Device, Named              int // the device; the other one that the launch names with a stream of this one
	DeviceName                 string
	NoArguments                bool // args is NULL, but the kernel has a block
	View                       *DeviceView
	Division                   *DeviceDivision // nil: none
	Threads, MostThreads       int64           // those asked for, 0: the default; those that the kernel may have
	Registers                  int
	Shared, MostShared, Static int64 // dynamic memory of a block, all that it may have, and what the kernel declares
	Entry                      string
	Takes, Has                 int64  // bytes of the parameters
	Space, Block               uint64 // of these, the launch space and the argument block
	End                        uint64 // where the last declared argument ends in the block
	ByPointer                  bool   // the entry gets a pointer to the block
}

// DeviceView is an argument that is a view of another rank than the declared one.
type DeviceView struct {
	Argument       int // from 1
	Name           string
	Rank, Declared int
}

// Refusal repeats the checks of a launch in their order; nil: the launch is ordinary.
func (l *DeviceLaunch) Refusal() error {
	refuse := func(format string, args ...any) error {
		return refuseDevice(DeviceArgument, "%s '%s': "+format, append([]any{l.Call, outside.Clean(l.Label)}, args...)...)
	}
	switch {
	case l.Named != 0 && l.Named != l.Device:
		return refuse("the stream is one of device %d (%s), the launch names device %d; name one of them", l.Device, l.DeviceName, l.Named)
	case l.NoArguments:
		return refuse("args is NULL")
	case l.View != nil && l.View.Rank != l.View.Declared:
		name := ""
		if l.View.Name != "" {
			name = " ('" + outside.Clean(l.View.Name) + "')"
		}
		return refuse("argument %d%s is a view of rank %d, and is declared as one of rank %d; portable_view_of and portable_view_make make views",
			l.View.Argument, name, l.View.Rank, l.View.Declared)
	case l.Division != nil && l.Division.refusal(l.DeviceName, l.Registers, l.MostThreads) != "":
		return refuse("%s", l.Division.refusal(l.DeviceName, l.Registers, l.MostThreads))
	case l.Threads != 0 && (l.Threads < 1 || l.Threads > l.MostThreads):
		return refuse("blocks of %d threads are asked for (block_size); on '%s' the kernel, with %d registers, may have 1 to %d",
			l.Threads, l.DeviceName, l.Registers, l.MostThreads)
	case l.MostShared > 0 && l.Shared > l.MostShared-l.Static:
		return refuse("a block asks for %d bytes of shared memory as well as the %d that the kernel declares; '%s' has %d in all; ask for less "+
			"scratch, or take an array of the pool before the launch and give each block a part", l.Shared, l.Static, l.DeviceName, l.MostShared)
	case !l.parametersFit():
		pointer := ""
		if l.ByPointer {
			pointer = ", as a pointer to it"
		}
		return refuse("the parameters of its entry '%s' take %d bytes; the launch has %d: a portable_launch_space of %d, then the argument block "+
			"of %d bytes%s; the entry has other arguments than the launch", outside.Clean(l.Entry), l.Takes, l.Has, l.Space, l.Block, pointer)
	}
	return nil
}

// parametersFit: separate parameters end where the last one does, a structure at a multiple of its alignment, which is at most 16 bytes. A pointer to
// the block is one parameter.
func (l *DeviceLaunch) parametersFit() bool {
	padding := l.Has - l.Takes
	return l.Takes == 0 || padding == 0 || !l.ByPointer && padding > 0 && padding < 16 && uint64(l.Takes) >= l.Space+l.End
}

// DeviceUnknown refuses a device without a driver.
func DeviceUnknown(call, label string, device int, name string) error {
	if label != "" {
		call += " of '" + outside.Clean(label) + "'"
	}
	return refuseDevice(DeviceMissing, "%s: device %d ('%s') is not a device of CUDA, HIP or OpenCL", call, device, name)
}
