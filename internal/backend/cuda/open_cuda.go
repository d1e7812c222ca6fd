//go:build cuda

package cuda

/*
#include "devices.h"
#include "shim.h"
*/
import "C"

import (
	"fmt"
	"strings"

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

func look(of Interface) (int, error) {
	if err := driver(of); err != nil {
		return 0, err
	}
	version := cu.Version()
	if of == Cuda && version >= 0 && version < oldest {
		return 0, none(fmt.Sprintf("the driver is too old: it is of CUDA %d.%d, and %d.%d or newer is needed", version/1000, version%1000/10,
			oldest/1000, oldest%1000/10))
	}
	n, err := cu.NumDevices()
	if err != nil {
		return 0, none(fmt.Sprintf("the driver does not count its devices: %v", err))
	}
	if n == 0 {
		return 0, none(fmt.Sprintf("the driver finds no device (does %v_VISIBLE_DEVICES hide it?)", strings.ToUpper(of.String())))
	}
	var facts [Most]C.struct_portable__cuda_facts
	var ordinals [Most]C.int32_t
	n = min(n, Most-Count())
	for i := range n {
		d, err := cu.GetDevice(i)
		if err == nil {
			err = ask(of, d, &facts[i])
		}
		if err != nil {
			return 0, none(fmt.Sprintf("the driver does not describe %v:%d: %v", of, i, err))
		}
		facts[i].driver_version, facts[i].driver, facts[i].number = C.int32_t(version), C.int32_t(of), C.int32_t(i)
		ordinals[i] = C.int32_t(d)
	}
	C.portable__cuda_found(C.int32_t(n), &facts[0], &ordinals[0])
	return Count(), nil
}

// ask reads the facts of a device. Facts that an older driver does not know are 0.
func ask(of Interface, d cu.Device, f *C.struct_portable__cuda_facts) error {
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
	attribute := func(a cu.DeviceAttribute) (int, error) {
		if of == Hip {
			hip, there := hipAttributes[a]
			if !there {
				return 0, nil
			}
			a = hip
		}
		return d.Attribute(a)
	}
	domain, _ := attribute(cu.PciDomainID)
	bus, _ := attribute(cu.PciBusID)
	device, _ := attribute(cu.PciDeviceID)
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
		value, err := attribute(a.attribute)
		if err != nil && a.needed {
			return err
		}
		if err == nil {
			*a.to = C.int32_t(value)
		}
	}
	if of == Hip {
		adaptHip(int(d), f)
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

// hipAttributes are the numbers of hipDeviceAttribute_t in HIP 5 to 7 for those of CUDA. Attributes that are not here are 0 on an AMD device: their numbers
// differ between versions, or HIP has none.
var hipAttributes = map[cu.DeviceAttribute]cu.DeviceAttribute{
	cu.EccEnabled:                        0,
	cu.AsyncEngineCount:                  2,
	cu.CanUseHostPointerForRegisteredMem: 4,
	cu.ClockRate:                         5,
	cu.ComputeMode:                       6,
	cu.ComputePreemptionSupported:        7,
	cu.ConcurrentManagedAccess:           9,
	cooperativeLaunch:                    10,
	cu.Integrated:                        16,
	cu.L2CacheSize:                       19,
	cu.ComputeCapabilityMajor:            23,
	cu.ManagedMemory:                     24,
	maxBlocksPerMultiprocessor:           25,
	cu.MaxBlockDimX:                      26,
	cu.MaxBlockDimY:                      27,
	cu.MaxBlockDimZ:                      28,
	cu.MaxGridDimX:                       29,
	cu.MaxGridDimY:                       30,
	cu.MaxGridDimZ:                       31,
	cu.MaxThreadsPerBlock:                56,
	cu.MaxThreadsPerMultiprocessor:       57,
	cu.GlobalMemoryBusWidth:              59,
	cu.MemoryClockRate:                   60,
	cu.ComputeCapabilityMinor:            61,
	cu.MultiprocessorCount:               63,
	cu.PageableMemoryAccess:              65,
	hostPageTables:                       66,
	cu.PciBusID:                          67,
	cu.PciDeviceID:                       68,
	cu.PciDomainID:                       69,
	cu.MaxRegistersPerBlock:              71,
	cu.MaxRegistersPerMultiprocessor:     72,
	cu.MaxSharedMemoryPerBlock:           74,
	cu.UnifiedAddressing:                 85,
	cu.WarpSize:                          87,
	memoryPools:                          88,
	cu.MaxSharedMemoryPerMultiprocessor:  10002,
}

// mostThreads is the largest number of threads of a grid along one axis: HIP counts them in 32 bits.
const mostThreads = 1<<32 - 1

// adaptHip adds facts that HIP gives in another way.
func adaptHip(ordinal int, f *C.struct_portable__cuda_facts) {
	C.portable__hip_architecture(C.int(ordinal), &f.architecture[0], C.size_t(len(f.architecture)))
	for i, most := range f.max_block {
		f.max_grid[i] = min(f.max_grid[i], C.int32_t(mostThreads/max(int64(most), 1)))
	}
	f.max_shared_bytes_opt_in = f.max_shared_bytes
}
