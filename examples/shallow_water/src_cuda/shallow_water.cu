// shallow_water.cu - the kernels of the shallow-water program for devices: what stands in the loops
// of src_cuda/*.f90, line for line. Views have the bounds that Fortran gives them: 1-ng to nx+ng
// with ghost cells, 0 to nx+1 for slopes, 1 to nx+1 at faces.
#include <portable_device.h>

typedef portable_view<double, 2, PORTABLE_ORDER_FORTRAN> field;
typedef portable_view<const double, 2, PORTABLE_ORDER_FORTRAN> input;

#define DRY_DEPTH 1.0e-8 // as in swe_kinds_mod

// Fortran's MAX and MIN, to the sign of a zero, as gfortran computes them.
PORTABLE_FUNCTION double most(double a, double b) { return b > a ? b : a; }
PORTABLE_FUNCTION double least(double a, double b) { return b < a ? b : a; }

// ---- swe_reconstruction_mod ----

struct primitive_args { input h, hu, hv, b; field eta, u, v; };
PORTABLE_KERNEL(primitive_variables, primitive_args, a) {
  PORTABLE_FOR_2(i, j) {
    const double wet = a->h(i, j) > DRY_DEPTH ? 1.0 : 0.0;
    a->eta(i, j) = a->h(i, j) + a->b(i, j);
    a->u(i, j) = wet * a->hu(i, j) / most(a->h(i, j), DRY_DEPTH);
    a->v(i, j) = wet * a->hv(i, j) / most(a->h(i, j), DRY_DEPTH);
  }
}

struct slope_args { input q; field slope; int32_t di, dj; };
PORTABLE_KERNEL(limited_slope, slope_args, a) {
  PORTABLE_FOR_2(i, j) {
    const double below = a->q(i, j) - a->q(i - a->di, j - a->dj), above = a->q(i + a->di, j + a->dj) - a->q(i, j);
    a->slope(i, j) = most(0.0, least(below, above)) + least(0.0, most(below, above));
  }
}

struct states_args {
  input h, eta, un, ut, slope_h, slope_eta, slope_n, slope_t;
  field h_minus, b_minus, n_minus, t_minus, h_plus, b_plus, n_plus, t_plus;
  int32_t di, dj;
};
PORTABLE_KERNEL(face_states, states_args, a) {
  PORTABLE_FOR_2(i, j) {
    const int64_t ic = i - a->di, jc = j - a->dj;
    double low = a->h(ic, jc) - 0.5 * a->slope_h(ic, jc), high = a->h(ic, jc) + 0.5 * a->slope_h(ic, jc);
    double weight = 0.5 * low / most(a->h(ic, jc), DRY_DEPTH);
    a->h_minus(i, j) = high;
    a->b_minus(i, j) = a->eta(ic, jc) + 0.5 * a->slope_eta(ic, jc) - high;
    a->n_minus(i, j) = a->un(ic, jc) + weight * a->slope_n(ic, jc);
    a->t_minus(i, j) = a->ut(ic, jc) + weight * a->slope_t(ic, jc);
    low = a->h(i, j) - 0.5 * a->slope_h(i, j);
    high = a->h(i, j) + 0.5 * a->slope_h(i, j);
    weight = 0.5 * high / most(a->h(i, j), DRY_DEPTH);
    a->h_plus(i, j) = low;
    a->b_plus(i, j) = a->eta(i, j) - 0.5 * a->slope_eta(i, j) - low;
    a->n_plus(i, j) = a->un(i, j) - weight * a->slope_n(i, j);
    a->t_plus(i, j) = a->ut(i, j) - weight * a->slope_t(i, j);
  }
}

// ---- swe_riemann_mod ----

