package hookclient

import (
	"bytes"
	"compress/gzip"
	"context"
	"crypto/x509"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"svc/app/hook"
)

// receiver is an endpoint on this machine, plain or with TLS.
func receiver(t testing.TB, h http.HandlerFunc) (plain, safe *httptest.Server) {
	t.Helper()
	plain, safe = httptest.NewServer(h), httptest.NewUnstartedServer(h)
	safe.EnableHTTP2 = true
	safe.Config.ErrorLog = log.New(io.Discard, "", 0) // it is refused on purpose
	safe.StartTLS()
	t.Cleanup(plain.Close)
	t.Cleanup(safe.Close)
	return plain, safe
}

// hang answers nothing until the client leaves, which the server sees once it has
// read the body.
func hang(r *http.Request) {
	_, _ = io.Copy(io.Discard, r.Body)
	<-r.Context().Done()
}

func client(t testing.TB, o Options) *Client {
	c := New(o)
	t.Cleanup(c.Close)
	return c
}

func request(url string) hook.Request {
	return hook.Request{URL: url, Header: [][2]string{{"Content-Type", "application/json"}, {"webhook-id", "evt_1"}}, Body: []byte(`{"id":"evt_1"}`)}
}

func send(t testing.TB, c *Client, url string) hook.Answer {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
	defer cancel()
	return c.Send(ctx, request(url))
}

func TestSent(t *testing.T) {
	var got *http.Request
	var body []byte
	plain, safe := receiver(t, func(w http.ResponseWriter, r *http.Request) {
		got = r
		body, _ = io.ReadAll(r.Body)
		w.WriteHeader(http.StatusAccepted)
		_, _ = io.WriteString(w, "thanks")
	})
	roots := x509.NewCertPool()
	roots.AddCert(safe.Certificate())
	for url, c := range map[string]*Client{
		plain.URL + "/in?k=v": client(t, Options{AllowPrivate: true}),
		safe.URL + "/in?k=v":  client(t, Options{AllowPrivate: true, Roots: roots}),
	} {
		begun := false
		r := request(url)
		r.Begun = func() { begun = true }
		a := c.Send(t.Context(), r)
		if a.Status != 202 || string(a.Body) != "thanks" || a.Failure != "" || !begun {
			t.Errorf("%s: %+v", url, a)
		}
		if got.Method != "POST" || got.URL.RequestURI() != "/in?k=v" || string(body) != `{"id":"evt_1"}` ||
			got.Header.Get("Webhook-Id") != "evt_1" || got.Header.Get("Content-Type") != "application/json" || got.ContentLength != int64(len(body)) {
			t.Errorf("received %+v %s", got, body)
		}
		for _, name := range []string{"Idempotency-Key", "Accept-Encoding", "Referer", "Cookie", "Authorization"} {
			if _, sent := got.Header[name]; sent {
				t.Errorf("%s was sent", name)
			}
		}
	}
}

// TestStatuses: any 2xx is a success; a redirect is a failure and is not followed.
func TestStatuses(t *testing.T) {
	var followed atomic.Int32
	elsewhere, _ := receiver(t, func(http.ResponseWriter, *http.Request) { followed.Add(1) })
	plain, _ := receiver(t, func(w http.ResponseWriter, r *http.Request) {
		var status int
		_, _ = fmt.Sscanf(r.URL.Path, "/%d", &status)
		w.Header().Set("Location", elsewhere.URL)
		w.Header().Set("Retry-After", "90")
		w.WriteHeader(status)
	})
	c := client(t, Options{AllowPrivate: true})
	for status, want := range map[int]hook.Failure{
		200: "", 201: "", 204: "", 299: "", 300: hook.Redirect, 301: hook.Redirect, 302: hook.Redirect, 304: hook.Redirect, 307: hook.Redirect, 308: hook.Redirect,
		400: hook.BadStatus, 401: hook.BadStatus, 404: hook.BadStatus, 410: hook.BadStatus, 429: hook.BadStatus, 500: hook.BadStatus, 503: hook.BadStatus, 599: hook.BadStatus,
	} {
		a := send(t, c, fmt.Sprintf("%s/%d", plain.URL, status))
		asked := 90 * time.Second
		if want == "" {
			asked = 0
		}
		if a.Status != status || a.Failure != want || a.RetryAfter != asked {
			t.Errorf("%d: %+v, want %q", status, a, want)
		}
	}
	if followed.Load() > 0 {
		t.Error("a redirect was followed")
	}
}

