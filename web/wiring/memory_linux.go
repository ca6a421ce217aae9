package wiring

import (
	"bufio"
	"fmt"
	"os"
	"strings"
	"syscall"
)

// unmapProgram lets go of the pages of this program that were read so far. Starting runs
// through much of it once (45 MB), which counted as memory of the process for ever;
// what serving needs is mapped again from the system's cache when it is next run. Only
// what nobody can have written to is let go: code and constants.
func unmapProgram() error {
	program, err := os.Readlink("/proc/self/exe")
	if err != nil {
		return err
	}
	maps, err := os.Open("/proc/self/maps")
	if err != nil {
		return err
	}
	defer maps.Close()
	for lines := bufio.NewScanner(maps); lines.Scan(); {
		var from, to uintptr
		var rights string
		line := lines.Text()
		if _, err := fmt.Sscanf(line, "%x-%x %s", &from, &to, &rights); err != nil {
			return fmt.Errorf("%q: %w", line, err)
		}
		if !strings.HasSuffix(line, " "+program) || strings.Contains(rights, "w") {
			continue
		}
		if _, _, errno := syscall.Syscall(syscall.SYS_MADVISE, from, to-from, syscall.MADV_DONTNEED); errno != 0 {
			return errno
		}
	}
	return nil
}
