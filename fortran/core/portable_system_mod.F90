!> Devices and checks for Fortran: properties of a device, its free memory, the driver's own handles for NVIDIA's libraries,
!> names of status numbers, and which checks are on.
!>
!>     use portable_system_mod
!>     type(portable_device_t) :: gpu
!>     call portable_device_properties(find_device('cuda'), gpu)
!>     print *, trim(gpu%model), gpu%memory_bytes
!>
!> In this module: the above. Not in this module: which devices there are (portable_find_device of portable_core_mod), hooks
!> (portable_observe_mod), pools of a device's memory (portable_pool_mod).
!>
!> Rules: those of portable_core_mod. Devices are numbers as of portable_find_device, 0 is the default one; streams are
!> integer(int64). Units: bytes. Threads: any procedure may be called from any thread at any time. Since 0.1.
module portable_system_mod
  use, intrinsic :: iso_c_binding
  use, intrinsic :: iso_fortran_env, only: int64
  use gator_mod, only: gator_internal_finish, gator_internal_fail, gator_err_arg
  implicit none
  private

  public :: portable_device_properties, portable_device_memory, portable_device_native, portable_stream_native
  public :: portable_device_enqueue, portable_cuda_log, portable_status_name, portable_set_checks, portable_checks

  !> Kinds of devices: the host's processors; the same with memory that the host does not reach outside of kernels; an NVIDIA
  !> GPU; an AMD GPU; a device of a driver of OpenCL. Since 0.1.
  integer, parameter, public :: portable_device_host = 1, portable_device_emulated = 2, portable_device_cuda = 3, &
    portable_device_hip = 4, portable_device_opencl = 5

  !> Checks, to be added: of launches; of indices of arrays that are made while it is on; and those that only the environment
  !> switches on: of memory, sums of blocks, races. Since 0.1.
  integer, parameter, public :: portable_check_launch = 1, portable_check_arrays = 2, portable_check_memory = 4, &
    portable_check_hash = 8, portable_check_races = 16

  !> Properties of a device; those from max_threads_per_block on are 0, false or ' ' of a device of the host. Since 0.1.
  type, public :: portable_device_t
    !> portable_device_host, _emulated, _cuda or _hip.
    integer :: kind = 0
    !> As in PORTABLE_DEVICE: 'threads', 'cuda:0'; and the maker's name of it, ' ' where it is not known.
    character(len=64) :: name = '', model = ''
    !> All memory of it.
    integer(int64) :: memory_bytes = 0_int64
    !> Multiprocessors of a GPU; else how many threads a launch may use.
    integer :: parallelism = 0
    !> The host may touch managed memory while kernels run; kernels reach any memory of the host.
    logical :: concurrent_managed = .false., pageable_access = .false.
    integer :: max_threads_per_block = 0, warp_size = 0
    !> Without asking for more, and with.
    integer(int64) :: shared_bytes_per_block = 0_int64, shared_bytes_opt_in = 0_int64
    integer :: compute_major = 0, compute_minor = 0
    !> 12040 is 12.4.
    integer :: driver_version = 0
    !> It has no memory of its own.
    logical :: integrated = .false.
    character(len=16) :: pci = ''
    !> 'GPU-' and 36 characters, as nvidia-smi -L shows it.
    character(len=48) :: uuid = ''
  end type

  ! portable_device_properties.
  type, bind(c) :: c_properties
    integer(c_int32_t) :: struct_size = 0_c_int32_t
    integer(c_int32_t) :: kind = 0_c_int32_t
    character(kind=c_char) :: name(64) = c_null_char
    character(kind=c_char) :: model(64) = c_null_char
    integer(c_int64_t) :: memory_bytes = 0_c_int64_t
    integer(c_int32_t) :: parallelism = 0_c_int32_t
    integer(c_int32_t) :: concurrent_managed = 0_c_int32_t
    integer(c_int32_t) :: pageable_access = 0_c_int32_t
    integer(c_int32_t) :: max_threads_per_block = 0_c_int32_t
    integer(c_int32_t) :: warp_size = 0_c_int32_t
    integer(c_int64_t) :: shared_bytes_per_block = 0_c_int64_t
    integer(c_int64_t) :: shared_bytes_opt_in = 0_c_int64_t
    integer(c_int32_t) :: compute_major = 0_c_int32_t
    integer(c_int32_t) :: compute_minor = 0_c_int32_t
    integer(c_int32_t) :: driver_version = 0_c_int32_t
    integer(c_int32_t) :: integrated = 0_c_int32_t
    character(kind=c_char) :: pci(16) = c_null_char
    character(kind=c_char) :: uuid(48) = c_null_char
  end type

  interface
    function c_device_properties(device, out) result(status) bind(c, name='portable_device_properties_get')
      import :: c_int32_t, c_properties
      integer(c_int32_t), value :: device
      type(c_properties), intent(inout) :: out
      integer(c_int32_t) :: status
    end function

    function c_device_memory(device, free_bytes, total_bytes) result(status) bind(c, name='portable_device_memory_info')
      import :: c_int32_t, c_int64_t
      integer(c_int32_t), value :: device
      integer(c_int64_t), intent(out) :: free_bytes
      integer(c_int64_t), intent(out) :: total_bytes
      integer(c_int32_t) :: status
    end function

    function c_device_native(device, ordinal, context) result(status) bind(c, name='portable_device_native')
      import :: c_int32_t, c_ptr
      integer(c_int32_t), value :: device
      integer(c_int32_t), intent(out) :: ordinal
      type(c_ptr), intent(out) :: context
      integer(c_int32_t) :: status
    end function

    function c_stream_native(stream, native) result(status) bind(c, name='portable_stream_native')
      import :: c_int32_t, c_int64_t, c_ptr
      integer(c_int64_t), value :: stream
      type(c_ptr), intent(out) :: native
      integer(c_int32_t) :: status
    end function

    function c_device_enqueue(label, device, stream, enqueue, payload, payload_bytes) result(status) &
        bind(c, name='portable_device_enqueue')
      import :: c_int32_t, c_int64_t, c_size_t, c_char, c_ptr, c_funptr
      character(kind=c_char), intent(in) :: label(*)
      integer(c_int32_t), value :: device
      integer(c_int64_t), value :: stream
      type(c_funptr), value :: enqueue
      type(c_ptr), value :: payload
      integer(c_size_t), value :: payload_bytes
      integer(c_int32_t) :: status
    end function

    function c_cuda_log(label, label_bytes, text, room, needed) result(status) bind(c, name='portable__fortran_cuda_log')
      import :: c_int32_t, c_size_t, c_char
      character(kind=c_char), intent(in) :: label(*)
      integer(c_size_t), value :: label_bytes, room
      character(kind=c_char), intent(inout) :: text(*)
      integer(c_size_t), intent(out) :: needed
      integer(c_int32_t) :: status
    end function

    function c_status_name(code) result(name) bind(c, name='portable_status_name')
      import :: c_int32_t, c_ptr
      integer(c_int32_t), value :: code
      type(c_ptr) :: name
    end function

    function c_set_checks(checks) result(status) bind(c, name='portable_set_checks')
      import :: c_int32_t
      integer(c_int32_t), value :: checks
      integer(c_int32_t) :: status
    end function

    function c_checks() result(checks) bind(c, name='portable_checks')
      import :: c_int32_t
      integer(c_int32_t) :: checks
    end function
  end interface

