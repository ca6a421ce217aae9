package acceptance

import (
	"bufio"
	"bytes"
	"net"
	"net/http"
	"net/http/cookiejar"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"strings"
	"testing"
)

// TestBehindAProxy asks the real server through a reverse proxy that says what the README
// lets nginx and Caddy say: people at three addresses are told apart, so the wrong
// passwords of one are not those of the others, and a stream comes through at once
// (contract 21.3, Behind a proxy).
func TestBehindAProxy(t *testing.T) {
	t.Parallel()
	in := install(t)
	in.start() // it trusts 127.0.0.1
	target := &url.URL{Scheme: "http", Host: in.addr}
	proxy := httptest.NewServer(&httputil.ReverseProxy{Rewrite: func(r *httputil.ProxyRequest) {
		r.SetURL(target)
		r.Out.Host = r.In.Host
		r.Out.Header["X-Forwarded-For"] = r.In.Header["X-Forwarded-For"] // what the client wrote stands before
		r.SetXForwarded()
	}})
	t.Cleanup(proxy.Close)
	for n, ip := range []string{"127.0.0.2", "127.0.0.3", "127.0.0.4"} {
		c := &person{t: t, at: proxy.URL, client: clientAt(t, ip)}
		if n == 0 {
			for i := range 16 {
				c.post("/auth/login", `{"email":"p`+string(rune('a'+i))+`@example.uz","password":"wrong password"}`)
			}
			if status, _ := c.post("/auth/login", `{"email":"q@example.uz","password":"wrong password"}`); status != http.StatusTooManyRequests {
				t.Errorf("the wrong passwords of %s: %d", ip, status)
			}
			continue
		}
		email := "person" + ip + "@example.uz"
		if status, body := c.post("/auth/signup", `{"email":"`+email+`","password":"`+password+`","organization_name":"O"}`); status != http.StatusCreated {
			t.Fatalf("%s: %d %s", ip, status, body)
		}
		if status, body := c.post("/auth/login", `{"email":"`+email+`","password":"wrong password"}`); status != http.StatusUnauthorized {
			t.Errorf("%s pays for another: %d %s", ip, status, body)
		}
		if _, body := c.get("/me/sessions"); !strings.Contains(body, `"ip":"`+ip+`"`) {
			t.Errorf("%s is taken for somebody else: %s", ip, body)
		}
		resp, err := c.client.Get(proxy.URL + "/api/v1/events/stream")
		if err != nil {
			t.Fatal(err)
		}
		if line, err := bufio.NewReader(resp.Body).ReadString('\n'); err != nil || !strings.HasPrefix(line, "retry:") {
			t.Errorf("a stream: %q, %v", line, err)
		}
		_ = resp.Body.Close() // it would go on for an hour
	}
	in.stop()
}

// clientAt is a browser at an address of this machine, which claims to be elsewhere.
func clientAt(t *testing.T, ip string) *http.Client {
	t.Helper()
	jar, err := cookiejar.New(nil)
	if err != nil {
		t.Fatal(err)
	}
	dialer := &net.Dialer{LocalAddr: &net.TCPAddr{IP: net.ParseIP(ip)}}
	return &http.Client{Jar: jar, Transport: &http.Transport{DialContext: dialer.DialContext}}
}

type person struct {
	t      *testing.T
	at     string
	client *http.Client
}

func (p *person) post(path, body string) (int, string) {
	return p.ask(http.MethodPost, path, body)
}

func (p *person) get(path string) (int, string) { return p.ask(http.MethodGet, path, "") }

func (p *person) ask(method, path, body string) (int, string) {
	p.t.Helper()
	req, err := http.NewRequest(method, p.at+"/api/v1"+path, strings.NewReader(body))
	if err != nil {
		p.t.Fatal(err)
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Origin", p.at)
	req.Header.Set("X-Forwarded-For", "203.0.113.99") // what anybody may write
	resp, err := p.client.Do(req)
	if err != nil {
		p.t.Fatal(err)
	}
	defer resp.Body.Close()
	var b bytes.Buffer
	if _, err := b.ReadFrom(resp.Body); err != nil {
		p.t.Fatal(err)
	}
	return resp.StatusCode, b.String()
}

// TestTheReadmesProxiesSayEnough: what people copy from there says who the client is, lets
// uploads through and holds no stream back.
func TestTheReadmesProxiesSayEnough(t *testing.T) {
	readme, err := os.ReadFile("../README.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"trusted-proxies: 127.0.0.1\n",
		"client_max_body_size 64m;", "proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for;", "proxy_set_header X-Forwarded-Proto $scheme;",
		"location /api/v1/events/stream {", "proxy_buffering off;", "proxy_read_timeout 1h;",
		"reverse_proxy 127.0.0.1:8080 {", "flush_interval -1", "max_size 64MB",
	} {
		if !strings.Contains(string(readme), want) {
			t.Errorf("the README does not say %q", want)
		}
	}
}
