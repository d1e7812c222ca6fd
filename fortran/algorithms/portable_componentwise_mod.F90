!> Operations on arrays element by element for Fortran, on the threads of libportable: c = a + b, c = sqrt(a), mask = a < b.
!>
!>     call portable_compute(c, a, '+', b)                   ! c = a + b
!>     call portable_compute(c, 'sqrt', a)                   ! c = sqrt(a)
!>     call portable_compute(dry, h, '<', 1d-3)              ! dry = h < 1d-3
!>     call portable_merge(c, a, b, mask)                    ! c = merge(a, b, mask)
!>     call portable_fill(c, 0d0)                            ! c = 0
!>
!> In this module: those three generics, for whole arrays and sections of ranks 1 to 7; of the operands one may be a single
!> value. Not in this module: reductions (portable_reduce_mod), loops of one's own (portable_mod), which do several operations
!> in one go over memory.
!>
!> Operations, as text, capitals or not:
!>   of two numbers    + - * / ** mod min max sign atan2, and with a logical result < > <= >= == /= (.lt. and so on)
!>   of two logicals   .and. .or. .eqv. .neqv.
!>   of one number     + - abs sqrt cbrt sin cos tan asin acos atan exp log log10 log2 floor ceiling anint, and with a logical
!>                     result isnan isinf
!>   of one logical    .not.
!> Kinds: integer(int32), integer(int64), real(real32), real(real64), all of a call alike; logicals are default ones. Merge and fill
!> have complex numbers too. Results are of the operands' kind, those of floor, ceiling and anint too.
!>
!> Shapes: all arrays of a call have the result's. Sections are not copied. The result may be an operand itself, element by element
!> (both are then to have the target attribute); where it shares memory with one in another way the call is refused.
!> Bits: of each element those of the operation in a plain loop of C; functions are the C library's. Integers wrap; a division of
!> integers by zero is an error that names the first index, and then nothing is written.
!> Optional arguments of all, by keyword: label=, the launch's name in messages and reports; device= and stream=, numbers as of
!> portable_find_device and portable_stream_create, where it runs; stat= and errmsg=, as everywhere in this library. Errors:
!> gator_err_arg (another shape, an operation that there is not, shared memory, a division by zero), _state, _nodevice, _handle (no
!> such stream). Threads: from any thread, and inside a kernel. The work is done when the call returns, but in an asynchronous
!> stream: there the call returns at once, and the arrays, which are pointers or targets, stay until the stream has passed it. Since
!> 0.1.
module portable_componentwise_mod
  use, intrinsic :: iso_c_binding, only: c_int32_t, c_loc
  use, intrinsic :: iso_fortran_env, only: int32, int64, real32, real64
  use portable_reduce_mod, only: portable_internal_compute, portable_internal_section, portable_internal_array, &
    portable_internal_mask_0, portable_internal_mask_1, portable_internal_mask_2, portable_internal_mask_3, &
    portable_internal_mask_4, portable_internal_mask_5, portable_internal_mask_6, portable_internal_mask_7
  implicit none
  private

  public :: portable_compute, portable_merge, portable_fill

  include 'portable_componentwise_interfaces.inc'

contains

  include 'portable_componentwise_procedures.inc'

end module portable_componentwise_mod
