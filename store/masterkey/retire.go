package masterkey

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"svc/store/kv/files"
)

// OldKey is added to the name of a key file that is kept while the key is rotated.
const OldKey = ".before-rotation"

// RetiredKey, and a time behind it, is added to the name of a key file that only backups
// need.
const RetiredKey = ".retired-"

// Retire gives the old key of a finished rotation a name with its time, and answers it;
// "" when there is none. Only backups from before need it.
func Retire(file string, now time.Time) (name string, err error) {
	name = file + RetiredKey + now.UTC().Format("20060102T150405Z")
	if _, err := os.Lstat(name); err == nil {
		return "", fmt.Errorf("%s is there already", name)
	}
	err = os.Rename(file+OldKey, name)
	if errors.Is(err, fs.ErrNotExist) {
		return "", nil
	}
	if err != nil {
		return "", err
	}
	return name, files.SyncFolder(filepath.Dir(file))
}