struct depths_args { input h_minus, b_minus, h_plus, b_plus; field star_minus, star_plus; };
PORTABLE_KERNEL(hydrostatic_depths, depths_args, a) {
  PORTABLE_FOR_2(i, j) {
    const double b_face = most(a->b_minus(i, j), a->b_plus(i, j));
    a->star_minus(i, j) = most(0.0, a->h_minus(i, j) + a->b_minus(i, j) - b_face);
    a->star_plus(i, j) = most(0.0, a->h_plus(i, j) + a->b_plus(i, j) - b_face);
  }
}

struct speeds_args { double g; input star_minus, n_minus, star_plus, n_plus; field slowest, fastest; };
PORTABLE_KERNEL(wave_speeds, speeds_args, a) {
  PORTABLE_FOR_2(i, j) {
    const double c_minus = sqrt(a->g * a->star_minus(i, j)), c_plus = sqrt(a->g * a->star_plus(i, j));
    a->slowest(i, j) = least(least(a->n_minus(i, j) - c_minus, a->n_plus(i, j) - c_plus), 0.0);
    a->fastest(i, j) = most(most(a->n_minus(i, j) + c_minus, a->n_plus(i, j) + c_plus), 0.0);
  }
}

struct fluxes_args {
  double g;
  input h_minus, n_minus, t_minus, h_plus, n_plus, t_plus, star_minus, star_plus, slowest, fastest;
  field flux_h, flux_n_minus, flux_n_plus, flux_t;
};
PORTABLE_KERNEL(face_fluxes, fluxes_args, a) {
  const double g = a->g;
  PORTABLE_FOR_2(i, j) {
    const double s_minus = a->slowest(i, j), s_plus = a->fastest(i, j);
    const double scale = 1.0 / most(s_plus - s_minus, 2.2250738585072014e-308); // tiny: both sides dry: 0 times a finite number
    const double q_minus = a->star_minus(i, j) * a->n_minus(i, j), q_plus = a->star_plus(i, j) * a->n_plus(i, j);
    const double p_minus = 0.5 * g * a->star_minus(i, j) * a->star_minus(i, j), p_plus = 0.5 * g * a->star_plus(i, j) * a->star_plus(i, j);
    const double flux_h = scale * ((s_plus * q_minus - s_minus * q_plus) + s_minus * s_plus * (a->star_plus(i, j) - a->star_minus(i, j)));
    const double flux_n = scale * ((s_plus * (q_minus * a->n_minus(i, j) + p_minus) - s_minus * (q_plus * a->n_plus(i, j) + p_plus)) +
                                   s_minus * s_plus * (q_plus - q_minus));
    a->flux_h(i, j) = flux_h;
    a->flux_n_minus(i, j) = flux_n + (0.5 * g * a->h_minus(i, j) * a->h_minus(i, j) - p_minus);
    a->flux_n_plus(i, j) = flux_n + (0.5 * g * a->h_plus(i, j) * a->h_plus(i, j) - p_plus);
    a->flux_t(i, j) = most(flux_h, 0.0) * a->t_minus(i, j) + least(flux_h, 0.0) * a->t_plus(i, j);
  }
}

// ---- swe_update_mod ----

struct zero_args { field dh, dqn, dqt; };
PORTABLE_KERNEL(zero_tendency, zero_args, a) {
  PORTABLE_FOR_2(i, j) { a->dh(i, j) = a->dqn(i, j) = a->dqt(i, j) = 0; }
}

struct divergence_args {
  int32_t di, dj;
  double ds, g;
  input h_minus, b_minus, h_plus, b_plus, flux_h, flux_n_minus, flux_n_plus, flux_t;
  field dh, dqn, dqt;
};
PORTABLE_KERNEL(add_divergence, divergence_args, a) {
  PORTABLE_FOR_2(i, j) {
    const int64_t ie = i + a->di, je = j + a->dj;
    const double weight = 0.5 * a->g * (a->h_minus(ie, je) + a->h_plus(i, j)) * (a->b_minus(ie, je) - a->b_plus(i, j));
    a->dh(i, j) = a->dh(i, j) - (a->flux_h(ie, je) - a->flux_h(i, j)) / a->ds;
    a->dqn(i, j) = a->dqn(i, j) - ((a->flux_n_minus(ie, je) - a->flux_n_plus(i, j)) + weight) / a->ds;
    a->dqt(i, j) = a->dqt(i, j) - (a->flux_t(ie, je) - a->flux_t(i, j)) / a->ds;
  }
}

