//go:build linux || darwin

package doctor

import "syscall"

// freeSpace is how many bytes of the file system of path a process without
// privileges may still use.
func freeSpace(path string) (uint64, error) {
	var s syscall.Statfs_t
	if err := syscall.Statfs(path, &s); err != nil {
		return 0, err
	}
	return uint64(s.Bavail) * uint64(s.Bsize), nil
}
