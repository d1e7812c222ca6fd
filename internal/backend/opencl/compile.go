package opencl

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"libportable/internal/backend/options"
)

// A Job is a source, the files that it may include by name, and options in the words of NVIDIA's compiler.
type Job struct {
	Text, File         string // File is for messages, and its folder is searched for files
	Line               int    // of the first line; 0: 1
	HeaderNames, Texts []string
	Options            []string
	Variable           func(name string) string
	Ordinal            int
}

// ErrSource says that the source has errors; the log has the compiler's messages.
var ErrSource = errors.New("the source does not compile")

// Compile returns an image for the driver's loader (opencl.h).
func Compile(j Job) (image []byte, log string, err error) {
	f, ok := FormOf(j.Ordinal)
	if !ok {
		return nil, "", errors.New("there is no such device")
	}
	t, why := find(f, j.Variable)
	if why != "" {
		return nil, "", errors.New(why)
	}
	folder, err := os.MkdirTemp("", "portable-opencl-")
	if err != nil {
		return nil, "", err
	}
	defer os.RemoveAll(folder)
	parameters, log, err := j.bitcode(folder, t)
	if err != nil {
		return nil, log, err
	}
	kind, name := uint32(formSpir), "program.bc"
	if !f.Spir {
		kind, name = formIL, "program.spv"
		more, err := run(folder, t.translator, "--spirv-max-version=1.2", "-o", name, "program.bc")
		log = strings.Trim(log+"\n"+more, "\n")
		if _, missing := os.Stat(filepath.Join(folder, name)); missing != nil {
			return nil, log, fmt.Errorf("%s does not translate the program: %w", t.translator, errors.Join(err, missing))
		}
	}
	text, err := os.ReadFile(filepath.Join(folder, name))
	if err != nil {
		return nil, log, err
	}
	return pack(kind, text, parameters), log, nil
}

// bitcode makes program.bc in the folder.
func (j Job) bitcode(folder string, t tools) (parameters map[string]int, log string, err error) {
	step := func(to string, arguments ...string) ([]byte, error) {
		more, failed := run(folder, t.clang, append([]string{"-cc1", "-w", "-o", to}, arguments...)...)
		log = strings.Trim(log+"\n"+more, "\n")
		text, err := os.ReadFile(filepath.Join(folder, to))
		var status *exit
		if errors.As(failed, &status) {
			if strings.Contains(more, "error:") {
				return nil, ErrSource
			}
			return nil, failed
		}
		if err != nil {
			return nil, errors.Join(err, failed)
		}
		return text, nil
	}
	words, folders, err := translate(j.Options, filepath.Dir(j.File))
	if err != nil {
		return nil, err.Error(), ErrSource
	}
	if err = j.write(folder); err != nil {
		return nil, "", err
	}
	language := append([]string{"-triple", "spirv64", "-aux-triple", "x86_64-unknown-linux-gnu", "-fcuda-is-device", "-x", "hip"}, words...)
	text, err := step("program.ii", append(append(append([]string{"-E", "-include", preludeName, "-nostdsysteminc", "-nobuiltininc", "-I", "headers"}, folders...), language...), "source.cu")...)
	if err != nil {
		return nil, log, err
	}
	rewritten, entries := rewrite(string(text))
	if err = os.WriteFile(filepath.Join(folder, "program.hip"), []byte(rewritten), 0o600); err != nil {
		return nil, log, err
	}
	if text, err = step("program.ll", append(append([]string{"-emit-llvm", "-O0", "-disable-O0-optnone"}, language...), "program.hip")...); err != nil {
		return nil, log, err
	}
	finished, parameters, err := finish(string(text))
	if err != nil {
		return nil, log, err
	}
	for _, name := range entries {
		if _, ok := parameters[name]; !ok {
			return nil, log, fmt.Errorf("the entry '%s' is missing in the compiled program", name)
		}
	}
	if err = os.WriteFile(filepath.Join(folder, "finished.ll"), []byte(finished), 0o600); err != nil {
		return nil, log, err
	}
	_, err = step("program.bc", "-triple", "spir64-unknown-unknown", "-emit-llvm-bc", "-disable-llvm-passes", "-x", "ir", "finished.ll")
	return parameters, log, err
}

// write puts the source and the headers into the folder.
func (j Job) write(folder string) error {
	if err := os.Mkdir(filepath.Join(folder, "headers"), 0o700); err != nil {
		return err
	}
	for i, name := range j.HeaderNames {
		if err := os.WriteFile(filepath.Join(folder, "headers", name), []byte(j.Texts[i]), 0o600); err != nil {
			return err
		}
	}
	if err := os.WriteFile(filepath.Join(folder, "headers", preludeName), preludeText, 0o600); err != nil {
		return err
	}
	text := fmt.Sprintf("#line %d \"%s\"\n%s", max(j.Line, 1), strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(j.File), j.Text)
	return os.WriteFile(filepath.Join(folder, "source.cu"), []byte(text), 0o600)
}

