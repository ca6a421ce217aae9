package photo

import (
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"net/url"
	"strings"
	"testing"
)

func TestPublic(t *testing.T) {
	tests := []struct {
		addr string
		want bool
	}{
		{"91.198.174.192", true},
		{"2620:0:862:ed1a::1", true},
		{"127.0.0.1", false},
		{"10.1.2.3", false},
		{"172.16.0.1", false},
		{"192.168.1.1", false},
		{"169.254.169.254", false},
		{"100.64.0.1", false},
		{"0.0.0.0", false},
		{"0.1.2.3", false},
		{"224.0.0.1", false},
		{"255.255.255.255", false},
		{"240.0.0.1", false},
		{"::", false},
		{"::1", false},
		{"fe80::1", false},
		{"fc00::1", false},
		{"ff02::1", false},
		{"::ffff:127.0.0.1", false},
		{"::ffff:10.0.0.1", false},
		{"64:ff9b::7f00:1", false},
		{"2002:7f00:1::", false},
	}
	for _, tt := range tests {
		if got := public(netip.MustParseAddr(tt.addr)); got != tt.want {
			t.Errorf("public(%s) = %v, want %v", tt.addr, got, tt.want)
		}
	}
}

// TestUpstreamsCannotSteerIntoThePrivateNetwork: a third server on this machine
// stands for the private network. The configured hosts are here too and are
// reached; what they answer or redirect to is not.
func TestUpstreamsCannotSteerIntoThePrivateNetwork(t *testing.T) {
	touched := false
	secret := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		touched = true
		w.Header().Set("Content-Type", "image/png")
		_, _ = w.Write(png)
	}))
	defer secret.Close()
	redirect := func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, secret.URL+"/secret.png", http.StatusFound)
	}
	tests := map[string]func(h *hosts){
		"image address":          func(h *hosts) { h.info = say(strings.ReplaceAll(h.infoBody(""), h.URL, secret.URL)) },
		"redirect of the image":  func(h *hosts) { h.image = redirect },
		"redirect of the entity": func(h *hosts) { h.claims = redirect },
		"by name": func(h *hosts) {
			byName := strings.Replace(secret.URL, "127.0.0.1", "localhost", 1)
			h.info = say(strings.ReplaceAll(h.infoBody(""), h.URL, byName))
		},
	}
	for name, set := range tests {
		t.Run(name, func(t *testing.T) {
			h := newHosts(t)
			set(h)
			if _, _, _, err := h.client(t, nil).Image(t.Context(), "Q1"); !errors.Is(err, ErrNone) {
				t.Errorf("got %v, want ErrNone", err)
			}
			if touched {
				t.Error("the private server was reached")
			}
		})
	}
}

func TestRedirectsOfTheConfiguredHostItselfAreFollowed(t *testing.T) {
	h := newHosts(t)
	first := h.image
	h.image = func(w http.ResponseWriter, r *http.Request) {
		if !strings.HasSuffix(r.URL.Path, "/moved.png") {
			http.Redirect(w, r, "/bytes/moved.png", http.StatusMovedPermanently)
			return
		}
		first(w, r)
	}
	f, _, _, err := h.client(t, nil).Image(t.Context(), "Q1")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if got, _ := io.ReadAll(f); string(got) != string(png) {
		t.Errorf("got %q", got)
	}
}

func TestCheckRedirect(t *testing.T) {
	request := func(address string) *http.Request {
		u, err := url.Parse(address)
		if err != nil {
			t.Fatal(err)
		}
		return &http.Request{URL: u}
	}
	secure, open := request("https://a.example/"), request("http://a.example/")
	tests := []struct {
		name string
		to   *http.Request
		via  []*http.Request
		ok   bool
	}{
		{"https stays", secure, []*http.Request{secure}, true},
		{"http may rise", secure, []*http.Request{open}, true},
		{"https may not fall", open, []*http.Request{secure}, false},
		{"third", secure, []*http.Request{secure, secure, secure}, true},
		{"fourth", secure, []*http.Request{secure, secure, secure, secure}, false},
	}
	for _, tt := range tests {
		if err := checkRedirect(tt.to, tt.via); (err == nil) != tt.ok {
			t.Errorf("%s: %v", tt.name, err)
		}
	}
}

func TestNewRefusesBadAddresses(t *testing.T) {
	for _, bad := range []string{"", "host", "ftp://host/x", "http://", "://"} {
		if _, err := New(Config{EntityBase: bad, ImageBase: "https://h.example"}); err == nil {
			t.Errorf("entity address %q passed", bad)
		}
		if _, err := New(Config{EntityBase: "https://h.example", ImageBase: bad}); err == nil {
			t.Errorf("image address %q passed", bad)
		}
	}
}
