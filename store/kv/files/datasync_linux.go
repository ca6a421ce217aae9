package files

import (
	"os"
	"syscall"
)

// Datasync makes what was written to a file durable.
func Datasync(f *os.File) error {
	for {
		if err := syscall.Fdatasync(int(f.Fd())); err != syscall.EINTR {
			return os.NewSyscallError("fdatasync", err)
		}
	}
}
