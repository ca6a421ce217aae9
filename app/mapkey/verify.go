package mapkey

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"

	"svc/store/kv"
	"svc/store/kv/pages"
)

// maxPage bounds one page of a usage file with its overflow, in bytes: ours hold a
// few kB, a freelist a few MB.
const maxPage = 64 << 20

// verifyUsage walks every page of a database file. It answers nil for a sound
// file, for a missing and for an empty one (bbolt makes those), and an error
// that matches errDamaged for anything bbolt would stumble over.
func verifyUsage(path string) error {
	info, err := os.Stat(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("usage file: %w", err)
	}
	if !info.Mode().IsRegular() {
		return fmt.Errorf("usage file %s is not a regular file", path)
	}
	if info.Size() == 0 {
		return nil
	}
	f, err := os.Open(path)
	if err != nil {
		return fmt.Errorf("usage file: %w", err)
	}
	defer f.Close()
	if err := lockShared(f); err != nil {
		return fmt.Errorf("usage file %s: another process has it open", path)
	}
	return verifyPages(f, info.Size())
}

// verifyPages walks a database of a size in bytes.
func verifyPages(r io.ReaderAt, size int64) error {
	err := pages.VerifyUpTo(r, size, true, maxPage)
	if err == nil {
		return nil
	}
	return fmt.Errorf("%w: %s", errDamaged, strings.TrimPrefix(err.Error(), kv.ErrDamaged.Error()+": "))
}
