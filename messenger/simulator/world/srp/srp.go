// Package srp is the server's side of the proof that a client knows a password without saying it
// (SRP-2048, in the platform's own flavour).
package srp

import (
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/binary"
	"encoding/hex"
	"math/big"
	"slices"
	"sync"

	"github.com/gotd/td/crypto/srp"
)

// Challenge is the server's half of one proof.
type Challenge struct {
	ID int64 // random, above 0
	*verifier

	b, gB *big.Int
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

// Generator is the base of the proof.
const Generator = 3

var (
	// Prime is the safe prime of the proof, 256 bytes.
	Prime, _ = hex.DecodeString(primeHex)
	prime    = new(big.Int).SetBytes(Prime)
)

// New begins a proof of a password. The first of a password takes half a second of
// hashing.
func New(password string) (*Challenge, error) {
	stored, err := verifierOf(password)
	if err != nil {
		return nil, err
	}
	random := make([]byte, 8+256)
	_, _ = rand.Read(random)
	c := &Challenge{ID: int64(binary.LittleEndian.Uint64(random) >> 1), verifier: stored, b: new(big.Int).SetBytes(random[8:])}
	// B = k·v + g^b
	g := big.NewInt(Generator)
	k := new(big.Int).SetBytes(sum(Prime, wide(g)))
	c.gB = k.Mul(k, c.v)
	c.gB.Add(c.gB, new(big.Int).Exp(g, c.b, prime)).Mod(c.gB, prime)
	return c, nil
}

// verifier is what a server stores instead of a password.
type verifier struct {
	Salt1, Salt2 []byte
	v            *big.Int
}

// verifiers are those of the passwords that were asked for: a simulator has a handful.
var verifiers sync.Map // of *verifier by password

func verifierOf(password string) (*verifier, error) {
	if v, ok := verifiers.Load(password); ok {
		return v.(*verifier), nil
	}
	salts := make([]byte, 32)
	_, _ = rand.Read(salts)
	out := &verifier{Salt2: salts[16:]}
	hash, salt1, err := srp.NewSRP(rand.Reader).NewHash([]byte(password), srp.Input{
		Salt1: salts[:16], Salt2: out.Salt2, G: Generator, P: Prime,
	})
	if err != nil {
		return nil, err
	}
	out.Salt1, out.v = salt1, new(big.Int).SetBytes(hash)
	kept, _ := verifiers.LoadOrStore(password, out)
	return kept.(*verifier), nil
}

// Proves says whether a client's A and M1 show that it knows the password.
func (c *Challenge) Proves(a, m1 []byte) bool {
	ga := new(big.Int).SetBytes(a)
	if len(a) != 256 || ga.Sign() == 0 || ga.Cmp(prime) >= 0 {
		return false
	}
	u := new(big.Int).SetBytes(sum(a, wide(c.gB)))
	s := new(big.Int).Exp(c.v, u, prime)
	s.Mul(s, ga).Mod(s, prime).Exp(s, c.b, prime)
	hp, hg := sum(Prime), sum(wide(big.NewInt(Generator)))
	for i := range hp {
		hp[i] ^= hg[i]
	}
	want := sum(hp, sum(c.Salt1), sum(c.Salt2), a, wide(c.gB), sum(wide(s)))
	return subtle.ConstantTimeCompare(want, m1) == 1
}

func wide(n *big.Int) []byte { return n.FillBytes(make([]byte, 256)) }

func sum(parts ...[]byte) []byte {
	s := sha256.Sum256(slices.Concat(parts...))
	return s[:]
}

// B is the half of the proof that the client is told.
func (c *Challenge) B() []byte { return wide(c.gB) }
