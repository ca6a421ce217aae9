package live

import (
	"fmt"
	"runtime/debug"

	"svc/geo/index"
)

// openFile is index.Open for a file that somebody may be writing over.
func openFile(path string) (x *index.Index, err error) {
	defer guard(path, &err)()
	return index.Open(path)
}

// verify is Verify for a file that somebody may be writing over.
func verify(x *index.Index) (err error) {
	defer guard(x.Path(), &err)()
	return x.Verify()
}

// guard makes an error of the page fault, or of the panic over what cannot be,
// that a mapped file gives when it is cut short while it is read. Without it
// the first would end the process.
func guard(path string, err *error) func() {
	before := debug.SetPanicOnFault(true)
	return func() {
		debug.SetPanicOnFault(before)
		if cause := recover(); cause != nil {
			*err = fmt.Errorf("map %s changed while it was read (%v): write it under another name and rename it", path, cause)
		}
	}
}
