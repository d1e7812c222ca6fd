//go:build !cuda

package cuda

// Built says whether this build can use devices.
const Built = false

func look() (int, error) {
	return 0, none("this libportable was built without CUDA (in CMake: -DPORTABLE_CUDA=ON)")
}