func TestFailures(t *testing.T) {
	plain, safe := receiver(t, func(_ http.ResponseWriter, r *http.Request) { hang(r) })
	resolver := (&names{known: map[string][][]string{}}).serve(t)
	c := client(t, Options{AllowPrivate: true, Resolver: resolver})
	for name, tt := range map[string]struct {
		url    string
		within time.Duration
		want   hook.Failure
	}{
		"it does not answer":          {plain.URL, 100 * time.Millisecond, hook.Timeout},
		"there is no such name":       {"http://gone.example.com/", time.Minute, hook.DNS},
		"nobody listens":              {"http://" + unused(t), time.Minute, hook.Connect},
		"nobody vouches for it":       {safe.URL, time.Minute, hook.TLS},
		"it does not speak TLS":       {strings.Replace(plain.URL, "http:", "https:", 1), time.Minute, hook.TLS},
		"it speaks TLS":               {strings.Replace(safe.URL, "https:", "http:", 1), time.Minute, hook.BadStatus},
		"it hangs up":                 {"http://" + speaks(t, ""), time.Minute, hook.Connect},
		"it does not speak HTTP":      {"http://" + speaks(t, "220 mail.example.com ESMTP\r\n"), time.Minute, hook.Connect},
		"its header does not end":     {"http://" + speaks(t, "HTTP/1.1 200 OK\r\nX: "+strings.Repeat("x", 1<<20)), time.Minute, hook.Connect},
		"it is no address":            {"http://exa mple.com/", time.Minute, hook.Connect},
		"it wants to speak otherwise": {"http://" + speaks(t, "HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\n"), time.Minute, hook.BadStatus},
	} {
		ctx, cancel := context.WithTimeout(t.Context(), tt.within)
		if a := c.Send(ctx, request(tt.url)); a.Failure != tt.want {
			t.Errorf("%s: %+v, want %s", name, a, tt.want)
		}
		cancel()
	}
}

// unused is an address at which nobody listens.
func unused(t *testing.T) string {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return l.Addr().String()
}

// speaks is an address at which somebody says something and hangs up.
func speaks(t *testing.T, what string) string {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = l.Close() })
	go func() {
		for {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			_, _ = conn.Read(make([]byte, 4096))
			_, _ = io.WriteString(conn, what)
			_ = conn.Close()
		}
	}()
	return l.Addr().String()
}

// TestBlocked: addresses of the service's own network are refused when it connects,
// however they are written and whatever name leads to them; nothing arrives.
func TestBlocked(t *testing.T) {
	var reached atomic.Int32
	plain, safe := receiver(t, func(http.ResponseWriter, *http.Request) { reached.Add(1) })
	_, port, err := net.SplitHostPort(plain.Listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	n := &names{known: map[string][][]string{
		"inside.example.com": {{"10.0.0.1"}}, "self.example.com": {{"127.0.0.1"}}, "self6.example.com": {{"::1"}},
		"both.example.com": {{"127.0.0.1", "10.0.0.1", "fd00::1"}}, "meta.example.com": {{"169.254.169.254"}},
		"mapped.example.com": {{"::ffff:127.0.0.1"}}, "nat.example.com": {{"64:ff9b::7f00:1"}},
	}}
	c := client(t, Options{Resolver: n.serve(t)})
	for _, host := range []string{
		"127.0.0.1", "127.1.2.3", "localhost", "[::1]", "[::ffff:127.0.0.1]", "[::ffff:7f00:1]", "[64:ff9b::7f00:1]", "[2002:7f00:1::]",
		"0.0.0.0", "[::]", "10.0.0.1", "172.16.0.1", "192.168.0.1", "169.254.169.254", "100.64.0.1", "198.18.0.1", "224.0.0.1", "240.0.0.1",
		"[fe80::1]", "[fd00::1]", "[ff02::1]", "[2001:db8::1]", "inside.example.com", "self.example.com", "self6.example.com",
		"both.example.com", "meta.example.com", "mapped.example.com", "nat.example.com",
	} {
		if a := send(t, c, "http://"+host+":"+port+"/"); a.Failure != hook.BlockedAddress {
			t.Errorf("%s: %+v", host, a)
		}
	}
	for _, host := range []string{"2130706433", "0x7f000001", "0177.0.0.1", "127.1"} { // old ways of writing it are no names either
		if a := send(t, c, "http://"+host+":"+port+"/"); a.Failure != hook.DNS && a.Failure != hook.BlockedAddress {
			t.Errorf("%s: %+v", host, a)
		}
	}
	if a := send(t, c, safe.URL); a.Failure != hook.BlockedAddress {
		t.Errorf("with TLS: %+v", a)
	}
	if reached.Load() > 0 {
		t.Errorf("%d requests arrived", reached.Load())
	}
}

// TestRebinding: a name that answers with another address each time is checked each
// time; what was checked is what is connected to.
func TestRebinding(t *testing.T) {
	var reached atomic.Int32
	plain, _ := receiver(t, func(http.ResponseWriter, *http.Request) { reached.Add(1) })
	_, port, err := net.SplitHostPort(plain.Listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	n := &names{known: map[string][][]string{"turns.example.com": {{"8.8.8.8"}, {"127.0.0.1"}}}}
	c := client(t, Options{Resolver: n.serve(t)})
	ctx, cancel := context.WithTimeout(t.Context(), 200*time.Millisecond)
	defer cancel()
	if a := c.Send(ctx, request("http://turns.example.com:"+port)); a.Failure == hook.BlockedAddress || a.Failure == "" {
		t.Errorf("the public address: %+v, want that nobody is there", a)
	}
	if a := send(t, c, "http://turns.example.com:"+port); a.Failure != hook.BlockedAddress || reached.Load() > 0 {
		t.Errorf("the private one: %+v, %d arrived", a, reached.Load())
	}
}

// TestAnswersAreBounded: 64 KB, not unpacked, and no longer than the attempt.
func TestAnswersAreBounded(t *testing.T) {
	plain, _ := receiver(t, func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/endless":
			for {
				if _, err := w.Write(make([]byte, 32<<10)); err != nil {
					return
				}
			}
		case "/bomb":
			var b bytes.Buffer
			z := gzip.NewWriter(&b)
			_, _ = z.Write(make([]byte, 10<<20))
			_ = z.Close()
			w.Header().Set("Content-Encoding", "gzip")
			_, _ = w.Write(b.Bytes())
		case "/slow":
			_, _ = io.WriteString(w, "so far")
			_ = http.NewResponseController(w).Flush()
			hang(r)
		}
	})
	c := client(t, Options{AllowPrivate: true})
	if a := send(t, c, plain.URL+"/endless"); a.Failure != "" || len(a.Body) != hook.MaxAnswer {
		t.Errorf("endless: %d bytes, %q", len(a.Body), a.Failure)
	}
	if a := send(t, c, plain.URL+"/bomb"); a.Failure != "" || len(a.Body) > 32<<10 || !bytes.HasPrefix(a.Body, []byte{0x1f, 0x8b}) {
		t.Errorf("packed: %d bytes, %q", len(a.Body), a.Failure)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 200*time.Millisecond)
	defer cancel()
	begun := time.Now()
	if a := c.Send(ctx, request(plain.URL+"/slow")); a.Failure != "" || a.Status != 200 || string(a.Body) != "so far" || time.Since(begun) > 5*time.Second {
		t.Errorf("slow: %+v after %s", a, time.Since(begun))
	}
}

