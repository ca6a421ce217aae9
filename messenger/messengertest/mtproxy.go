package messengertest

import (
	"bytes"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"io"
	"net"
	"sync"

	"github.com/gotd/td/mtproxy/obfuscated2"
	"github.com/gotd/td/proto/codec"
)

// mtproto speaks the protocol of MTProto proxies with the three kinds of secrets. As
// the real ones, it hangs up on who does not know the secret.
func (p *Proxy) mtproto(c net.Conn) {
	var rw io.ReadWriter = c
	secret := p.o.Secret
	switch {
	case len(secret) > 17:
		secret = secret[1:17]
		t, err := acceptTLS(c, secret)
		if err != nil {
			return
		}
		rw = t
	case len(secret) == 17:
		secret = secret[1:]
	}
	plain, meta, err := obfuscated2.Accept(rw, secret)
	if err != nil {
		return
	}
	tag := meta.Protocol[:]
	switch {
	case meta.Protocol == codec.PaddedIntermediateClientStart, meta.Protocol == codec.IntermediateClientStart:
	case tag[0] == codec.AbridgedClientStart[0] && tag[1] == tag[0]:
		tag = tag[:1]
	default:
		return
	}
	p.through(plain, p.o.DC, tag, func(err error) error { return err })
}

// Parts of a TLS record.
const (
	tlsChange      = 0x14
	tlsHandshake   = 0x16
	tlsApplication = 0x17

	tlsRandomAt  = 11 // of a hello, from the start of its record
	tlsRandomLen = 32
)

// disguised is a connection dressed as TLS, from the proxy's side.
type disguised struct {
	io.ReadWriter
	mu   sync.Mutex
	rest bytes.Buffer
}

func readRecord(r io.Reader) (kind byte, whole []byte, err error) {
	head := make([]byte, 5)
	if _, err := io.ReadFull(r, head); err != nil {
		return 0, nil, err
	}
	whole = make([]byte, len(head)+int(binary.BigEndian.Uint16(head[3:])))
	copy(whole, head)
	_, err = io.ReadFull(r, whole[5:])
	return head[0], whole, err
}

func record(kind byte, data []byte) []byte {
	out := []byte{kind, 3, 3}
	out = binary.BigEndian.AppendUint16(out, uint16(len(data)))
	return append(out, data...)
}

// acceptTLS checks the digest in the client's hello and answers it.
func acceptTLS(c io.ReadWriter, secret []byte) (*disguised, error) {
	kind, hello, err := readRecord(c)
	if err != nil {
		return nil, err
	}
	if kind != tlsHandshake || len(hello) < tlsRandomAt+tlsRandomLen {
		return nil, errors.New("no hello")
	}
	said := [tlsRandomLen]byte(hello[tlsRandomAt:])
	clear(hello[tlsRandomAt : tlsRandomAt+tlsRandomLen])
	mac := hmac.New(sha256.New, secret)
	mac.Write(hello)
	// The last four bytes carry the client's clock.
	if !hmac.Equal(mac.Sum(nil)[:tlsRandomLen-4], said[:tlsRandomLen-4]) {
		return nil, errors.New("another secret")
	}
	body := make([]byte, 6+tlsRandomLen+44)
	_, _ = rand.Read(body[6+tlsRandomLen:])
	copy(body, []byte{2, 0, 0, byte(len(body) - 4), 3, 3})
	cover := make([]byte, 64)
	_, _ = rand.Read(cover)
	answer := record(tlsHandshake, body)
	answer = append(answer, record(tlsChange, []byte{1})...)
	answer = append(answer, record(tlsApplication, cover)...)
	mac = hmac.New(sha256.New, secret)
	mac.Write(said[:])
	mac.Write(answer)
	copy(answer[tlsRandomAt:], mac.Sum(nil))
	_, err = c.Write(answer)
	return &disguised{ReadWriter: c}, err
}

// Read reads what the client sent in application records.
func (d *disguised) Read(b []byte) (int, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	for d.rest.Len() == 0 {
		kind, whole, err := readRecord(d.ReadWriter)
		if err != nil {
			return 0, err
		}
		if kind == tlsApplication {
			d.rest.Write(whole[5:])
		}
	}
	return d.rest.Read(b)
}

// Write sends one application record for each 16 KB.
func (d *disguised) Write(b []byte) (int, error) {
	for sent := 0; sent < len(b); {
		n := min(len(b)-sent, 16<<10)
		if _, err := d.ReadWriter.Write(record(tlsApplication, b[sent:sent+n])); err != nil {
			return sent, err
		}
		sent += n
	}
	return len(b), nil
}
