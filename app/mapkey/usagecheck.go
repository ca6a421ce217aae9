package mapkey

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
)

// UsageState is what a look at a usage file found.
type UsageState uint8

// States of a usage file.
const (
	UsageMissing UsageState = iota // the server makes it
	UsageSound
	UsageInUse // a server has it open, which has checked it
)

// CheckUsage looks at a usage file without changing or making it. An error says
// why a server could not count into it.
func CheckUsage(path string) (UsageState, error) {
	info, err := os.Stat(path)
	if errors.Is(err, fs.ErrNotExist) {
		return UsageMissing, nil
	}
	if err == nil && !info.Mode().IsRegular() {
		return UsageMissing, verifyUsage(path) // says what it is not, and does not wait for a pipe
	}
	f, err := os.Open(path)
	if err != nil {
		return UsageMissing, fmt.Errorf("usage file: %w", err)
	}
	free := lockShared(f) == nil
	_ = f.Close() // and with it the lock
	if !free {
		return UsageInUse, nil
	}
	return UsageSound, verifyUsage(path)
}
