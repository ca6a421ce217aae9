package smtp_test

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"errors"
	"io"
	"math/big"
	"net"
	"sync"
	"testing"
	"time"

	"github.com/emersion/go-sasl"
	gosmtp "github.com/emersion/go-smtp"
)

// host is the name in the certificate of the test server.
const host = "mail.test"

// server is a mail server in this process.
type server struct {
	address string
	roots   *x509.CertPool

	mu       sync.Mutex
	letters  []letter
	sessions []*session
	// refuse answers a stage: mail, rcpt, data.
	refuse map[string]error
	// password that signs in; "": AUTH is not offered.
	password string
}

type letter struct {
	from, to, data string
	secure         bool
	user           string
}

type session struct {
	s        *server
	conn     *gosmtp.Conn
	user     string
	from, to string
}

// start runs a server; how changes it before it listens.
func start(t *testing.T, implicit bool, how func(*gosmtp.Server, *server)) *server {
	t.Helper()
	cert, roots := certificate(t)
	s := &server{roots: roots, refuse: map[string]error{}}
	g := gosmtp.NewServer(s)
	g.Domain, g.TLSConfig = host, &tls.Config{Certificates: []tls.Certificate{cert}}
	g.ReadTimeout, g.WriteTimeout = 10*time.Second, 10*time.Second
	g.ErrorLog = quiet{}
	if how != nil {
		how(g, s)
	}
	var l net.Listener
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	s.address = l.Addr().String()
	if implicit {
		l = tls.NewListener(l, g.TLSConfig)
	}
	ended := make(chan struct{})
	go func() { defer close(ended); _ = g.Serve(l) }()
	t.Cleanup(func() { _ = g.Close(); <-ended })
	return s
}

type quiet struct{}

func (quiet) Printf(string, ...any) {}
func (quiet) Println(...any)        {}

func (s *server) NewSession(c *gosmtp.Conn) (gosmtp.Session, error) {
	one := &session{s: s, conn: c}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.sessions = append(s.sessions, one)
	return one, nil
}

func (s *server) said(stage string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.refuse[stage]
}

func (s *server) got() []letter {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]letter(nil), s.letters...)
}

func (o *session) AuthMechanisms() []string {
	if o.s.password == "" {
		return nil
	}
	return []string{sasl.Plain}
}

func (o *session) Auth(string) (sasl.Server, error) {
	return sasl.NewPlainServer(func(_, user, password string) error {
		if password != o.s.password {
			return &gosmtp.SMTPError{Code: 535, EnhancedCode: gosmtp.EnhancedCode{5, 7, 8}, Message: "wrong password of " + user}
		}
		o.user = user
		return nil
	}), nil
}

func (o *session) Mail(from string, _ *gosmtp.MailOptions) error {
	o.from = from
	if o.s.password != "" && o.user == "" {
		return errors.New("sign in first")
	}
	return o.s.said("mail")
}

func (o *session) Rcpt(to string, _ *gosmtp.RcptOptions) error {
	o.to = to
	return o.s.said("rcpt")
}

func (o *session) Data(r io.Reader) error {
	data, err := io.ReadAll(r)
	if err != nil {
		return err
	}
	if err := o.s.said("data"); err != nil {
		return err
	}
	_, secure := o.conn.TLSConnectionState()
	o.s.mu.Lock()
	defer o.s.mu.Unlock()
	o.s.letters = append(o.s.letters, letter{o.from, o.to, string(data), secure, o.user})
	return nil
}

func (*session) Reset()        {}
func (*session) Logout() error { return nil }

func certificate(t *testing.T) (tls.Certificate, *x509.CertPool) {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	form := &x509.Certificate{
		SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: host}, DNSNames: []string{host},
		NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour), IsCA: true, BasicConstraintsValid: true,
	}
	der, err := x509.CreateCertificate(rand.Reader, form, form, &key.PublicKey, key)
	if err != nil {
		t.Fatal(err)
	}
	parsed, err := x509.ParseCertificate(der)
	if err != nil {
		t.Fatal(err)
	}
	pool := x509.NewCertPool()
	pool.AddCert(parsed)
	return tls.Certificate{Certificate: [][]byte{der}, PrivateKey: key}, pool
}
