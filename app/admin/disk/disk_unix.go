//go:build linux || darwin

package disk

import "syscall"

// freeSpace is how many bytes of the file system of a folder a process without
// privileges may still use.
func freeSpace(folder string) (int64, error) {
	var s syscall.Statfs_t
	if err := syscall.Statfs(folder, &s); err != nil {
		return 0, err
	}
	return int64(s.Bavail) * int64(s.Bsize), nil
}
