//go:build unix

package mapkey

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
	"time"
)

// lockWait bounds how long an edit waits for others; each holds the lock for
// the time of one small file.
const lockWait = 10 * time.Second

// resolve follows symbolic links to the file that is really edited, so that a
// link stays a link. The file itself need not exist.
func resolve(path string) (string, error) {
	for range 40 {
		info, err := os.Lstat(path)
		if errors.Is(err, fs.ErrNotExist) || (err == nil && info.Mode()&fs.ModeSymlink == 0) {
			return path, nil
		}
		if err != nil {
			return "", fmt.Errorf("key file: %w", err)
		}
		to, err := os.Readlink(path)
		if err != nil {
			return "", fmt.Errorf("key file: %w", err)
		}
		if !filepath.IsAbs(to) {
			to = filepath.Join(filepath.Dir(path), to)
		}
		path = to
	}
	return "", fmt.Errorf("key file %s: too many symbolic links", path)
}

// lockFile takes the exclusive lock of an edit; closing the file frees it. The lock file stays behind:
// removing it would let two processes hold "the" lock. The kernel frees the
// lock of a process that dies.
func lockFile(path string) (*os.File, error) {
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE|syscall.O_NOFOLLOW, 0o600)
	if err != nil {
		return nil, fmt.Errorf("lock of the key file: %w", err)
	}
	give := time.NewTimer(lockWait)
	defer give.Stop()
	again := time.NewTicker(5 * time.Millisecond)
	defer again.Stop()
	for {
		err = syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
		if err == nil {
			return f, nil
		}
		if !errors.Is(err, syscall.EWOULDBLOCK) && !errors.Is(err, syscall.EINTR) {
			_ = f.Close()
			return nil, fmt.Errorf("lock %s: %w", path, err)
		}
		select {
		case <-again.C:
		case <-give.C:
			_ = f.Close()
			return nil, fmt.Errorf("another command has been editing the key file for %s (lock %s); try again", lockWait, path)
		}
	}
}

// replaceFile puts data in the place of path in one step, on disk when it
// returns, with mode 0600 and the owner the file had. It runs under the lock,
// so the temporary name is its own and a leftover of a killed process goes.
func replaceFile(path string, data []byte, old os.FileInfo) error {
	tmp := path + ".tmp"
	_ = os.Remove(tmp)
	f, err := os.OpenFile(tmp, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return fmt.Errorf("key file: %w", err)
	}
	defer func() { _ = os.Remove(tmp) }() // gone after the rename
	if err := keepOwner(f, old); err != nil {
		_ = f.Close()
		return err
	}
	_, err = f.Write(data)
	err = errors.Join(err, f.Sync(), f.Close())
	if err == nil {
		err = os.Rename(tmp, path)
	}
	if err != nil {
		return fmt.Errorf("key file: %w", err)
	}
	dir, err := os.Open(filepath.Dir(path))
	if err != nil {
		return fmt.Errorf("key file: %w", err)
	}
	defer dir.Close()
	if err := dir.Sync(); err != nil {
		return fmt.Errorf("key file: %w", err)
	}
	return nil
}

// keepOwner gives the new file to the owner of the old one: an administrator's
// edit must not lock the server out of a file with mode 0600.
func keepOwner(f *os.File, old os.FileInfo) error {
	if old == nil {
		return nil
	}
	was, ok := old.Sys().(*syscall.Stat_t)
	if !ok || int(was.Uid) == os.Geteuid() && int(was.Gid) == os.Getegid() {
		return nil
	}
	if err := f.Chown(int(was.Uid), int(was.Gid)); err != nil && int(was.Uid) != os.Geteuid() {
		return fmt.Errorf("the key file belongs to user %d; edit it as that user or as root", was.Uid)
	}
	return nil
}

// lockShared refuses a file that another process has locked for itself. The
// lock goes when the file is closed.
func lockShared(f *os.File) error {
	return syscall.Flock(int(f.Fd()), syscall.LOCK_SH|syscall.LOCK_NB)
}

// lockAlone takes a file for this process alone, or fails at once.
func lockAlone(f *os.File) error {
	return syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
}

// stampOf tells versions of a file apart: which file it is, its size, its
// modification time. "" when there is none.
func stampOf(path string) string {
	info, err := os.Stat(path)
	if err != nil {
		return ""
	}
	var dev, ino uint64
	if st, ok := info.Sys().(*syscall.Stat_t); ok {
		dev, ino = uint64(st.Dev), st.Ino
	}
	return fmt.Sprintf("%d:%d:%d:%d", dev, ino, info.Size(), info.ModTime().UnixNano())
}

// unlock frees a lock by name: closing is not enough for a file that is still
// mapped, because the mapping keeps it open.
func unlock(f *os.File) error { return syscall.Flock(int(f.Fd()), syscall.LOCK_UN) }
