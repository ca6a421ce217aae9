// Package local lets the commands of svc ask the server that runs on the same
// machine: a database is open in one process at a time, so a backup, for example,
// is made by the process that has it.
//
// It promises that only who may read the data folder may ask, and that a command
// works the same whether a server runs or not. It refuses the network: it listens
// on a socket file in that folder.
package local

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"svc/app/mapkey"
)

// Admin is what the owner of the machine may ask of the service.
type Admin interface {
	// Backup writes a verified copy of the database to a file. force lets it replace an
	// existing file that is no backup.
	Backup(ctx context.Context, file string, force bool) error
	// CreateAdmin makes a platform administrator and answers the password; it is ""
	// for a person who had one.
	CreateAdmin(ctx context.Context, email string) (password string, err error)
	// ResetPassword gives a person a new password and ends their sessions; with
	// twoFactor it turns two-factor off too.
	ResetPassword(ctx context.Context, email string, twoFactor bool) (password string, err error)
	// VerifyAudit proves every audit chain, also against the anchors in a file when one is
	// named.
	VerifyAudit(ctx context.Context, anchors string) ([]Chain, error)
	// AddMapKey makes a key of the map that is stored in the database.
	AddMapKey(ctx context.Context, n mapkey.NewKey) (NewMapKey, error)
	// MapKeys are the keys of the map that are stored in the database, oldest first.
	MapKeys(ctx context.Context) ([]MapKey, error)
	// RevokeMapKey revokes the stored key that who names: the key, its start, its ID or its
	// name.
	RevokeMapKey(ctx context.Context, who string) (RevokedMapKey, error)
	// EditMapKey changes the stored key that who names, as RevokeMapKey finds it.
	EditMapKey(ctx context.Context, who string, c mapkey.KeyChanges) (EditedMapKey, error)
	// MissingFiles compares the records of files of conversations with the place of files.
	MissingFiles(ctx context.Context) (MissingFiles, error)
	// Clocks says what the clock of this machine can be compared with.
	Clocks(ctx context.Context) (Clocks, error)
}

// MapKey is a key of the map that is stored in the database (map contract 54.10). Of the
// key itself only its start is known.
type MapKey struct {
	ID           string     `json:"id"`
	Name         string     `json:"name"`
	KeyStart     string     `json:"key_start"`
	Origins      []string   `json:"origins"`       // none: everywhere
	RateLimit    int64      `json:"rate_limit"`    // requests a minute; 0: the default of the server
	MonthlyQuota int64      `json:"monthly_quota"` // billable requests of a month in UTC; 0: no limit
	Disabled     bool       `json:"disabled"`
	Note         string     `json:"note"`
	CreatedAt    time.Time  `json:"created_at"`
	CreatedBy    string     `json:"created_by"`
	RevokedAt    *time.Time `json:"revoked_at"`
}

// NewMapKey is a key that was just made, with the key itself.
type NewMapKey struct {
	MapKey
	Key      string
	SameName int // how many other stored keys have its name
}

// RevokedMapKey is a key that was revoked, now or before.
type RevokedMapKey struct {
	MapKey
	Already bool
}

// EditedMapKey is a key as it is now.
type EditedMapKey struct {
	MapKey
	Same     bool // it was like that before
	SameName int  // how many other stored keys have its name
}

// Clocks are times that the clock of this machine must agree with (contract 21.3).
type Clocks struct {
	// Newest is when the newest entry of the database was written; zero for none.
	Newest time.Time
	// Ahead is how far the clock is ahead of the platform's, when Known.
	Ahead time.Duration
	Known bool
}

// MissingFiles says which files of conversations have a record and are not in their place.
type MissingFiles struct {
	Records int // that should have a file
	Files   int // of which so many have none
	// First are the ids of some of them.
	First []string
}

// String tells it in a line.
func (m MissingFiles) String() string {
	out := fmt.Sprintf("files of conversations: %d, missing: %d", m.Records, m.Files)
	if m.Files == 0 {
		return out
	}
	if m.Files > len(m.First) {
		out += ", the first of them"
	}
	return out + ": " + strings.Join(m.First, ", ")
}

// Chain is the result of verifying one audit chain.
type Chain struct {
	OwnerOrgID string // an organization's id, "" for the platform
	Entries    int64
	Anchors    int    // that it was compared with
	Broken     string // what is wrong; "" when nothing is
}

// ErrNotRunning says that no server has the data folder.
var ErrNotRunning = errors.New("no server runs on this data folder")

// maxPath is what the kernel takes as the name of a socket.
const maxPath = 100

func socket(dir string) string { return filepath.Join(dir, "svc.sock") }

// Serve answers commands until ctx ends. The folder must exist.
func Serve(ctx context.Context, dir string, a Admin) error {
	path := socket(dir)
	if len(path) > maxPath {
		return fmt.Errorf("the path of the data folder is too long for the socket of local commands: %s", dir)
	}
	if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("the socket of a former server cannot be removed: %w", err)
	}
	l, err := listen(ctx, path)
	if err != nil {
		return fmt.Errorf("local commands: %w", err)
	}
	defer context.AfterFunc(ctx, func() { _ = l.Close() })()
	calls := callsOf(ctx, a)
	return serve(ctx, l, func(conn net.Conn) { answer(conn, calls) })
}

// Pauses before another try to accept a connection, doubling from the first to the
// longest.
const (
	firstPause   = 5 * time.Millisecond
	longestPause = time.Second
)

// serve hands connections on until ctx ends. While the process has no descriptor free it
// tries again after a pause: that passes by itself, and must not end the server
// (contract 21.3, Descriptors).
func serve(ctx context.Context, l net.Listener, handle func(net.Conn)) error {
	pause := firstPause
	for {
		conn, err := l.Accept()
		switch {
		case err == nil:
			pause = firstPause
			go handle(conn)
			continue
		case ctx.Err() != nil: // it was closed, which is how it ends
			return nil //nolint:nilerr // accepting failed because it ended
		case !temporary(err):
			return fmt.Errorf("local commands: %w", err)
		}
		select {
		case <-time.After(pause):
			pause = min(2*pause, longestPause)
		case <-ctx.Done():
			return nil
		}
	}
}

// temporary says whether accepting can work again: descriptors or memory ran out, or the
// other side had gone (accept(2)).
func temporary(err error) bool {
	for _, passing := range []error{syscall.EMFILE, syscall.ENFILE, syscall.ENOBUFS, syscall.ENOMEM, syscall.ECONNABORTED, syscall.EINTR} {
		if errors.Is(err, passing) {
			return true
		}
	}
	return false
}

// listen makes the socket, which nobody else may open even for a moment.
func listen(ctx context.Context, path string) (net.Listener, error) {
	defer syscall.Umask(syscall.Umask(0o077))
	return (&net.ListenConfig{}).Listen(ctx, "unix", path)
}
