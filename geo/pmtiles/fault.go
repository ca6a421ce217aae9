package pmtiles

import (
	"fmt"
	"runtime/debug"
)

// guarded runs read over the mapped bytes of the file at path. A file that is
// cut short while it is read gives page faults, which end the process unless
// they are asked for as panics; that becomes an error.
func guarded(path string, read func() error) (err error) {
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	defer func() {
		if cause := recover(); cause != nil {
			err = fmt.Errorf("tiles %s changed while they were read (%v): write them under another name and rename the file", path, cause)
		}
	}()
	return read()
}
