package index

import (
	"fmt"
	"runtime/debug"
)

// guarded runs read over the mapped bytes of the file at path. A file that is
// cut short while it is read gives page faults, which end the process unless
// they are asked for as panics; one that is written over gives bytes that
// contradict what was just read. Both become one error.
func guarded(path string, read func() error) (err error) {
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	defer func() {
		if cause := recover(); cause != nil {
			err = fmt.Errorf("map %s changed while it was read (%v): write it under another name and rename it", path, cause)
		}
	}()
	return read()
}
