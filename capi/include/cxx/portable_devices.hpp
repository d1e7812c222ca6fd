// portable_devices.hpp - what devices there are and what they are like, from C++. Part of portable.hpp; include that. portable_devices.h tells the rest.
#ifndef PORTABLE_DEVICES_HPP
#define PORTABLE_DEVICES_HPP

#ifndef PORTABLE_HPP
#error "include portable.hpp, which includes this"
#endif

namespace portable {

// The number of a device by its name, as PORTABLE_DEVICE takes it: "threads", "cuda", "cuda:1".
// Errors: Error with ERR_NODEVICE (the text lists the devices), ERR_STATE.  Since: 0.1
inline portable_device find_device(const std::string &name) {
  portable_device device = 0;
  check(portable_device_find(name.c_str(), &device));
  return device;
}

// Properties of a device; 0: the default one.
// Errors: Error with ERR_NODEVICE, ERR_STATE, ERR_FORK.  Since: 0.1
inline portable_device_properties device_properties(portable_device device = 0) {
  portable_device_properties p = PORTABLE_DEVICE_PROPERTIES_INIT;
  check(portable_device_properties_get(device, &p));
  return p;
}

// Bytes of a device's memory.  Since: 0.1
struct DeviceMemory {
  std::uint64_t free, total;
};

// Free bytes of a device's memory, and all its bytes; 0: the default one.
// Errors: Error with ERR_NODEVICE, ERR_STATE, ERR_FORK, ERR_DEVICE.  Since: 0.1
inline DeviceMemory device_memory(portable_device device = 0) {
  DeviceMemory m = {0, 0};
  check(portable_device_memory_info(device, &m.free, &m.total));
  return m;
}

} // namespace portable

#endif
