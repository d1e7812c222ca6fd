! Images: filters, resampling, thresholds, histograms, morphology.
module image_filters
  use census_support, only: wp, int64, fill, fill_int, add, add_int
  implicit none
  integer, parameter :: nx = 32, ny = 28
  real(wp) :: img(nx, ny), out(nx, ny), tmp(nx, ny), small(nx/2, ny/2), kernel(-1:1, -1:1), lut(0:255)
  integer :: gray(nx, ny), labels(nx, ny), hist(0:255), tiles(4, 4)
  type pixel
    real(wp) :: r, g, b
  end type pixel
  type(pixel) :: colour(nx, ny)
contains
  pure real(wp) function median(a, b, c)
    real(wp), intent(in) :: a, b, c
    median = max(min(a, b), min(max(a, b), c))
  end function median

  subroutine smoothing()
    real(wp) :: s, w, box(9), t
    integer :: i, j, di, dj, k, l
    ! truth: parallel j i; features core
    do j = 2, ny - 1
      do i = 2, nx - 1
        out(i, j) = (img(i - 1, j) + img(i + 1, j) + img(i, j - 1) + img(i, j + 1))/4
      end do
    end do
    ! truth: parallel j i; private s dj di; features core
    do j = 2, ny - 1
      do i = 2, nx - 1
        s = 0
        do dj = -1, 1
          do di = -1, 1
            s = s + kernel(di, dj)*img(i + di, j + dj)
          end do
        end do
        out(i, j) = s
      end do
    end do
    ! truth: parallel j i; features function-known
    do j = 1, ny
      do i = 2, nx - 1
        tmp(i, j) = median(out(i - 1, j), out(i, j), out(i + 1, j))
      end do
    end do
    ! truth: parallel j i; private box k l t; features private-array
    do j = 2, ny - 1
      do i = 2, nx - 1
        do k = 1, 9
          box(k) = img(i - 2 + mod(k - 1, 3) + 1, j - 2 + (k - 1)/3 + 1)
        end do
        do k = 1, 5
          do l = k + 1, 9
            t = min(box(k), box(l))
            box(l) = max(box(k), box(l))
            box(k) = t
          end do
        end do
        out(i, j) = box(5)
      end do
    end do
    ! truth: parallel j i; private w; features core
    do j = 1, ny
      do i = 1, nx
        w = exp(-(img(i, j) - out(i, j))**2)
        tmp(i, j) = w*img(i, j) + (1 - w)*out(i, j)
      end do
    end do
    ! truth: parallel j; private i; features core
    do j = 1, ny
      do i = 2, nx
        tmp(i, j) = 0.3_wp*tmp(i, j) + 0.7_wp*tmp(i - 1, j)
      end do
    end do
    ! truth: parallel i; private j; features core
    do i = 1, nx
      do j = ny - 1, 1, -1
        tmp(i, j) = 0.3_wp*tmp(i, j) + 0.7_wp*tmp(i, j + 1)
      end do
    end do
    ! truth: parallel j i; features core
    do j = 2, ny
      do i = 2, nx
        img(i, j) = sqrt((out(i, j) - out(i - 1, j))**2 + (out(i, j) - out(i, j - 1))**2)
      end do
    end do
  end subroutine smoothing

  subroutine resampling()
    integer :: i, j
    ! truth: parallel j i; features stride
    do j = 1, ny/2
      do i = 1, nx/2
        small(i, j) = 0.25_wp*(img(2*i, 2*j) + img(2*i - 1, 2*j) + img(2*i, 2*j - 1) + img(2*i - 1, 2*j - 1))
      end do
    end do
    ! truth: parallel j i; features core
    do j = 1, ny
      do i = 1, nx
        out(i, j) = small((i + 1)/2, (j + 1)/2)
      end do
    end do
    ! truth: parallel j; features sections
    do j = 1, ny
      tmp(:, j) = img(nx:1:-1, j)
    end do
    ! truth: parallel j; features sections stride
    do j = 1, ny/2
      tmp(:, 2*j) = tmp(:, 2*j - 1)
    end do
    ! truth: parallel j i; features stride
    do j = 1, ny
      do i = 1, nx - 1, 2
        tmp(i + 1, j) = 0.5_wp*(tmp(i, j) + tmp(i + 1, j))
      end do
    end do
  end subroutine resampling

  subroutine colours()
    integer :: i, j
    ! truth: parallel j i; features component
    do j = 1, ny
      do i = 1, nx
        img(i, j) = 0.299_wp*colour(i, j)%r + 0.587_wp*colour(i, j)%g + 0.114_wp*colour(i, j)%b
      end do
    end do
    ! truth: parallel j i; features component
    do j = 1, ny
      do i = 1, nx
        colour(i, j)%r = min(colour(i, j)%r*1.1_wp, 1.0_wp)
      end do
    end do
    ! truth: parallel j i; features core
    do j = 1, ny
      do i = 1, nx
        gray(i, j) = int(255*min(max(img(i, j), 0.0_wp), 1.0_wp))
      end do
    end do
    ! truth: parallel j i; features core
    do j = 1, ny
      do i = 1, nx
        img(i, j) = 1 - gray(i, j)/255.0_wp
      end do
    end do
    ! truth: parallel j i; features core
    do j = 1, ny
      do i = 1, nx
        if (img(i, j) > 0.5_wp) then
          labels(i, j) = 1
        else
          labels(i, j) = 0
        end if
      end do
    end do
  end subroutine colours

  subroutine statistics(threshold, count, x0, y0)
    real(wp), intent(inout) :: threshold
    integer, intent(inout) :: count, x0, y0
    integer :: i, j, k
    real(wp) :: weight
    hist = 0
    ! truth: parallel j i; sums hist; features array-sum
    do j = 1, ny
      do i = 1, nx
        hist(gray(i, j)) = hist(gray(i, j)) + 1
      end do
    end do
    ! truth: parallel j i; private k; sums tiles; features array-sum
    do j = 1, ny
      do i = 1, nx
        k = min(4, i/8 + 1)
        tiles(k, min(4, j/7 + 1)) = tiles(k, min(4, j/7 + 1)) + labels(i, j)
      end do
    end do
    ! truth: parallel j i; reduction +:count; features reduction
    do j = 1, ny
      do i = 1, nx
        count = count + labels(i, j)
      end do
    end do
    ! truth: parallel j i; reduction min:x0 max:y0; features reduction
    do j = 1, ny
      do i = 1, nx
        if (labels(i, j) == 1) then
          x0 = min(x0, i)
          y0 = max(y0, j)
        end if
      end do
    end do
    weight = 0
    ! truth: parallel k; reduction +:weight; features reduction
    do k = 0, 255
      weight = weight + k*hist(k)
    end do
    ! truth: refused carried-scalar count; features core
    do k = 0, 255
      count = count + hist(k) !<
      lut(k) = count/real(nx*ny, wp) !<
    end do
    ! truth: refused leaves-loop; features exit-cycle
    do k = 255, 0, -1
      hist(k) = hist(k) + 1
      if (hist(k) > 2) exit !<
    end do
    threshold = weight/(nx*ny) + max(k, 0)
    ! truth: parallel i; features core
    do j = 2, ny
      do i = 1, nx
        labels(i, j) = max(labels(i, j), labels(i, j - 1))
      end do
    end do
    ! truth: refused recurrence labels; features core
    do j = 2, ny
      do i = 2, nx
        labels(i, j) = max(labels(i, j), labels(i - 1, j), labels(i, j - 1)) !<
      end do
    end do
  end subroutine statistics

  subroutine run_image_filters(bits)
    integer(int64), intent(inout) :: bits
    real(wp) :: threshold
    integer :: count, x0, y0, k
    call fill(img, size(img), 1)
    out = img
    tmp = img
    kernel = 1/9.0_wp
    lut = [((k/255.0_wp)**2, k=0, 255)]
    call fill(small, size(small), 2)
    colour%r = img
    colour%g = transpose(reshape(img, [ny, nx]))
    colour%b = 1 - img
    call smoothing()
    call resampling()
    call colours()
    tiles = 0
    count = 0
    x0 = nx
    y0 = 1
    call statistics(threshold, count, x0, y0)
    call add(bits, img, size(img))
    call add(bits, out, size(out))
    call add(bits, tmp, size(tmp))
    call add(bits, lut, size(lut))
    call add_int(bits, labels, size(labels))
    call add_int(bits, tiles, 16)
    call add_int(bits, [count, x0, y0], 3)
    call add(bits, [threshold], 1)
  end subroutine run_image_filters
end module image_filters
