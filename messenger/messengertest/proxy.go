package messengertest

import (
	"bufio"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"slices"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"

	"svc/messenger"
)

// Manner is how a proxy behaves.
type Manner string

// The manners. A dead proxy is one that nobody listens for.
const (
	Proper  Manner = ""
	Hanging Manner = "takes connections and says nothing"
	Garbled Manner = "answers something else"
	HangsUp Manner = "hangs up at once"
	CutOff  Manner = "cannot reach any data centre"
	Dead    Manner = "does not listen"
)

// ProxyOptions describe a proxy. Without a user name everybody may use it.
type ProxyOptions struct {
	Username, Password string
	// Secret of an MTProto proxy: 16 bytes, dd and 16 bytes, or ee, 16 bytes and a
	// host name. None means a simple one.
	Secret []byte
	// DC is the address that an MTProto proxy forwards to.
	DC     string
	Manner Manner
	// Addr is where it listens, as one that was closed did; "" for anywhere.
	Addr string
}

// Proxy is a real proxy server on the loopback interface.
type Proxy struct {
	kind messenger.RouteKind
	o    ProxyOptions
	ln   net.Listener
	wg   sync.WaitGroup

	tunnels atomic.Int64
	mu      sync.Mutex
	open    []net.Conn
	closed  bool
}

// StartProxy starts a proxy that lives as long as the test.
func StartProxy(t testing.TB, kind messenger.RouteKind, o ProxyOptions) *Proxy {
	t.Helper()
	if o.Addr == "" {
		o.Addr = "127.0.0.1:0"
	}
	ln, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp4", o.Addr)
	if err != nil {
		t.Fatal(err)
	}
	if len(o.Secret) == 0 {
		o.Secret = []byte("0123456789abcdef")
	}
	p := &Proxy{kind: kind, o: o, ln: ln}
	if o.Manner == Dead {
		_ = ln.Close()
		return p
	}
	p.wg.Go(p.accept)
	t.Cleanup(p.Close)
	return p
}

// Route is the way through the proxy, with what it asks for.
func (p *Proxy) Route() messenger.Route {
	host, port, _ := net.SplitHostPort(p.ln.Addr().String())
	n, _ := strconv.Atoi(port)
	r := messenger.Route{Kind: p.kind, Host: host, Port: n, Username: p.o.Username, Password: p.o.Password, AllowPrivate: true}
	if p.kind == messenger.MTProtoProxy {
		r.Secret = hex.EncodeToString(p.o.Secret)
	}
	return r
}

// Addr is where it listens, or listened.
func (p *Proxy) Addr() string { return p.ln.Addr().String() }

// Tunnels is how many connections went through so far.
func (p *Proxy) Tunnels() int { return int(p.tunnels.Load()) }

// Drop closes every connection that is open at the moment.
func (p *Proxy) Drop() {
	p.mu.Lock()
	open := p.open
	p.open = nil
	p.mu.Unlock()
	for _, c := range open {
		_ = c.Close()
	}
}

// Close ends the proxy.
func (p *Proxy) Close() {
	p.mu.Lock()
	p.closed = true
	p.mu.Unlock()
	_ = p.ln.Close()
	p.Drop()
	p.wg.Wait()
}

func (p *Proxy) accept() {
	for {
		c, err := p.ln.Accept()
		if err != nil {
			return
		}
		if !p.keep(c) {
			return
		}
		p.wg.Go(func() {
			defer p.forget(c)
			p.serve(c)
		})
	}
}

func (p *Proxy) keep(c net.Conn) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.closed {
		_ = c.Close()
		return false
	}
	p.open = append(p.open, c)
	return true
}

func (p *Proxy) forget(c net.Conn) {
	_ = c.Close()
	p.mu.Lock()
	defer p.mu.Unlock()
	p.open = slices.DeleteFunc(p.open, func(o net.Conn) bool { return o == c })
}

func (p *Proxy) serve(c net.Conn) {
	switch p.o.Manner {
	case HangsUp:
		return
	case Hanging:
		_, _ = io.Copy(io.Discard, c)
		return
	case Garbled:
		_, _ = io.WriteString(c, "220 mail.example ESMTP ready\r\n")
		_, _ = io.Copy(io.Discard, c)
		return
	}
	switch p.kind {
	case messenger.SOCKS5:
		p.socks(c)
	case messenger.HTTPConnect:
		p.http(c)
	case messenger.MTProtoProxy:
		p.mtproto(c)
	}
}

