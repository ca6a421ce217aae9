package reply

import (
	"bytes"
	stdgzip "compress/gzip"
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"strconv"
	"strings"
	"syscall"
	"testing"
)

func packed(t testing.TB, data []byte) []byte {
	t.Helper()
	var b bytes.Buffer
	z := stdgzip.NewWriter(&b)
	if _, err := z.Write(data); err != nil {
		t.Fatal(err)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func request(method string, header ...string) *http.Request {
	r := httptest.NewRequest(method, "/x", nil)
	for i := 0; i < len(header); i += 2 {
		r.Header.Add(header[i], header[i+1])
	}
	return r
}

// TestEncoding: what a client accepts decides what it gets, among what exists.
func TestEncoding(t *testing.T) {
	all := Blob{Identity: []byte("identity"), Gzip: []byte("gzip"), Brotli: []byte("br"), Tag: "t"}
	for _, c := range []struct {
		accept string // "-" sends no header
		want   string
	}{
		{"-", "identity"}, {"", "identity"}, {"gzip", "gzip"}, {"GZip", "gzip"}, {"x-gzip", "gzip"}, {"br", "br"},
		{"gzip, deflate, br, zstd", "br"}, {"gzip, deflate", "gzip"}, {"deflate", "identity"}, {"identity", "identity"},
		{"*", "br"}, {"*;q=0", "identity"}, {"gzip;q=0", "identity"}, {"gzip;q=0, *", "br"}, {"br;q=0, *", "gzip"},
		{"gzip;q=1.0, br;q=0.5", "gzip"}, {"gzip;q=0.5, br;q=0.5", "br"}, {"gzip;q=0.001", "gzip"}, {"gzip;q=0.000", "identity"},
		{"identity;q=1, gzip;q=0.5", "identity"}, {"identity;q=0.5, gzip;q=0.5", "gzip"}, {"identity;q=0, gzip", "gzip"},
		{"identity;q=0, *", "br"}, {"identity;q=0", "identity"}, {"*;q=0, identity;q=0", "identity"}, {"*;q=0.2, identity;q=0.1", "br"},
		{" gzip ; q=0.8 ", "gzip"}, {"gzip;Q=0", "identity"}, {"gzip;level=9", "gzip"}, {"gzip;level=9;q=0", "identity"},
		{"gzip;q=", "identity"}, {"gzip;q=x", "identity"}, {"gzip;q=2", "identity"}, {"gzip;q=-1", "identity"}, {"gzip;q=1.001", "identity"},
		{"gzip;q=0.5555", "identity"}, {"gzip;q=1e0", "identity"}, {"gzip;q=0.", "identity"}, {"gzip;q=1.", "gzip"}, {",,gzip,,", "gzip"}, {"gzip;q", "gzip"},
	} {
		r := request(http.MethodGet)
		if c.accept != "-" {
			r.Header.Set("Accept-Encoding", c.accept)
		}
		w := httptest.NewRecorder()
		if err := Send(w, r, all); err != nil {
			t.Fatal(err)
		}
		told := w.Header().Get("Content-Encoding")
		if told == "" {
			told = "identity"
		}
		tag := map[string]string{"identity": `"t"`, "gzip": `"t-gzip"`, "br": `"t-br"`}[c.want]
		if got := w.Body.String(); got != c.want || told != c.want || w.Header().Get("ETag") != tag || w.Header().Get("Vary") != "Accept-Encoding" {
			t.Errorf("%q: %q as %q, headers %v; want %q", c.accept, got, told, w.Header(), c.want)
		}
	}
	two := request(http.MethodGet, "Accept-Encoding", "deflate", "Accept-Encoding", "gzip")
	w := httptest.NewRecorder()
	if err := Send(w, two, Blob{Gzip: []byte("gzip")}); err != nil || w.Body.String() != "gzip" {
		t.Errorf("two lines: %q, %v", w.Body, err)
	}
}

// TestInflated: a client without gzip gets the same bytes, with their length.
func TestInflated(t *testing.T) {
	text := strings.Repeat("text ", 10_000)
	for range 3 { // the reader is used again
		w := httptest.NewRecorder()
		if err := Send(w, request(http.MethodGet), Blob{Type: "a/b", Tag: "t", Gzip: packed(t, []byte(text))}); err != nil {
			t.Fatal(err)
		}
		h := w.Header()
		if w.Body.String() != text || h.Get("Content-Length") != strconv.Itoa(len(text)) || h.Get("Content-Encoding") != "" || h.Get("ETag") != `"t"` || h.Get("Content-Type") != "a/b" {
			t.Errorf("%d bytes, %v", w.Body.Len(), h)
		}
	}
}

// pieces is a client that counts what it is given at once.
type pieces struct {
	*httptest.ResponseRecorder
	largest int
}

func (p *pieces) Write(b []byte) (int, error) {
	p.largest = max(p.largest, len(b))
	return len(b), nil
}

// TestInflatedInPieces: however long an answer is and however slowly it is read,
// no more than a window of it is held.
func TestInflatedInPieces(t *testing.T) {
	w := &pieces{ResponseRecorder: httptest.NewRecorder()}
	const size = 8 << 20
	if err := Send(w, request(http.MethodGet), Blob{Gzip: packed(t, make([]byte, size))}); err != nil {
		t.Fatal(err)
	}
	if w.largest > 64<<10 || w.Header().Get("Content-Length") != strconv.Itoa(size) {
		t.Errorf("%d bytes at once, %v", w.largest, w.Header())
	}
}

// TestWithIdentity: what every client may ask for is unpacked once.
func TestWithIdentity(t *testing.T) {
	b, err := Blob{Tag: "t", Gzip: packed(t, []byte("hello"))}.withIdentity()
	if err != nil || string(b.Identity) != "hello" || b.Tag != "t" || b.Gzip == nil {
		t.Errorf("%+v, %v", b, err)
	}
	if b, err := (Blob{Gzip: []byte("no gzip")}).withIdentity(); err == nil || b.Identity != nil {
		t.Errorf("damaged: %+v, %v", b, err)
	}
}

// TestFile: nothing is read before it is asked for, nothing twice, and a client without
// gzip costs a copy and not an unpacking.
func TestFile(t *testing.T) {
	reads := 0
	f := NewFile(func() (Blob, error) {
		reads++
		return Blob{Type: "text/plain", Gzip: packed(t, []byte("hello"))}, nil
	})
	if reads != 0 {
		t.Error("it was read before anybody asked")
	}
	for _, want := range []string{"gzip", "", "gzip", ""} {
		w, r := httptest.NewRecorder(), request(http.MethodGet)
		if want != "" {
			r.Header.Set("Accept-Encoding", want)
		}
		if err := f.Send(w, r); err != nil || w.Code != http.StatusOK || w.Header().Get("Content-Encoding") != want {
			t.Errorf("%q: %v, %d %v", want, err, w.Code, w.Header())
		}
		if want == "" && w.Body.String() != "hello" {
			t.Errorf("%q", w.Body)
		}
	}
	one, _ := f.Plain()
	two, _ := f.Plain()
	if reads != 1 || &one.Identity[0] != &two.Identity[0] {
		t.Errorf("read %d times, or unpacked twice", reads)
	}
	for name, read := range map[string]func() (Blob, error){
		"unreadable": func() (Blob, error) { return Blob{}, os.ErrPermission },
		"damaged":    func() (Blob, error) { return Blob{Gzip: []byte("no gzip"), Tag: "t"}, nil },
	} {
		w := httptest.NewRecorder()
		if err := NewFile(read).Send(w, request(http.MethodGet)); err == nil || w.Code != http.StatusInternalServerError || w.Header().Get("Etag") != "" {
			t.Errorf("%s: %v, %d %v", name, err, w.Code, w.Header())
		}
	}
}

// broken is a connection that ends with an error.
type broken struct {
	*httptest.ResponseRecorder
	err error
}

func (b broken) Write([]byte) (int, error) { return 0, b.err }

// TestBrokenOff: an answer that breaks off because of us is told, one that the
// client left is not.
func TestBrokenOff(t *testing.T) {
	fault := &net.OpError{Op: "write", Err: os.NewSyscallError("write", syscall.EFAULT)}
	for _, b := range []Blob{{Identity: []byte("x")}, {Gzip: packed(t, []byte("x"))}} {
		if err := Send(broken{httptest.NewRecorder(), fault}, request(http.MethodGet), b); !errors.Is(err, syscall.EFAULT) {
			t.Errorf("a file that shrank: %v", err)
		}
		gone := &net.OpError{Op: "write", Err: os.NewSyscallError("write", syscall.EPIPE)}
		if err := Send(broken{httptest.NewRecorder(), gone}, request(http.MethodGet), b); err != nil {
			t.Errorf("a client that left: %v", err)
		}
	}
}

// TestDamaged: gzip that cannot be undone, or grows without end, is one 500 that
// nobody stores.
func TestDamaged(t *testing.T) {
	good := packed(t, []byte("hello, hello and hello"))
	flipped := bytes.Clone(good)
	flipped[len(flipped)-5] ^= 1
	for name, b := range map[string][]byte{
		"empty": {}, "text": []byte("text that is no gzip"), "cut": good[:len(good)-3], "a wrong checksum": flipped,
		"a bomb": packed(t, make([]byte, maxInflated+1)),
	} {
		w := httptest.NewRecorder()
		err := Send(w, request(http.MethodGet), Blob{Type: "a/b", CacheControl: "public, max-age=86400", Tag: "t", Gzip: b})
		h := w.Header()
		if err == nil || w.Code != http.StatusInternalServerError || h.Get("Cache-Control") != "no-store" || h.Get("ETag") != "" || !strings.HasPrefix(h.Get("Content-Type"), "text/plain") {
			t.Errorf("%s: %v, %d, %v", name, err, w.Code, h)
		}
	}
	w := httptest.NewRecorder()
	if err := Send(w, request(http.MethodGet), Blob{Gzip: packed(t, make([]byte, maxInflated))}); err != nil || w.Body.Len() != maxInflated {
		t.Errorf("at the bound: %v, %d bytes", err, w.Body.Len())
	}
}

// TestConditional: 304 to who has exactly these bytes.
func TestConditional(t *testing.T) {
	b := Blob{Type: "a/b", CacheControl: "public", Tag: "t", Identity: []byte("body"), Gzip: []byte("gzip")}
	for _, c := range []struct {
		header string
		want   int
	}{
		{`"t-gzip"`, 304}, {`W/"t-gzip"`, 304}, {"*", 304}, {`"a", "t-gzip"`, 304}, {`"a","t-gzip","b"`, 304}, {`"a, b" , W/"t-gzip"`, 304},
		{` ,, "t-gzip"`, 304},
		{`"t"`, 200}, {`"T-gzip"`, 200}, {`t-gzip`, 200}, {`"t-gzip`, 200}, {``, 200}, {`W/`, 200}, {`W/*`, 200}, {`"a" t-gzip`, 200}, {`w/"t-gzip"`, 200},
	} {
		for _, method := range []string{http.MethodGet, http.MethodHead} {
			w := httptest.NewRecorder()
			if err := Send(w, request(method, "If-None-Match", c.header, "Accept-Encoding", "gzip"), b); err != nil {
				t.Fatal(err)
			}
			h := w.Header()
			if w.Code != c.want || h.Get("ETag") != `"t-gzip"` || h.Get("Cache-Control") != "public" || h.Get("Vary") != "Accept-Encoding" {
				t.Errorf("%s %q: %d %v", method, c.header, w.Code, h)
			}
			if c.want == 304 && (w.Body.Len() > 0 || h.Get("Content-Type") != "" || h.Get("Content-Encoding") != "") {
				t.Errorf("%q: a 304 with %q %v", c.header, w.Body, h)
			}
		}
	}
	w := httptest.NewRecorder()
	if err := Send(w, request(http.MethodGet, "If-None-Match", "*"), Blob{Identity: []byte("body")}); err != nil || w.Code != 200 || w.Header().Get("ETag") != "" {
		t.Errorf("without a tag: %d %v", w.Code, w.Header())
	}
	lines := request(http.MethodGet, "If-None-Match", `"a"`, "If-None-Match", `"t"`)
	w = httptest.NewRecorder()
	if err := Send(w, lines, b); err != nil || w.Code != 304 {
		t.Errorf("two lines: %d", w.Code)
	}
}

// TestHead has the headers of the answer and no body, through a real server.
func TestHead(t *testing.T) {
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_ = Send(w, r, Blob{Type: "a/b", Tag: "t", Identity: []byte("12345")})
	}))
	defer s.Close()
	resp, err := s.Client().Head(s.URL)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	if err != nil || len(body) > 0 || resp.ContentLength != 5 || resp.Header.Get("Content-Type") != "a/b" || resp.Header.Get("X-Content-Type-Options") != "nosniff" {
		t.Errorf("%q, %v, %v", body, err, resp.Header)
	}
}

