package simulator

import (
	"crypto/rand"
	"crypto/rsa"
	"crypto/x509"
	"encoding/pem"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"sync"

	"github.com/gotd/td/exchange"
)

const keyName = "server-key.pem"

// serverKey is the key of the server: kept in dir, or one for the whole process.
func serverKey(dir string) (exchange.PrivateKey, error) {
	if dir == "" {
		k, err := memoryKey()
		return exchange.PrivateKey{RSA: k}, err
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return exchange.PrivateKey{}, err
	}
	name := filepath.Join(dir, keyName)
	b, err := os.ReadFile(name)
	if errors.Is(err, fs.ErrNotExist) {
		return newServerKey(name)
	}
	if err != nil {
		return exchange.PrivateKey{}, err
	}
	block, _ := pem.Decode(b)
	if block == nil {
		return exchange.PrivateKey{}, fmt.Errorf("%s holds no key: remove it, and sign in again", keyName)
	}
	k, err := x509.ParsePKCS1PrivateKey(block.Bytes)
	return exchange.PrivateKey{RSA: k}, err
}

var memoryKey = sync.OnceValues(func() (*rsa.PrivateKey, error) { return rsa.GenerateKey(rand.Reader, 2048) })

// newServerKey makes a key and writes it whole or not at all.
func newServerKey(name string) (exchange.PrivateKey, error) {
	k, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		return exchange.PrivateKey{}, err
	}
	b := pem.EncodeToMemory(&pem.Block{Type: "RSA PRIVATE KEY", Bytes: x509.MarshalPKCS1PrivateKey(k)})
	if err := os.WriteFile(name+".new", b, 0o600); err != nil {
		return exchange.PrivateKey{}, err
	}
	return exchange.PrivateKey{RSA: k}, os.Rename(name+".new", name)
}