// TestProxiesOfTheEnvironment are not asked: they would hide the address.
func TestProxiesOfTheEnvironment(t *testing.T) {
	for _, name := range []string{"HTTP_PROXY", "HTTPS_PROXY", "http_proxy", "https_proxy"} {
		t.Setenv(name, "http://127.0.0.1:1")
	}
	c := client(t, Options{})
	if c.transport.Proxy != nil {
		t.Error("a proxy may be used")
	}
	if a := send(t, c, "http://10.0.0.1/"); a.Failure != hook.BlockedAddress {
		t.Errorf("%+v", a)
	}
}

// TestKeptConnectionThatWasClosed: the endpoint closes what we kept; the next
// attempt is made on a new one.
func TestKeptConnectionThatWasClosed(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	go func() { // it answers once on each connection, and hangs up when asked again
		for {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			go func() {
				defer conn.Close()
				buf := make([]byte, 4096)
				_, _ = conn.Read(buf)
				_, _ = io.WriteString(conn, "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")
				_, _ = conn.Read(buf)
			}()
		}
	}()
	c := client(t, Options{AllowPrivate: true})
	for i := range 3 {
		if a := send(t, c, "http://"+l.Addr().String()); a.Failure != "" || string(a.Body) != "ok" {
			t.Errorf("attempt %d: %+v", i+1, a)
		}
	}
}

func TestRetryAfter(t *testing.T) {
	now := time.Date(2026, 5, 1, 10, 0, 0, 0, time.UTC)
	for value, want := range map[string]time.Duration{
		"": 0, "0": 0, "120": 2 * time.Minute, "-5": 0, "soon": 0, "1.5": 0, "99999999999999999999": 0, "4294967295": 4294967295 * time.Second,
		"Fri, 01 May 2026 10:05:00 GMT": 5 * time.Minute, "Fri, 01 May 2026 09:00:00 GMT": 0,
	} {
		if got := retryAfter(value, now); got != want {
			t.Errorf("%q: %s, want %s", value, got, want)
		}
	}
}

func FuzzRetryAfter(f *testing.F) {
	f.Add("120")
	f.Add("Fri, 01 May 2026 10:05:00 GMT")
	f.Fuzz(func(t *testing.T, value string) {
		if d := retryAfter(value, time.Unix(0, 0)); d < 0 {
			t.Errorf("%q: %s", value, d)
		}
	})
}