contains

  !> Fills properties with those of a device. Errors: gator_err_nodevice, _state, _fork. Source: portable_device_properties_get
  !> of portable_devices.h. Since 0.1.
  recursive subroutine portable_device_properties(device, properties, stat, errmsg)
    integer, intent(in) :: device
    type(portable_device_t), intent(out) :: properties
    integer, optional, intent(out) :: stat
    character(*), optional, intent(inout) :: errmsg
    type(c_properties) :: p
    integer(c_int32_t) :: status
    p%struct_size = int(c_sizeof(p), c_int32_t)
    status = c_device_properties(int(device, c_int32_t), p)
    if (status == 0_c_int32_t) then
      properties%kind = int(p%kind)
      properties%name = text_of(p%name)
      properties%model = text_of(p%model)
      properties%memory_bytes = p%memory_bytes
      properties%parallelism = int(p%parallelism)
      properties%concurrent_managed = p%concurrent_managed /= 0_c_int32_t
      properties%pageable_access = p%pageable_access /= 0_c_int32_t
      properties%max_threads_per_block = int(p%max_threads_per_block)
      properties%warp_size = int(p%warp_size)
      properties%shared_bytes_per_block = p%shared_bytes_per_block
      properties%shared_bytes_opt_in = p%shared_bytes_opt_in
      properties%compute_major = int(p%compute_major)
      properties%compute_minor = int(p%compute_minor)
      properties%driver_version = int(p%driver_version)
      properties%integrated = p%integrated /= 0_c_int32_t
      properties%pci = text_of(p%pci)
      properties%uuid = text_of(p%uuid)
    end if
    call gator_internal_finish(status, 'portable_device_properties', stat, errmsg)
  end subroutine

  !> text becomes what the compiler of kernels has said of its last compilation of the label's version for devices, with
  !> warnings; '' where it has said nothing, the code came from the disk, or no launch has asked for it yet. Errors:
  !> gator_err_arg (portable_cuda_code has named no version for the label). Source: portable_kernel_cuda_log of
  !> portable_cuda.h. Since 0.1.
  recursive subroutine portable_cuda_log(label, text, stat, errmsg)
    character(*), intent(in) :: label
    character(:), allocatable, intent(out) :: text
    integer, optional, intent(out) :: stat
    character(*), optional, intent(inout) :: errmsg
    character(kind=c_char), allocatable :: chars(:)
    integer(c_size_t) :: needed, room, i
    integer(c_int32_t) :: status
    room = 4096_c_size_t
    do
      allocate (chars(room))
      status = c_cuda_log(label, len(label, kind=c_size_t), chars, room, needed)
      if (status /= 0_c_int32_t .or. needed <= room) exit
      deallocate (chars)
      room = needed ! another thread may have compiled it meanwhile
    end do
    if (status /= 0_c_int32_t) needed = 1_c_size_t
    allocate (character(len=needed - 1_c_size_t) :: text)
    do i = 1_c_size_t, needed - 1_c_size_t
      text(i:i) = chars(i)
    end do
    call gator_internal_finish(status, 'portable_cuda_log', stat, errmsg)
  end subroutine

  !> Free bytes of a device's memory, and all its bytes; of a device of the host those of the machine, or of the control group
  !> where that has less. Errors: gator_err_nodevice, _state, _fork, _device. Source: portable_device_memory_info of
  !> portable_devices.h. Since 0.1.
  recursive subroutine portable_device_memory(device, free_bytes, total_bytes, stat, errmsg)
    integer, intent(in) :: device
    integer(int64), intent(out) :: free_bytes
    integer(int64), optional, intent(out) :: total_bytes
    integer, optional, intent(out) :: stat
    character(*), optional, intent(inout) :: errmsg
    integer(c_int64_t) :: all_bytes
    integer(c_int32_t) :: status
    free_bytes = 0_int64
    all_bytes = 0_c_int64_t
    status = c_device_memory(int(device, c_int32_t), free_bytes, all_bytes)
    if (present(total_bytes)) total_bytes = all_bytes
    call gator_internal_finish(status, 'portable_device_memory', stat, errmsg)
  end subroutine

  !> The driver's own handles of a cuda device: its number (CUdevice) and its primary context (CUcontext), which the CUDA
  !> runtime and OpenACC use, too. Ownership: the library keeps the context until the last finalize; do not destroy it. Errors:
  !> gator_err_arg (a device of the host's), _nodevice, _state, _fork, _device. Source: portable_device_native of
  !> portable_devices.h. Since 0.1.
  recursive subroutine portable_device_native(device, ordinal, context, stat, errmsg)
    integer, intent(in) :: device
    integer, optional, intent(out) :: ordinal
    type(c_ptr), optional, intent(out) :: context
    integer, optional, intent(out) :: stat
    character(*), optional, intent(inout) :: errmsg
    integer(c_int32_t) :: number, status
    type(c_ptr) :: own
    number = -1_c_int32_t
    own = c_null_ptr
    status = c_device_native(int(device, c_int32_t), number, own)
    if (present(ordinal)) ordinal = int(number)
    if (present(context)) context = own
    call gator_internal_finish(status, 'portable_device_native', stat, errmsg)
  end subroutine

  !> The CUstream of a stream of a cuda device (the default one: portable_device_stream), for cuBLAS and others. Work that is
  !> put into it directly comes after all that the library has put in before, and before all that comes later. Ownership:
  !> borrowed until the stream is destroyed. Null after an error. Errors: gator_err_handle, _nodevice (a stream of another
  !> device). Source: portable_stream_native of portable_cuda.h. Since 0.1.
  recursive function portable_stream_native(stream, stat, errmsg) result(native)
    integer(int64), intent(in) :: stream
    integer, optional, intent(out) :: stat
    character(*), optional, intent(inout) :: errmsg
    type(c_ptr) :: native
    integer(c_int32_t) :: status
    native = c_null_ptr
    status = c_stream_native(stream, native)
    call gator_internal_finish(status, 'portable_stream_native', stat, errmsg)
  end function

  !> Puts work of the program's own into the stream of a cuda device, as one launch of the name label: in order, timed, shown to
  !> tools, with its error. enqueue is the c_funloc of a bind(c) function with the arguments native (type(c_ptr), value: the
  !> CUstream) and payload (type(c_ptr), value), which gives an integer(c_int32_t): 0, or a negative status (a number above 0 is
  !> gator_err_device). The device's context is current in it; it may be called later and on another thread, and calls nothing
  !> of this library. Optional: payload, handed on as it is, or with payload_bytes as a copy of so many bytes; device, stream
  !> (else the default ones). Errors: gator_err_arg, _handle, _nodevice (no cuda device), _nomem, _state, and what enqueue gives.
  !> Source: portable_device_enqueue of portable_cuda.h. Since 0.1.
  recursive subroutine portable_device_enqueue(label, enqueue, payload, payload_bytes, device, stream, stat, errmsg)
    character(*), intent(in) :: label
    type(c_funptr), value :: enqueue
    type(c_ptr), optional, intent(in) :: payload
    integer, optional, intent(in) :: payload_bytes, device
    integer(int64), optional, intent(in) :: stream
    integer, optional, intent(out) :: stat
    character(*), optional, intent(inout) :: errmsg
    type(c_ptr) :: handed
    integer(c_size_t) :: bytes
    integer(c_int32_t) :: number
    integer(c_int64_t) :: queue
    handed = c_null_ptr
    bytes = 0_c_size_t
    number = 0_c_int32_t
    queue = 0_c_int64_t
    if (present(payload)) handed = payload
    if (present(payload_bytes)) then
      if (payload_bytes < 0) then
        call gator_internal_fail(gator_err_arg, "portable_device_enqueue '"//trim(label)//"': payload_bytes is negative", stat, &
                                 errmsg)
        return
      end if
      bytes = int(payload_bytes, c_size_t)
    end if
    if (present(device)) number = int(device, c_int32_t)
    if (present(stream)) queue = stream
    call gator_internal_finish(c_device_enqueue(trim(label)//c_null_char, number, queue, enqueue, handed, bytes), &
                               'portable_device_enqueue', stat, errmsg)
  end subroutine

  !> The name of a number that stat= gives, as 'PORTABLE_ERR_NOMEM', or of a status of C, which is below 0. Works before
  !> portable_init. Source: portable_status_name of
  !> portable.h. Since 0.1.
  recursive function portable_status_name(stat) result(name)
    integer, intent(in) :: stat
    character(:), allocatable :: name
    integer, parameter :: longest = 64
    character(kind=c_char), pointer :: text(:)
    integer(c_int32_t) :: code
    integer :: i, length
    code = huge(code)
    if (stat >= -huge(code) .and. stat <= huge(code)) code = -abs(int(stat, c_int32_t))
    ! The pointer is wider than the text; no element behind the closing NUL is looked at.
    call c_f_pointer(c_status_name(code), text, [longest])
    length = 0
    do while (length < longest)
      if (text(length + 1) == c_null_char) exit
      length = length + 1
    end do
    allocate (character(len=length) :: name)
    do i = 1, length
      name(i:i) = text(i)
    end do
  end function

  !> Says which checks are on from the next launch on: portable_check_launch and portable_check_arrays, one, their sum or 0,
  !> whatever PORTABLE_CHECK says. The other checks stay as the environment has them; where they are on they may be in the sum.
  !> Works before portable_init. Errors: gator_err_arg (an unknown check; one that is off and that only the environment switches
  !> on). Source: portable_set_checks of portable_hooks.h. Since 0.1.
  recursive subroutine portable_set_checks(checks, stat, errmsg)
    integer, intent(in) :: checks
    integer, optional, intent(out) :: stat
    character(*), optional, intent(inout) :: errmsg
    call gator_internal_finish(c_set_checks(int(checks, c_int32_t)), 'portable_set_checks', stat, errmsg)
  end subroutine

  !> Which checks are on, as a sum of portable_check_launch and so on. Source: portable_checks of portable_hooks.h. Since 0.1.
  recursive function portable_checks() result(checks)
    integer :: checks
    checks = int(c_checks())
  end function

  ! A text of C in an array.
  recursive function text_of(chars) result(text)
    character(kind=c_char), intent(in) :: chars(:)
    character(len=size(chars)) :: text
    integer :: i
    text = ''
    do i = 1, size(chars)
      if (chars(i) == c_null_char) exit
      text(i:i) = chars(i)
    end do
  end function

end module portable_system_mod
