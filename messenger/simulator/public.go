package simulator

import (
	"crypto/rsa"
	"crypto/x509"
	"encoding/pem"
	"errors"

	"github.com/gotd/td/exchange"
)

const publicType = "RSA PUBLIC KEY"

// PublicPEM is the public key as a file, for servers in other processes.
func (s *Simulator) PublicPEM() []byte {
	return pem.EncodeToMemory(&pem.Block{Type: publicType, Bytes: x509.MarshalPKCS1PublicKey(s.PublicKey().RSA)})
}

// ParsePublicPEM reads what PublicPEM wrote.
func ParsePublicPEM(file []byte) (exchange.PublicKey, error) {
	block, _ := pem.Decode(file)
	if block == nil || block.Type != publicType {
		return exchange.PublicKey{}, errors.New("this is no public key of a simulator; name its simulator/public.pem")
	}
	key, err := x509.ParsePKCS1PublicKey(block.Bytes)
	if err != nil {
		return exchange.PublicKey{}, err
	}
	if key.N.BitLen() != 8*keyBytes {
		return exchange.PublicKey{}, rsa.ErrVerification
	}
	return exchange.PublicKey{RSA: key}, nil
}

const keyBytes = 256
