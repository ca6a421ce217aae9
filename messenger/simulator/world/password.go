package world

import (
	"bytes"

	"github.com/gotd/td/crypto"

	"svc/messenger/simulator/world/record"
	"svc/messenger/simulator/world/srp"
)

// Password is what a client needs to prove that it knows a password without saying it
// (SRP-2048, in the platform's own flavour).
type Password struct {
	Set          bool
	Hint         string
	Salt1, Salt2 []byte
	G            int
	P            []byte
	ID           int64
	B            []byte
}

// maxChallenges bounds the proofs under way.
const maxChallenges = 1000

// PasswordOf begins a proof for the account that a key has a right code of. Each
// challenge serves once.
func (w *World) PasswordOf(k [8]byte) (Password, error) {
	p, err := w.passwordPhone(k)
	if err != nil || p.Password == "" {
		return Password{}, err
	}
	// A tenth of a second of hashing, outside of the lock.
	c, err := srp.New(p.Password)
	if err != nil {
		return Password{}, err
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	if len(w.srp) >= maxChallenges {
		clear(w.srp)
	}
	w.srp[k] = c
	return Password{
		Set: true, Hint: p.Hint, Salt1: c.Salt1, Salt2: c.Salt2, G: srp.Generator, P: srp.Prime, ID: c.ID, B: c.B(),
	}, nil
}

func (w *World) passwordPhone(k [8]byte) (record.Phone, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	key := w.keys[k]
	if key == nil {
		return record.Phone{}, errUnregistered
	}
	a := w.accounts[max(key.pending, key.account)]
	if a == nil {
		return record.Phone{}, errUnregistered
	}
	return *w.phones[a.phone], nil
}

// CheckPassword ends a sign-in with the proof of a password.
func (w *World) CheckPassword(k crypto.AuthKey, id int64, a, m1 []byte) (int64, error) {
	w.mu.Lock()
	key, c := w.keys[k.ID], w.srp[k.ID]
	delete(w.srp, k.ID)
	w.mu.Unlock()
	switch {
	case key == nil || key.pending == 0:
		return 0, errUnregistered
	case c == nil || c.ID != id:
		return 0, platform("SRP_ID_INVALID")
	case !c.Proves(bytes.Clone(a), m1):
		return 0, platform("PASSWORD_HASH_INVALID")
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	return key.pending, w.signIn(k, key.pending)
}
