package lint

import "libportable/internal/fortran/source"

func claim(*source.Line) {}