func TestPlain(t *testing.T) {
	w := httptest.NewRecorder()
	NotFound(w, "404 nothing here")
	if w.Code != 404 || w.Body.String() != "404 nothing here\n" || w.Header().Get("Content-Type") != "text/plain; charset=utf-8" || w.Header().Get("Content-Length") != "17" {
		t.Errorf("%d %q %v", w.Code, w.Body, w.Header())
	}
}

// TestKeyQuery: the key comes back escaped, and only when it came in the query.
func TestKeyQuery(t *testing.T) {
	for query, want := range map[string]string{
		"": "", "key=": "", "key=abc": "?key=abc", "a=b&key=x&key=y": "?key=x", "key=%22%3Cs%3E%26%7B%7D": "?key=%22%3Cs%3E%26%7B%7D",
		"key=a+b": "?key=a+b", "key=%E2%98%83": "?key=%E2%98%83", "KEY=a": "", "key=%zz": "", "key=a;b": "",
	} {
		r := request(http.MethodGet, "X-Api-Key", "header")
		r.URL.RawQuery = query
		got := KeyQuery(r)
		if got != want {
			t.Errorf("%q: %q, want %q", query, got, want)
		}
		if u, err := url.Parse("http://a/b" + got); err != nil || u.Query().Get("key") != r.URL.Query().Get("key") {
			t.Errorf("%q: %q does not carry the key back (%v)", query, got, err)
		}
	}
}

