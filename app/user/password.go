package user

import (
	"context"
	"crypto/rand"
	"crypto/subtle"
	"encoding/base64"
	"errors"
	"fmt"
	"runtime"
	"strings"

	"golang.org/x/crypto/argon2"
)

// What a new hash costs: the second choice of OWASP's list, which a small server
// can pay. A stored hash says its own cost.
const (
	memoryKiB = 19 << 10
	passes    = 2
	lanes     = 1
	saltSize  = 16
	hashSize  = 32
)

// hasher computes argon2id, a few at a time: each takes 19 MiB and a core.
type hasher struct{ slots chan struct{} }

func newHasher() *hasher {
	return &hasher{make(chan struct{}, min(runtime.GOMAXPROCS(0), 4))}
}

// phc is a hash in the PHC string format.
type phc struct {
	memory, passes uint32
	lanes          uint8
	salt, hash     []byte
}

const phcForm = "$argon2id$v=%d$m=%d,t=%d,p=%d$%s$%s"

func (p phc) String() string {
	b := base64.RawStdEncoding
	return fmt.Sprintf(phcForm, argon2.Version, p.memory, p.passes, p.lanes, b.EncodeToString(p.salt), b.EncodeToString(p.hash))
}

var errHash = errors.New("user: a stored password hash cannot be read")

// parsePHC reads a stored hash. It refuses costs that no version of ours wrote.
func parsePHC(s string) (p phc, err error) {
	parts := strings.Split(s, "$")
	if len(parts) != 6 || parts[0] != "" || parts[1] != "argon2id" || parts[2] != fmt.Sprintf("v=%d", argon2.Version) {
		return p, errHash
	}
	if _, err := fmt.Sscanf(parts[3], "m=%d,t=%d,p=%d", &p.memory, &p.passes, &p.lanes); err != nil {
		return p, errHash
	}
	b := base64.RawStdEncoding
	p.salt, err = b.DecodeString(parts[4])
	if err == nil {
		p.hash, err = b.DecodeString(parts[5])
	}
	if err != nil || p.memory > 1<<20 || p.passes < 1 || p.passes > 64 || p.lanes < 1 || len(p.salt) < 8 || len(p.hash) < 16 || len(p.hash) > 64 {
		return p, errHash
	}
	return p, nil
}

func (h *hasher) compute(ctx context.Context, password string, p phc, size int) ([]byte, error) {
	select {
	case h.slots <- struct{}{}:
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	defer func() { <-h.slots }()
	return argon2.IDKey(normal(password), p.salt, p.passes, p.memory, p.lanes, uint32(size)), nil
}

// Hash makes the hash under which a password is stored. Call it outside of
// transactions: it takes tens of milliseconds and waits for its turn.
func (s *Service) Hash(ctx context.Context, password string) (string, error) {
	p := phc{memory: memoryKiB, passes: passes, lanes: lanes, salt: make([]byte, saltSize)}
	_, _ = rand.Read(p.salt) // never fails
	var err error
	p.hash, err = s.hasher.compute(ctx, password, p, hashSize)
	return p.String(), err
}

// Verify says whether the password is that of a person. nil stands for an address
// that nobody has: that takes as long and is never right. Call it outside of
// transactions.
func (s *Service) Verify(ctx context.Context, u *User, password string) (bool, error) {
	p := phc{memory: memoryKiB, passes: passes, lanes: lanes, salt: make([]byte, saltSize), hash: make([]byte, hashSize)}
	if u != nil {
		var err error
		if p, err = parsePHC(u.Password); err != nil {
			return false, err
		}
	}
	got, err := s.hasher.compute(ctx, password, p, len(p.hash))
	return err == nil && subtle.ConstantTimeCompare(got, p.hash) == 1 && u != nil, err
}
