// Package masterkey reads the key of everything that is sealed from where it is kept: a file, a
// credential of the system, the environment, or the output of a command (contract 21.3, Keys).
//
// It promises that no error and no name of a source repeats the key, and that a key file is
// replaced as a whole and readable for its owner only. It refuses to know what is sealed: that
// is package store.
package masterkey

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"strings"
	"time"

	"github.com/tink-crypto/tink-go/v2/aead/aesgcm"
	"github.com/tink-crypto/tink-go/v2/insecurecleartextkeyset"
	"github.com/tink-crypto/tink-go/v2/insecuresecretdataaccess"
	"github.com/tink-crypto/tink-go/v2/keyset"
	"github.com/tink-crypto/tink-go/v2/secretdata"
)

// Source says where the master key comes from: exactly one field is set. A key is 32
// bytes in base64 or hex, or the content of a master key file that this program made
// (contract 21.3, Keys).
type Source struct {
	// File is a file of its own, which only its owner may read. It is made when it is
	// missing and nothing was sealed yet.
	File string
	// Credential is a file that somebody else provides, such as systemd, and protects.
	Credential string
	// Text is the key itself, from an environment variable.
	Text string
	// Command is a line for /bin/sh whose output is the key. It may take 30 seconds.
	Command string
}

// Bounds of reading a key.
const (
	maxKeyFile   = 1 << 20 // bytes
	maxKeyOutput = 64 << 10
	commandTime  = 30 * time.Second
	rawKeySize   = 32 // bytes, of AES-256
)

// IsZero says that there is no master key.
func (k Source) IsZero() bool { return k == Source{} }

// String names the source for people. It never shows the key or the command, which may
// hold a secret.
func (k Source) String() string {
	switch {
	case k.File != "":
		return "the file " + k.File
	case k.Credential != "":
		return "the credential " + k.Credential
	case k.Text != "":
		return "the environment variable SVC_MASTER_KEY"
	case k.Command != "":
		return "the master key command"
	}
	return "nowhere"
}

// Check reads the key and says what is wrong with it. A file that is missing is an error
// that matches fs.ErrNotExist.
func (k Source) Check(ctx context.Context) error {
	_, err := k.Read(ctx)
	return err
}

// Read reads the key. The error matches fs.ErrNotExist when its file is missing.
func (k Source) Read(ctx context.Context) (*keyset.Handle, error) {
	var (
		b   []byte
		err error
	)
	switch {
	case k.File != "":
		b, err = ReadFile(k.File, true)
	case k.Credential != "":
		b, err = ReadFile(k.Credential, false)
	case k.Command != "":
		b, err = outputOf(ctx, k.Command)
	default:
		b = []byte(k.Text)
	}
	if err != nil {
		return nil, err
	}
	h, err := Parse(b)
	switch {
	case err == nil:
		return h, nil
	case k.File != "":
		return nil, fmt.Errorf("the master key file %s is damaged; put it back from where it is kept", k.File)
	}
	return nil, fmt.Errorf("%s gives no master key: %w", k, err)
}

// ReadFile reads a file with a key. own: it is to be readable for its owner only. The error
// matches fs.ErrNotExist when it is missing.
func ReadFile(path string, own bool) ([]byte, error) {
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, fmt.Errorf("the master key file %s is missing: %w", path, fs.ErrNotExist)
	case err != nil:
		return nil, fmt.Errorf("master key file: %w", err)
	case !info.Mode().IsRegular() || info.Size() > maxKeyFile:
		return nil, fmt.Errorf("%s is no master key file", path)
	case own && info.Mode().Perm()&0o077 != 0:
		return nil, fmt.Errorf("the master key file %s can be read by others (mode %04o); run: chmod 600 %s", path, info.Mode().Perm(), path)
	}
	b, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("master key file: %w", err)
	}
	return b, nil
}

// outputOf runs a command. What it writes to standard error is in the error, its
// beginning: there a program says why it has no key.
func outputOf(ctx context.Context, line string) ([]byte, error) {
	ctx, cancel := context.WithTimeout(ctx, commandTime)
	defer cancel()
	cmd := exec.CommandContext(ctx, "/bin/sh", "-c", line)
	cmd.WaitDelay = time.Second
	out, said := &bounded{most: maxKeyOutput}, &bounded{most: 300}
	cmd.Stdout, cmd.Stderr = out, said
	switch err := cmd.Run(); {
	case ctx.Err() != nil:
		return nil, fmt.Errorf("the master key command did not end within %s", commandTime)
	case err != nil:
		first, _, _ := strings.Cut(strings.TrimSpace(said.b.String()), "\n")
		return nil, fmt.Errorf("the master key command failed: %w: %s", err, first)
	case out.more:
		return nil, fmt.Errorf("the master key command wrote more than %d bytes; it must write the key and nothing else", maxKeyOutput)
	}
	return out.b.Bytes(), nil
}

// bounded keeps the beginning of what is written to it.
type bounded struct {
	b    bytes.Buffer // no embedding: its ReadFrom knows no bound
	most int
	more bool // there was more
}

func (b *bounded) Write(p []byte) (int, error) {
	keep := min(len(p), b.most-b.b.Len())
	b.more = b.more || keep < len(p)
	_, _ = b.b.Write(p[:keep]) // never fails
	return len(p), nil
}

// Parse reads a key in any of its forms. Its errors do not repeat it.
func Parse(b []byte) (*keyset.Handle, error) {
	text := strings.TrimSpace(string(b))
	if strings.HasPrefix(text, "{") {
		h, err := insecurecleartextkeyset.Read(keyset.NewJSONReader(strings.NewReader(text)))
		if err != nil {
			return nil, errors.New("it looks like the content of a master key file and is damaged")
		}
		return h, nil
	}
	raw, err := hex.DecodeString(text)
	for _, e := range []*base64.Encoding{base64.StdEncoding, base64.RawStdEncoding, base64.URLEncoding, base64.RawURLEncoding} {
		if err == nil && len(raw) == rawKeySize {
			break
		}
		raw, err = e.DecodeString(text)
	}
	if err != nil || len(raw) != rawKeySize {
		return nil, fmt.Errorf("a key is %d bytes in base64 (44 characters) or hex (64), as 'openssl rand -base64 32' makes it, or the content of a master key file", rawKeySize)
	}
	return rawKey(raw)
}

// rawKey is the keyset of one key. Its number follows from the key, because what is
// sealed begins with it.
func rawKey(raw []byte) (*keyset.Handle, error) {
	p, err := aesgcm.NewParameters(aesgcm.ParametersOpts{KeySizeInBytes: rawKeySize, IVSizeInBytes: 12, TagSizeInBytes: 16, Variant: aesgcm.VariantTink})
	if err != nil {
		return nil, fmt.Errorf("use the master key: %w", err)
	}
	sum := sha256.Sum256(append([]byte("svc master key number"), raw...))
	key, err := aesgcm.NewKey(secretdata.NewBytesFromData(raw, insecuresecretdataaccess.Token{}), binary.BigEndian.Uint32(sum[:])|1, p)
	if err != nil {
		return nil, fmt.Errorf("use the master key: %w", err)
	}
	m := keyset.NewManager()
	id, err := m.AddKey(key)
	if err == nil {
		err = m.SetPrimary(id)
	}
	if err != nil {
		return nil, fmt.Errorf("use the master key: %w", err)
	}
	return m.Handle()
}
