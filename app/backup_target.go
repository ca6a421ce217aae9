package app

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"svc/store/masterkey"
	"svc/store/offline"
)

// ownNames are the files and folders at the top of the data folder that the service
// itself writes: the database with what stands beside it, keys, attachments, the photo
// cache, the simulator.
var ownNames = slices.Concat(offline.Files("svc.db"), offline.Files("svc.db"+offline.Replaced), []string{
	"svc.db" + beforeUpgradeName, "svc.db.restore.tmp", "svc.db.compact.tmp", "svc.sock",
	masterKeyName, masterKeyName + ".tmp", masterKeyName + masterkey.OldKey, "files", "inbox", "knowledge", "photos", "simulator",
})

// backupTarget resolves the path that somebody gave for a backup, and refuses one that
// would destroy something (contract 21.3): the master key, the data folder's
// own files, however they are spelled or linked, and, without force, an existing file
// that is no backup of this program.
func (o Options) backupTarget(ctx context.Context, path string, force bool) (string, error) {
	path, info, err := resolve(path)
	if err != nil {
		return "", fmt.Errorf("backup to %s: %w", path, err)
	}
	what, err := o.owns(path, info)
	switch {
	case err != nil:
		return "", fmt.Errorf("backup to %s: %w", path, err)
	case what != "":
		return "", fmt.Errorf("backup to %s: that is %s; give another file, best in a folder on another disk", path, what)
	case info == nil || force:
		return path, nil
	}
	switch is, err := offline.IsBackup(ctx, path); {
	case err != nil:
		return "", fmt.Errorf("backup to %s: %w", path, err)
	case !is:
		return "", fmt.Errorf("backup to %s: this file exists and is no whole backup of svc, so it is not replaced; give another file, or --force to replace it", path)
	}
	return path, nil
}

// resolve follows links, so that what is looked at is what would be written. info is nil
// when there is no such file yet.
func resolve(path string) (string, fs.FileInfo, error) {
	abs, err := filepath.Abs(path)
	if err != nil {
		return path, nil, err
	}
	if dir, err := filepath.EvalSymlinks(filepath.Dir(abs)); err != nil {
		return path, nil, fmt.Errorf("its folder cannot be used, make it first: %w", err)
	} else if _, err := os.Lstat(filepath.Join(dir, filepath.Base(abs))); errors.Is(err, fs.ErrNotExist) {
		return filepath.Join(dir, filepath.Base(abs)), nil, nil
	}
	real, err := filepath.EvalSymlinks(abs)
	if err != nil {
		return path, nil, fmt.Errorf("it is a link that leads nowhere: %w", err)
	}
	info, err := os.Stat(real)
	switch {
	case err != nil:
		return path, nil, err
	case info.IsDir():
		return path, nil, errors.New("it is a folder; give the name of a file in it")
	case !info.Mode().IsRegular():
		return path, nil, errors.New("it is no regular file")
	}
	return real, info, nil
}

// owns says what of the service's own a resolved path is, "" for nothing.
func (o Options) owns(path string, info fs.FileInfo) (what string, err error) {
	if key := o.keyFile(); key != "" {
		if isFile(info, key) || samePlace(path, key) {
			return "the master key, without which nobody can read the database or any backup", nil
		}
		if old := key + masterkey.OldKey; isFile(info, old) || samePlace(path, old) {
			return "the master key from before a rotation that is not finished", nil
		}
		if strings.HasPrefix(filepath.Base(path), filepath.Base(key)+masterkey.RetiredKey) && sameFolder(filepath.Dir(path), filepath.Dir(key)) {
			return "the master key of older backups", nil
		}
	}
	data, err := filepath.EvalSymlinks(o.Data)
	if err != nil {
		return "", err
	}
	for _, name := range ownNames {
		own := filepath.Join(data, name)
		if isFile(info, own) || samePlace(path, own) || below(path, own) {
			return "a file of the data folder itself (" + name + ")", nil
		}
	}
	if info == nil {
		return "", nil
	}
	return o.linked(data, info)
}

// linked finds a file below the data folder's own folders that is the same as one
// elsewhere, by a hard link.
func (o Options) linked(data string, info fs.FileInfo) (what string, err error) {
	err = filepath.WalkDir(data, func(name string, d fs.DirEntry, err error) error {
		rel, _ := filepath.Rel(data, name) // both are absolute
		top, _, _ := strings.Cut(rel, string(filepath.Separator))
		switch {
		case errors.Is(err, fs.ErrNotExist): // it went meanwhile
			return nil
		case err != nil:
			return err
		case rel != "." && !slices.Contains(ownNames, top):
			if d.IsDir() {
				return fs.SkipDir
			}
			return nil
		case d.Type().IsRegular() && isFile(info, name):
			what = "a file of the data folder itself (" + rel + ")"
			return fs.SkipAll
		}
		return nil
	})
	return what, err
}

// isFile says whether a file that was found is the one of a path.
func isFile(info fs.FileInfo, path string) bool {
	there, err := os.Stat(path)
	return info != nil && err == nil && os.SameFile(info, there)
}

// samePlace says whether two paths have one name in one folder, whether or not there is
// such a file.
func samePlace(a, b string) bool {
	return strings.EqualFold(filepath.Base(a), filepath.Base(b)) && sameFolder(filepath.Dir(a), filepath.Dir(b))
}

func sameFolder(a, b string) bool {
	info, err := os.Stat(a)
	return err == nil && isFile(info, b)
}

// below says whether a path lies in a folder or in one below it.
func below(path, folder string) bool {
	for dir := filepath.Dir(path); ; dir = filepath.Dir(dir) {
		if sameFolder(dir, folder) {
			return true
		}
		if dir == filepath.Dir(dir) {
			return false
		}
	}
}
