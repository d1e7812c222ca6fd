! The kernels of docs/fortran/graphs.md: put launches one of them, by its label, into a stream.
module graph_numbers
  use, intrinsic :: iso_c_binding
  implicit none
  real(c_double), target :: numbers(4) = 0
end module

recursive subroutine graph_add(t, k) bind(c)
  use, intrinsic :: iso_c_binding
  use portable_mod, only: tile
  use graph_numbers
  implicit none
  type(tile), intent(in) :: t
  integer(c_int), intent(in) :: k
  if (t%rank == 1) numbers(k) = numbers(k) + 1
end subroutine

subroutine put(label, stream)
  use, intrinsic :: iso_c_binding
  use, intrinsic :: iso_fortran_env, only: int64
  use portable_mod
  implicit none
  interface
    recursive subroutine graph_add(t, k) bind(c)
      import :: tile, c_int
      type(tile), intent(in) :: t
      integer(c_int), intent(in) :: k
    end subroutine
  end interface
  character(1), intent(in) :: label
  integer(int64), intent(in) :: stream
  integer(c_int), target :: k
  k = index('ABCD', label)
  call parallel_for(label, bounds(1), c_funloc(graph_add), c_loc(k), c_sizeof(k), stream=stream)
end subroutine

subroutine show()
  use graph_numbers
  implicit none
  print '(4f5.1)', numbers
end subroutine