// through carries bytes between the client and address until one side ends.
func (p *Proxy) through(client io.ReadWriter, address string, first []byte, answer func(error) error) {
	up, err := net.Dial("tcp", address) //nolint:noctx // it ends with the test
	if p.o.Manner == CutOff && err == nil {
		_ = up.Close()
		err = errors.New("no way there")
	}
	if answerErr := answer(err); err != nil || answerErr != nil {
		return
	}
	if !p.keep(up) {
		return
	}
	defer p.forget(up)
	if _, err := up.Write(first); err != nil {
		return
	}
	p.tunnels.Add(1)
	p.wg.Go(func() {
		_, _ = io.Copy(up, client)
		_ = up.Close()
	})
	_, _ = io.Copy(client, up)
}

// socks speaks SOCKS5 (RFC 1928) with user name and password (RFC 1929).
func (p *Proxy) socks(c net.Conn) {
	b := make([]byte, 512)
	read := func(n int) []byte {
		if _, err := io.ReadFull(c, b[:n]); err != nil {
			return nil
		}
		return b[:n]
	}
	head := read(2)
	if head == nil || head[0] != 5 {
		return
	}
	methods := read(int(head[1]))
	want := byte(0)
	if p.o.Username != "" {
		want = 2
	}
	if !slices.Contains(methods, want) {
		_, _ = c.Write([]byte{5, 0xff})
		return
	}
	_, _ = c.Write([]byte{5, want})
	if want == 2 && !p.login(c, read) {
		return
	}
	request := read(4)
	if request == nil || request[1] != 1 {
		return
	}
	address := ""
	switch request[3] {
	case 1:
		address = net.IP(read(4)).String()
	case 3:
		if n := read(1); n != nil {
			address = string(read(int(n[0])))
		}
	case 4:
		address = net.IP(read(16)).String()
	}
	port := read(2)
	if port == nil {
		return
	}
	address = net.JoinHostPort(address, strconv.Itoa(int(port[0])<<8|int(port[1])))
	p.through(c, address, nil, func(err error) error {
		status := byte(0)
		if err != nil {
			status = 4 // host unreachable
		}
		_, err = c.Write([]byte{5, status, 0, 1, 0, 0, 0, 0, 0, 0})
		return err
	})
}

// login reads the user name and the password of a client.
func (p *Proxy) login(c io.Writer, read func(int) []byte) bool {
	field := func() (string, bool) {
		n := read(1)
		if n == nil {
			return "", false
		}
		v := read(int(n[0]))
		return string(v), v != nil
	}
	if read(1) == nil {
		return false
	}
	user, ok1 := field()
	password, ok2 := field()
	ok := ok1 && ok2 && user == p.o.Username && password == p.o.Password
	status := byte(0)
	if !ok {
		status = 1
	}
	_, err := c.Write([]byte{1, status})
	return ok && err == nil
}

// http speaks the CONNECT method.
func (p *Proxy) http(c net.Conn) {
	r := bufio.NewReader(c)
	q, err := http.ReadRequest(r)
	if err != nil {
		return
	}
	say := func(status int) error {
		_, err := fmt.Fprintf(c, "HTTP/1.1 %d %s\r\n\r\n", status, http.StatusText(status))
		return err
	}
	want := "Basic " + base64.StdEncoding.EncodeToString([]byte(p.o.Username+":"+p.o.Password))
	switch {
	case q.Method != http.MethodConnect:
		_ = say(http.StatusMethodNotAllowed)
		return
	case p.o.Username != "" && q.Header.Get("Proxy-Authorization") != want:
		_ = say(http.StatusProxyAuthRequired)
		return
	}
	p.through(both{r, c}, q.Host, nil, func(err error) error {
		if err != nil {
			return say(http.StatusBadGateway)
		}
		return say(http.StatusOK)
	})
}

// both reads from one and writes to the other.
type both struct {
	io.Reader
	io.Writer
}
