// Package recordid makes and reads the ids of records: a prefix, an underscore and 26
// characters of lower-case Crockford base32, of 48 bits of milliseconds and 80 random bits
// (contract 1.1).
package recordid

import (
	"crypto/rand"
	"strings"
	"sync"
	"time"

	"github.com/oklog/ulid/v2"
)

// length is the length of an id behind its prefix and underscore.
const length = ulid.EncodedSize

// Maker makes ids. Those of one maker ascend, also within a millisecond and when the clock steps
// back. Safe for concurrent use.
type Maker struct {
	mu      sync.Mutex
	now     func() time.Time
	last    uint64
	entropy *ulid.MonotonicEntropy
}

// NewMaker makes ids over a clock.
func NewMaker(now func() time.Time) *Maker {
	return &Maker{now: now, entropy: ulid.Monotonic(rand.Reader, 0)}
}

// New makes an id, for example "rcp_01jyd1zq6x4t9v2n8m5c7b3k1h".
func (g *Maker) New(prefix string) string {
	g.mu.Lock()
	defer g.mu.Unlock()
	ms := min(max(g.now().UnixMilli(), 0), int64(ulid.MaxTime()))
	g.last = max(g.last, uint64(ms))
	id, err := ulid.New(g.last, g.entropy)
	for err != nil { // the random part ran over: go on in the next millisecond
		g.last++
		id, err = ulid.New(g.last, g.entropy)
	}
	return format(prefix, id)
}

// Behind makes every id from now on sort behind another, whatever the clock says. What
// is no id changes nothing.
func (g *Maker) Behind(id string) {
	prefix, _, _ := strings.Cut(id, "_")
	u, ok := parse(prefix, id)
	if !ok {
		return
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	g.last = max(g.last, ulid.ULID(u).Time()+1)
}

func format(prefix string, id [16]byte) string {
	b := make([]byte, 0, len(prefix)+1+length)
	b = append(append(b, prefix...), '_')
	at := len(b)
	b = b[:at+length]
	_ = ulid.ULID(id).MarshalTextTo(b[at:]) // fails only for a wrong length
	for i := at; i < len(b); i++ {
		if b[i] >= 'A' {
			b[i] += 'a' - 'A'
		}
	}
	return string(b)
}

// parse reads an id of that prefix. Only the one spelling that New writes counts.
func parse(prefix, id string) (out [16]byte, ok bool) {
	body, found := strings.CutPrefix(id, prefix)
	if !found || len(body) != 1+length || body[0] != '_' {
		return out, false
	}
	for i := 1; i < len(body); i++ {
		if body[i] >= 'A' && body[i] <= 'Z' {
			return out, false
		}
	}
	u, err := ulid.ParseStrict(body[1:])
	return u, err == nil
}

// Valid reports whether id is one that New could have made with that prefix.
func Valid(prefix, id string) bool {
	_, ok := parse(prefix, id)
	return ok
}

// Bytes is what an id of that prefix says, in 16 bytes; false for what is no id.
func Bytes(prefix, id string) ([16]byte, bool) { return parse(prefix, id) }

// Of is the id that Bytes has read.
func Of(prefix string, id [16]byte) string { return format(prefix, id) }

// Time is when an id was made, to the millisecond; false for what is no id.
func Time(id string) (time.Time, bool) {
	prefix, _, _ := strings.Cut(id, "_")
	u, ok := parse(prefix, id)
	return ulid.ULID(u).Timestamp().UTC(), ok
}