struct tendency_args { double time_step; input dh, dqu, dqv; field h, hu, hv; };
PORTABLE_KERNEL(add_tendency, tendency_args, a) {
  PORTABLE_FOR_2(i, j) {
    a->h(i, j) = a->h(i, j) + a->time_step * a->dh(i, j);
    const double wet = a->h(i, j) > DRY_DEPTH ? 1.0 : 0.0;
    a->hu(i, j) = wet * (a->hu(i, j) + a->time_step * a->dqu(i, j));
    a->hv(i, j) = wet * (a->hv(i, j) + a->time_step * a->dqv(i, j));
  }
}

struct copy_args { input h, hu, hv; field h_copy, hu_copy, hv_copy; };
PORTABLE_KERNEL(copy_state, copy_args, a) {
  PORTABLE_FOR_2(i, j) {
    a->h_copy(i, j) = a->h(i, j);
    a->hu_copy(i, j) = a->hu(i, j);
    a->hv_copy(i, j) = a->hv(i, j);
  }
}

struct average_args { input h_old, hu_old, hv_old; field h, hu, hv; };
PORTABLE_KERNEL(average_states, average_args, a) {
  PORTABLE_FOR_2(i, j) {
    a->h(i, j) = 0.5 * (a->h_old(i, j) + a->h(i, j));
    a->hu(i, j) = 0.5 * (a->hu_old(i, j) + a->hu(i, j));
    a->hv(i, j) = 0.5 * (a->hv_old(i, j) + a->hv(i, j));
  }
}

struct rates_args { double dx, dy, g; input h, hu, hv; field rate; };
PORTABLE_KERNEL(signal_rates, rates_args, a) {
  PORTABLE_FOR_2(i, j) {
    const double depth = most(a->h(i, j), DRY_DEPTH), c = sqrt(a->g * depth);
    a->rate(i, j) = (fabs(a->hu(i, j)) / depth + c) / a->dx + (fabs(a->hv(i, j)) / depth + c) / a->dy;
  }
}

// ---- swe_boundary_mod: a sign of -1 is a wall, which mirrors the flow ----

struct ghosts_args { field h, hu, hv, b; int32_t n; double sign; };
PORTABLE_KERNEL(ghosts_x, ghosts_args, a) {
  PORTABLE_FOR_2(k, j) {
    const int64_t left = a->sign < 0 ? k : 1, right = a->n + 1 - left;
    a->h(1 - k, j) = a->h(left, j);
    a->hu(1 - k, j) = a->sign * a->hu(left, j);
    a->hv(1 - k, j) = a->hv(left, j);
    a->b(1 - k, j) = a->b(left, j);
    a->h(a->n + k, j) = a->h(right, j);
    a->hu(a->n + k, j) = a->sign * a->hu(right, j);
    a->hv(a->n + k, j) = a->hv(right, j);
    a->b(a->n + k, j) = a->b(right, j);
  }
}
PORTABLE_KERNEL(ghosts_y, ghosts_args, a) {
  PORTABLE_FOR_2(i, k) {
    const int64_t left = a->sign < 0 ? k : 1, right = a->n + 1 - left;
    a->h(i, 1 - k) = a->h(i, left);
    a->hu(i, 1 - k) = a->hu(i, left);
    a->hv(i, 1 - k) = a->sign * a->hv(i, left);
    a->b(i, 1 - k) = a->b(i, left);
    a->h(i, a->n + k) = a->h(i, right);
    a->hu(i, a->n + k) = a->hu(i, right);
    a->hv(i, a->n + k) = a->sign * a->hv(i, right);
    a->b(i, a->n + k) = a->b(i, right);
  }
}
