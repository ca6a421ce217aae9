package masterkey

import (
	"crypto/rand"
	"encoding/base64"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"svc/store/kv/files"
)

// NewFile makes a file with a key in base64, for a source that only people can write.
func NewFile(path string) error {
	raw := make([]byte, rawKeySize)
	_, _ = rand.Read(raw) // never fails
	return WriteFile(path, append([]byte(base64.StdEncoding.EncodeToString(raw)), '\n'))
}

// WriteFile replaces a file as a whole, readable for its owner only.
func WriteFile(path string, content []byte) (err error) {
	dir := filepath.Dir(path)
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return fmt.Errorf("master key file: %w", err)
	}
	name := path + ".tmp"
	_ = os.Remove(name) // of a process that was killed
	tmp, err := os.OpenFile(name, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err != nil {
		return fmt.Errorf("master key file: %w", err)
	}
	_, err = tmp.Write(content)
	if err = errors.Join(err, tmp.Sync(), tmp.Close()); err == nil {
		err = os.Rename(name, path)
	}
	if err != nil {
		return errors.Join(fmt.Errorf("master key file: %w", err), os.Remove(name))
	}
	return files.SyncFolder(dir)
}
