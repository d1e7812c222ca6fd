//go:build cuda

package cuda

/*
#include "devices.h"
*/
import "C"

import (
	"fmt"

	"gorgonia.org/cu"
)

// Built says whether this build can use devices.
const Built = true

// oldest is the oldest CUDA version of a driver: it has the interface of memory pools and of NVRTC's PTX.
const oldest = 11000

// Attributes without a name in gorgonia.org/cu; see cuda_attributes.h.
const (
	maxBlocksPerMultiprocessor = cu.DeviceAttribute(106)
	sharedOptIn                = cu.DeviceAttribute(97)
	cooperativeLaunch          = cu.DeviceAttribute(95)
	memoryPools                = cu.DeviceAttribute(115)
	hostPageTables             = cu.DeviceAttribute(100)
)

func look() (int, error) {
	if err := driver(); err != nil {
		return 0, err
	}
	version := cu.Version()
	if version >= 0 && version < oldest {
		return 0, none(fmt.Sprintf("the driver is too old: it is of CUDA %d.%d, and %d.%d or newer is needed", version/1000, version%1000/10,
			oldest/1000, oldest%1000/10))
	}
	n, err := cu.NumDevices()
	if err != nil {
		return 0, none(fmt.Sprintf("the driver does not count its devices: %v", err))
	}
	if n == 0 {
		return 0, none("the driver finds no device (does CUDA_VISIBLE_DEVICES hide it?)")
	}
	var facts [Most]C.struct_portable__cuda_facts
	var ordinals [Most]C.int32_t
	n = min(n, Most)
	for i := range n {
		d, err := cu.GetDevice(i)
		if err == nil {
			err = ask(d, &facts[i])
		}
		if err != nil {
			return 0, none(fmt.Sprintf("the driver does not describe %s: %v", Name(i), err))
		}
		facts[i].driver_version = C.int32_t(version)
		ordinals[i] = C.int32_t(d)
	}
	C.portable__cuda_found(C.int32_t(n), &facts[0], &ordinals[0])
	return n, nil
}

// ask reads the facts of a device. Facts that an older driver does not know are 0.
func ask(d cu.Device, f *C.struct_portable__cuda_facts) error {
	name, err := d.Name()
	if err != nil {
		return err
	}
	memory, err := d.TotalMem()
	if err != nil {
		return err
	}
	put(f.name[:], name)
	f.memory = C.uint64_t(memory)
	if id, err := d.UUID(); err == nil {
		put(f.uuid[:], "GPU-"+id.String())
	}
	domain, _ := d.Attribute(cu.PciDomainID)
	bus, _ := d.Attribute(cu.PciBusID)
	device, _ := d.Attribute(cu.PciDeviceID)
	put(f.pci[:], fmt.Sprintf("%04x:%02x:%02x.0", domain, bus, device))
	for _, a := range []struct {
		attribute cu.DeviceAttribute
		to        *C.int32_t
		needed    bool
	}{
		{cu.ComputeCapabilityMajor, &f.major, true},
		{cu.ComputeCapabilityMinor, &f.minor, true},
		{cu.MultiprocessorCount, &f.multiprocessors, true},
		{cu.WarpSize, &f.warp, true},
		{cu.MaxThreadsPerBlock, &f.max_threads_per_block, true},
		{cu.MaxSharedMemoryPerBlock, &f.max_shared_bytes, true},
		{cu.MaxBlockDimX, &f.max_block[0], true},
		{cu.MaxBlockDimY, &f.max_block[1], true},
		{cu.MaxBlockDimZ, &f.max_block[2], true},
		{cu.MaxGridDimX, &f.max_grid[0], true},
		{cu.MaxGridDimY, &f.max_grid[1], true},
		{cu.MaxGridDimZ, &f.max_grid[2], true},
		{cu.ConcurrentManagedAccess, &f.concurrent_managed, false},
		{cu.PageableMemoryAccess, &f.pageable, false},
		{hostPageTables, &f.host_pages, false},
		{cu.UnifiedAddressing, &f.unified, false},
		{cu.Integrated, &f.integrated, false},
		{cu.ManagedMemory, &f.managed, false},
		{cu.CanUseHostPointerForRegisteredMem, &f.host_registered, false},
		{memoryPools, &f.memory_pools, false},
		{cooperativeLaunch, &f.cooperative, false},
		{cu.ComputePreemptionSupported, &f.preemption, false},
		{cu.MaxThreadsPerMultiprocessor, &f.max_threads_per_multiprocessor, false},
		{maxBlocksPerMultiprocessor, &f.max_blocks_per_multiprocessor, false},
		{cu.MaxRegistersPerBlock, &f.registers_per_block, false},
		{cu.MaxRegistersPerMultiprocessor, &f.registers_per_multiprocessor, false},
		{sharedOptIn, &f.max_shared_bytes_opt_in, false},
		{cu.MaxSharedMemoryPerMultiprocessor, &f.shared_bytes_per_multiprocessor, false},
		{cu.L2CacheSize, &f.l2_bytes, false},
		{cu.MemoryClockRate, &f.memory_clock_khz, false},
		{cu.GlobalMemoryBusWidth, &f.memory_bus_bits, false},
		{cu.ClockRate, &f.clock_khz, false},
		{cu.AsyncEngineCount, &f.copy_engines, false},
		{cu.EccEnabled, &f.ecc, false},
		{cu.ComputeMode, &f.compute_mode, false},
	} {
		value, err := d.Attribute(a.attribute)
		if err != nil && a.needed {
			return err
		}
		if err == nil {
			*a.to = C.int32_t(value)
		}
	}
	return nil
}

// put writes a text with a zero at its end.
func put(to []C.char, text string) {
	n := min(len(text), len(to)-1)
	for i := range n {
		to[i] = C.char(text[i])
	}
	to[n] = 0
}
