package postgres

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/jackc/pgx/v5/pgconn"
)

var (
	// errConflict is matched when the transaction has to run again: another one changed
	// what it read or wrote.
	errConflict = errors.New("another transaction was in the way")
	// errLost is matched when the connection broke, or the server stops, starts or is
	// not the one that takes writes any more.
	errLost = errors.New("the connection to PostgreSQL was lost")
)

// faults says what codes of the server mean, by their first five, three or two characters.
var faults = map[string]error{
	"40001": errConflict, // serialization failure
	"40P01": errConflict, // deadlock
	"55P03": errConflict, // lock not available
	"08":    errLost,     // connection exceptions
	"57P":   errLost,     // the server stops or starts
	"25006": errLost,     // read only: after a failover, the former primary
	"53300": errLost,     // too many connections
}

// explain makes errors of the client what this package distinguishes.
func explain(err error) error {
	var said *pgconn.PgError
	switch {
	case err == nil, errors.Is(err, errConflict), errors.Is(err, errLost):
		return err
	case errors.As(err, &said):
		for _, size := range []int{5, 3, 2} {
			if known := faults[said.Code[:min(size, len(said.Code))]]; known != nil {
				return fmt.Errorf("%w: %s (%s)", known, said.Message, said.Code)
			}
		}
		return fmt.Errorf("PostgreSQL: %s (%s)%s", said.Message, said.Code, advice(said))
	}
	return fmt.Errorf("%w: %w", errLost, err)
}

// advice says what to do about errors that a person can mend.
func advice(e *pgconn.PgError) string {
	switch {
	case e.Code == "54000" && strings.Contains(e.Message, "index row"):
		return ": a key is too long for its index, about 2,600 bytes; shorten the text that is indexed"
	case strings.HasPrefix(e.Code, "53"):
		return "; nothing was saved: give the server more room, memory or connections"
	case e.Code == "57014":
		return fmt.Sprintf("; a statement took longer than %s: the server is too busy or a lock was not let go", statementTime)
	case e.Code == "42501":
		return "; the user of the address may not do this: make it the owner of the database"
	}
	return ""
}

// Waiting before another try.
const (
	firstWait = 2 * time.Millisecond
	longWait  = 500 * time.Millisecond
	// patience is how long a transaction waits for a server that cannot be reached.
	patience = 20 * time.Second
	// maxConflicts is how often a transaction runs again.
	maxConflicts = 200
)

// again waits before the next try, and says whether there is to be one: conflicts and lost
// connections are tried again until ctx ends or patience does.
type again struct {
	conflicts, losses int
	since             time.Time // when the server was lost; zero: it was not
}

func (a *again) wait(ctx context.Context, err error) bool {
	switch {
	case errors.Is(err, errConflict):
		a.conflicts++
		a.since = time.Time{}
		return a.conflicts < maxConflicts && pause(ctx, min(firstWait<<min(a.conflicts, 8), longWait))
	case errors.Is(err, errLost):
		if a.since.IsZero() {
			a.since, a.losses = time.Now(), 0
		}
		a.losses++
		return time.Since(a.since) < patience && pause(ctx, min(firstWait<<min(a.losses, 8), longWait))
	}
	return false
}