// debugging are options without a meaning here: the library's own programs have no debugging tables, and no warnings are shown.
var debugging = []string{"-G", "--device-debug", "-w", "--disable-warnings"}

// translate returns what options of NVIDIA's compiler are for clang: those of language and code, and the folders that are searched. Folders are absolute: clang runs in another one.
func translate(list []string, own string) (words, folders []string, err error) {
	here, err := os.Getwd()
	if err != nil {
		return nil, nil, err
	}
	absolute := func(folder string) string {
		if filepath.IsAbs(folder) {
			return folder
		}
		return filepath.Join(here, folder)
	}
	standard, contract := "c++14", "off"
	for i := 0; i < len(list); i++ {
		option := list[i]
		name, value, has := strings.Cut(option, "=")
		switch {
		case name == "--std" || name == "-std":
			standard = value
		case name == "--fmad" || name == "-fmad":
			contract = map[bool]string{true: "fast", false: "off"}[value == "true"]
		case option == "--use_fast_math" || option == "-use_fast_math":
			words = append(words, "-menable-unsafe-fp-math", "-ffast-math")
		case slices.Contains(debugging, name) || options.Nvidia(name):
		case (option == "-I" || option == "-D" || option == "-U") && i+1 < len(list):
			i++
			if option == "-I" {
				folders = append(folders, "-I", absolute(list[i]))
			} else {
				words = append(words, option+list[i])
			}
		case strings.HasPrefix(option, "-D") || strings.HasPrefix(option, "-U"):
			words = append(words, option)
		case strings.HasPrefix(option, "-I"):
			folders = append(folders, "-I", absolute(strings.TrimPrefix(option[2:], "=")))
		case has && (name == "--include-path" || name == "-include-path"):
			folders = append(folders, "-I", absolute(value))
		case has && name == "--define-macro":
			words = append(words, "-D"+value)
		default:
			return nil, nil, fmt.Errorf("error: the option %s is not known for devices of OpenCL; known are -I, -D, -U, --std, --fmad and --use_fast_math", option)
		}
	}
	return append(words, "-std="+standard, "-ffp-contract="+contract), append(folders, "-I", absolute(own)), nil
}

// pack makes the image.
func pack(kind uint32, text []byte, parameters map[string]int) []byte {
	var b bytes.Buffer
	b.WriteString(magic)
	b.Write(binary.NativeEndian.AppendUint32(binary.NativeEndian.AppendUint32(binary.NativeEndian.AppendUint64(nil, uint64(len(text))), kind), uint32(len(parameters))))
	for _, name := range sorted(parameters) {
		b.Write(binary.NativeEndian.AppendUint32(binary.NativeEndian.AppendUint32(nil, uint32(parameters[name])), uint32(len(name))))
		b.WriteString(name)
	}
	b.Write(text)
	return b.Bytes()
}

// Image is a program of the user for the loader: SPIR-V gets the head that the loader reads, a program that Compile made has one.
// Errors: other files, and a head that does not fit its file. The loader in C looks at no length.
func Image(text []byte) ([]byte, error) {
	if len(text) >= 4 && binary.NativeEndian.Uint32(text) == 0x07230203 {
		return pack(formIL, text, nil), nil
	}
	rest, found := bytes.CutPrefix(text, []byte(magic))
	if !found {
		return nil, fmt.Errorf("an image of %d bytes is no program for OpenCL; give the source, or a program in SPIR-V", len(text))
	}
	if !fits(rest) {
		return nil, fmt.Errorf("an image of %d bytes is a damaged program for OpenCL; compile it again, or give the source", len(text))
	}
	return text, nil
}

// fits reports whether all that stands behind the magic word of a program is there: the bytes of its text, its form, the number of its entries,
// and for each entry the bytes of its parameters and its name.
func fits(rest []byte) bool {
	const head = 8 + 4 + 4
	if len(rest) < head {
		return false
	}
	text, entries := binary.NativeEndian.Uint64(rest), binary.NativeEndian.Uint32(rest[12:])
	for rest = rest[head:]; entries > 0; entries-- {
		if len(rest) < 8 {
			return false
		}
		name := uint64(binary.NativeEndian.Uint32(rest[4:]))
		if uint64(len(rest)-8) < name {
			return false
		}
		rest = rest[8+name:]
	}
	return uint64(len(rest)) == text
}
