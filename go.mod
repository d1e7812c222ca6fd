module libportable

go 1.26

require (
	github.com/ianlancetaylor/cgosymbolizer v0.0.0-20260504013507-f4b012c11129
	github.com/ianlancetaylor/demangle v0.0.0-20260724033716-83e58baca724
	github.com/stretchr/testify v1.12.1
	github.com/urfave/cli/v2 v2.27.7
	gorgonia.org/cu v0.9.6
)

require (
	github.com/cpuguy83/go-md2man/v2 v2.0.7 // indirect
	github.com/google/uuid v1.1.1 // indirect
	github.com/pkg/errors v0.9.1 // indirect
	github.com/russross/blackfriday/v2 v2.1.0 // indirect
	github.com/xrash/smetrics v0.0.0-20240521201337-686a1a2994c1 // indirect
	go.yaml.in/yaml/v3 v3.0.5 // indirect
)

// Its whole dependencies would come into each program; see there.
replace github.com/google/uuid => ./internal/backend/cuda/uuid