// TestBase: a hostile header cannot reach into a URL.
func TestBase(t *testing.T) {
	for _, c := range []struct {
		public string
		header []string
		want   string
	}{
		{"https://maps.example/", nil, "https://maps.example"},
		{"", nil, "http://example.com"},
		{"", []string{"X-Forwarded-Proto", "https, http", "X-Forwarded-Host", "maps.example:8443, inner"}, "https://maps.example:8443"},
		{"", []string{"X-Forwarded-Proto", "javascript", "X-Forwarded-Host", `a"/><script>`}, "http://example.com"},
		{"https://maps.example", []string{"X-Forwarded-Host", "evil.example"}, "https://maps.example"},
	} {
		if got := Base(request(http.MethodGet, c.header...), c.public); got != c.want {
			t.Errorf("%q %v: %q, want %q", c.public, c.header, got, c.want)
		}
	}
}

func TestTag(t *testing.T) {
	a, b := Tag([]byte("a"), []byte("b")), Tag([]byte("b"), []byte("a"))
	if len(a) != 16 || a == b || a != Tag([]byte("a"), []byte("b")) {
		t.Errorf("%q, %q", a, b)
	}
}

// FuzzSend: no header of a request breaks the answer, and whatever is sent can be
// read as what it says it is.
func FuzzSend(f *testing.F) {
	f.Add("gzip;q=0.5, *;q=0", `W/"t"`)
	f.Add("identity;q=0,,x;q=1;q=2", `"a","t-gzip"`)
	f.Add(";;;=,=;q=.", `"`)
	b := Blob{Type: "a/b", Tag: "t", Identity: []byte("body"), Gzip: packed(f, []byte("body"))}
	f.Fuzz(func(t *testing.T, accept, match string) {
		r := request(http.MethodGet)
		r.Header["Accept-Encoding"], r.Header["If-None-Match"] = []string{accept}, []string{match}
		w := httptest.NewRecorder()
		if err := Send(w, r, b); err != nil {
			t.Fatal(err)
		}
		body := w.Body.Bytes()
		if w.Header().Get("Content-Encoding") == "gzip" {
			if !strings.Contains(strings.ToLower(accept), "gzip") && !strings.Contains(accept, "*") {
				t.Fatalf("gzip for %q", accept)
			}
			z, err := stdgzip.NewReader(bytes.NewReader(body))
			if err != nil {
				t.Fatal(err)
			}
			if body, err = io.ReadAll(z); err != nil {
				t.Fatal(err)
			}
		}
		switch {
		case w.Code == 200 && string(body) == "body":
		case w.Code == 304 && len(body) == 0 && (strings.Contains(match, `"t`) || strings.Contains(match, "*")):
		default:
			t.Fatalf("%q %q: %d %q", accept, match, w.Code, body)
		}
	})
}

func BenchmarkSend(b *testing.B) {
	blob := Blob{Type: "application/vnd.mapbox-vector-tile", CacheControl: "public, max-age=86400", Tag: "0123456789abcdef-3a5b", Gzip: make([]byte, 20_000)}
	r := request(http.MethodGet, "Accept-Encoding", "gzip, deflate, br, zstd", "If-None-Match", `"0123456789abcdef-other-gzip"`)
	w := httptest.NewRecorder()
	w.Body = nil
	b.ReportAllocs()
	for b.Loop() {
		if err := Send(w, r, blob); err != nil {
			b.Fatal(err)
		}
	}
}
