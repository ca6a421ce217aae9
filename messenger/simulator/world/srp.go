package world

import (
	"bytes"
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/binary"
	"encoding/hex"
	"math/big"
	"slices"

	"github.com/gotd/td/crypto"
	"github.com/gotd/td/crypto/srp"
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

// challenge is the server's half of one proof.
type challenge struct {
	id       int64
	salt1    []byte
	salt2    []byte
	verifier *big.Int
	b, gB    *big.Int
	password string
}

// primeHex is the platform's own safe prime, which clients know.
const primeHex = "c71caeb9c6b1c9048e6c522f70f13f73980d40238e3e21c14934d037563d930f" +
	"48198a0aa7c14058229493d22530f4dbfa336f6e0ac925139543aed44cce7c37" +
	"20fd51f69458705ac68cd4fe6b6b13abdc9746512969328454f18faf8c595f64" +
	"2477fe96bb2a941d5bcd1d4ac8cc49880708fa9b378e3c4f3a9060bee67cf9a4" +
	"a4a695811051907e162753b56b0f6b410dba74d8a84b2a14b3144e0ef1284754" +
	"fd17ed950d5965b4b9dd46582db1178d169c6bc465b0d6ff9ca3928fef5b9ae4" +
	"e418fc15e83ebea0f87fa9ff5eed70050ded2849f47bf959d956850ce929851f" +
	"0d8115f635b105ee2e4e15d04b2454bf6f4fadf034b10403119cd8e3b92fcc5b"

// generator is the base of the proof.
const generator = 3

var (
	primeBytes, _ = hex.DecodeString(primeHex)
	prime         = new(big.Int).SetBytes(primeBytes)
)

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
	c, err := newChallenge(p.Password)
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
		Set: true, Hint: p.Hint, Salt1: c.salt1, Salt2: c.salt2, G: generator, P: primeBytes, ID: c.id, B: wide(c.gB),
	}, nil
}

func (w *World) passwordPhone(k [8]byte) (Phone, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	key := w.keys[k]
	if key == nil {
		return Phone{}, errUnregistered
	}
	a := w.accounts[max(key.pending, key.account)]
	if a == nil {
		return Phone{}, errUnregistered
	}
	return *w.phones[a.phone], nil
}

func newChallenge(password string) (*challenge, error) {
	random := make([]byte, 8+16+16+256)
	_, _ = rand.Read(random)
	c := &challenge{
		id:    int64(binary.LittleEndian.Uint64(random) >> 1),
		salt2: random[24:40], b: new(big.Int).SetBytes(random[40:]), password: password,
	}
	hash, salt, err := srp.NewSRP(rand.Reader).NewHash([]byte(password), srp.Input{
		Salt1: random[8:24], Salt2: c.salt2, G: generator, P: primeBytes,
	})
	if err != nil {
		return nil, err
	}
	c.salt1, c.verifier = salt, new(big.Int).SetBytes(hash)
	// B = k·v + g^b
	g := big.NewInt(generator)
	k := new(big.Int).SetBytes(sum(primeBytes, wide(g)))
	c.gB = k.Mul(k, c.verifier)
	c.gB.Add(c.gB, new(big.Int).Exp(g, c.b, prime)).Mod(c.gB, prime)
	return c, nil
}

// prove says whether a client's A and M1 show that it knows the password.
func (c *challenge) prove(a, m1 []byte) bool {
	ga := new(big.Int).SetBytes(a)
	if len(a) != 256 || ga.Sign() == 0 || ga.Cmp(prime) >= 0 {
		return false
	}
	u := new(big.Int).SetBytes(sum(a, wide(c.gB)))
	s := new(big.Int).Exp(c.verifier, u, prime)
	s.Mul(s, ga).Mod(s, prime).Exp(s, c.b, prime)
	hp, hg := sum(primeBytes), sum(wide(big.NewInt(generator)))
	for i := range hp {
		hp[i] ^= hg[i]
	}
	want := sum(hp, sum(c.salt1), sum(c.salt2), a, wide(c.gB), sum(wide(s)))
	return subtle.ConstantTimeCompare(want, m1) == 1
}

func wide(n *big.Int) []byte { return n.FillBytes(make([]byte, 256)) }

func sum(parts ...[]byte) []byte {
	s := sha256.Sum256(slices.Concat(parts...))
	return s[:]
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
	case c == nil || c.id != id:
		return 0, platform("SRP_ID_INVALID")
	case !c.prove(bytes.Clone(a), m1):
		return 0, platform("PASSWORD_HASH_INVALID")
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	return key.pending, w.signIn(k, key.pending)
}
