!> A product of matrices by NVIDIA's cuBLAS between operations of the library, in one stream, from Fortran.
!>
!> The library gives cuBLAS its stream, so no fence is needed in between: what comes later in the stream waits for the product.
!> Without a cuda device the product is matmul's. Usage: example_cublas [N].
module cublas_calls
  use, intrinsic :: iso_c_binding
  implicit none
  integer(c_int), parameter :: no_transpose = 0_c_int

  interface
    integer(c_int) function cublas_create(handle) bind(c, name='cublasCreate_v2')
      import :: c_int, c_ptr
      type(c_ptr), intent(out) :: handle
    end function
    integer(c_int) function cublas_destroy(handle) bind(c, name='cublasDestroy_v2')
      import :: c_int, c_ptr
      type(c_ptr), value :: handle
    end function
    integer(c_int) function cublas_set_stream(handle, stream) bind(c, name='cublasSetStream_v2')
      import :: c_int, c_ptr
      type(c_ptr), value :: handle, stream
    end function
    integer(c_int) function cublas_dgemm(handle, transa, transb, m, n, k, alpha, a, lda, b, ldb, beta, c, ldc) &
        bind(c, name='cublasDgemm_v2')
      import :: c_int, c_ptr, c_double
      type(c_ptr), value :: handle
      integer(c_int), value :: transa, transb, m, n, k, lda, ldb, ldc
      real(c_double), intent(in) :: alpha, beta
      type(c_ptr), value :: a, b, c
    end function
  end interface

  !> Arguments of the product; the launch has a copy.
  type, bind(c) :: product_t
    type(c_ptr) :: handle, a, b, c
    integer(c_int) :: n
  end type
contains
  !> Puts the product into the stream: called by the library with the device's context current.
  recursive function multiply(stream, payload) result(status) bind(c)
    type(c_ptr), value :: stream, payload
    integer(c_int32_t) :: status
    type(product_t), pointer :: p
    integer(c_int) :: failed
    call c_f_pointer(payload, p)
    failed = cublas_set_stream(p%handle, stream)
    if (failed == 0_c_int) failed = cublas_dgemm(p%handle, no_transpose, no_transpose, p%n, p%n, p%n, 1.0_c_double, p%a, p%n, &
                                                 p%b, p%n, 0.0_c_double, p%c, p%n)
    status = merge(0_c_int32_t, -14_c_int32_t, failed == 0_c_int) ! PORTABLE_ERR_DEVICE
  end function
end module cublas_calls

program cublas
  use, intrinsic :: iso_c_binding
  use gator_mod, only: gator_allocate, gator_deallocate
  use portable_mod
  use portable_system_mod
  use cublas_calls
  implicit none
  real(8), pointer :: a(:,:), b(:,:), c(:,:)
  type(portable_device_t) :: device
  type(product_t), target :: p
  integer(8) :: stream
  real(8) :: total, expected
  integer :: n, i, j
  character(12) :: argument
  n = 64
  call get_command_argument(1, argument)
  if (argument /= ' ') read (argument, *) n
  call portable_init()
  call portable_device_properties(default_device(), device)
  call gator_allocate(a, [n, n], label='a')
  call gator_allocate(b, [n, n], label='b')
  call gator_allocate(c, [n, n], label='c')
  do j = 1, n
    do i = 1, n
      a(i,j) = mod(i + 2*j, 7)
      b(i,j) = mod(3*i + j, 5)
    end do
  end do
  expected = sum(matmul(a, b))
  call stream_create(stream, default_device())
  if (device%kind == portable_device_cuda) then
    if (cublas_create(p%handle) /= 0_c_int) error stop 'cuBLAS does not start'
    p%a = c_loc(a)
    p%b = c_loc(b)
    p%c = c_loc(c)
    p%n = int(n, c_int)
    call portable_device_enqueue('product', c_funloc(multiply), c_loc(p), int(c_sizeof(p)), stream=stream)
    total = reduce_sum(c, stream=stream)                    ! behind the product
    if (cublas_destroy(p%handle) /= 0_c_int) error stop 'cuBLAS does not end'
  else
    c = matmul(a, b)
    total = reduce_sum(c)
  end if
  call stream_destroy(stream)
  print '(3a,f0.1)', 'sum of the product on ', trim(device%name), ': ', total
  if (abs(total - expected) > 1d-12*expected) error stop 'another sum than that of matmul'
  call gator_deallocate(a)
  call gator_deallocate(b)
  call gator_deallocate(c)
  call portable_finalize()
end program cublas
