/* device.c - checks devices that the program brings, which are registered before Go runs. The team
 * runs their launches (internal/team/devices.c). Threads: any. */
#include <string.h>

#include "../../internal/team/devices.h"


static int is_word(const char *name) {
  size_t n = 0;
  for (; name[n]; n++)
    if (!((name[n] >= 'a' && name[n] <= 'z') || (n && ((name[n] >= '0' && name[n] <= '9') || strchr("_-:.", name[n]))))) return 0;
  return n > 0 && n < 32;
}

portable_status portable_device_register(const portable_host_device *device) {
  if (!device || device->struct_size != sizeof *device)
    return portable__fail(PORTABLE_ERR_ARG, "portable_device_register: %s", device ? "struct_size is wrong; begin with "
                          "PORTABLE_HOST_DEVICE_INIT" : "device is NULL");
  if (!device->name || !device->workers || !device->run)
    return portable__fail(PORTABLE_ERR_ARG, "portable_device_register: %s is NULL", !device->name ? "the name" : !device->workers ?
                          "workers" : "run");
  if (!is_word(device->name))
    return portable__fail(PORTABLE_ERR_ARG, "portable_device_register: the name '%.40s' is none; a name has 1 to 31 bytes: letters a to z, "
                          "and after the first one also digits and _ - : .", device->name);
  if (portable_is_initialized())
    return portable__fail(PORTABLE_ERR_STATE, "portable_device_register of '%s': the library runs already; register devices before "
                          "portable_init", device->name);
  int added = portable__device_add(device);
  if (added < 0)
    return portable__fail(PORTABLE_ERR_NOMEM, "portable_device_register of '%s': there are %d devices already", device->name,
                          PORTABLE__DEVICES_MAX);
  if (!added)
    return portable__fail(PORTABLE_ERR_ARG, "portable_device_register of '%s': there is a device of this name", device->name);
  return PORTABLE_OK;
}
