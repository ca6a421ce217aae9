package webtest

import (
	"encoding/base64"
	"encoding/hex"
	"io"
	"mime"
	"mime/multipart"
	"net/http"
	"strings"
	"testing"
	"time"

	"svc/web/webtest/compare"
	"svc/web/webtest/fakes"
)

const telling = `! receiver heard
| path
[{"path": "/hook"}]

! frames one
  retry: 3000

  : ready

! settle
> POST /import
> Content-Type: multipart/form-data
>
> file: a.csv
>
> username
< left

> GET /page
< 200
  #rcp1,a
  <b>
`

func TestWhatActionsTellIsKept(t *testing.T) {
	s, err := parseStory(telling)
	if err != nil {
		t.Fatal(err)
	}
	if got := s.String(); got != telling {
		t.Errorf("written as\n%s", got)
	}
	var told []string
	for _, p := range s.parts {
		if p.action != "" {
			told = append(told, strings.Join(p.told.view, " ")+"|"+compare.Unindent(p.told.body))
		}
		if p.step != nil {
			told = append(told, compare.Unindent(p.step.body))
		}
	}
	want := []string{`path|[{"path": "/hook"}]`, "|retry: 3000\n\n: ready", "|", "", "#rcp1,a\n<b>"}
	if strings.Join(told, "§") != strings.Join(want, "§") {
		t.Errorf("%q", told)
	}
	for _, text := range []string{"", "one line", "#rcp1", "a\nb", "retry\n\n: x", "  two\n  spaces"} {
		if got := compare.Unindent(compare.Indent(text)); got != text {
			t.Errorf("%q became %q", text, got)
		}
	}
}

func TestForm(t *testing.T) {
	headers := "Content-Type: multipart/form-data\nX: y"
	body, err := compare.Form(&headers, compare.MakeContents("file: a b.csv\ntags: x; y\n\n{bom}a{tab}b\n\n{people 2}"))
	if err != nil {
		t.Fatal(err)
	}
	kind, rest, _ := strings.Cut(headers, "\n")
	_, params, err := mime.ParseMediaType(strings.TrimPrefix(kind, "Content-Type: "))
	if err != nil || rest != "X: y" {
		t.Fatalf("headers %q, %v", headers, err)
	}
	got := map[string]string{}
	for r := multipart.NewReader(strings.NewReader(body), params["boundary"]); ; {
		part, err := r.NextPart()
		if err != nil {
			break
		}
		content, err := io.ReadAll(part)
		if err != nil {
			t.Fatal(err)
		}
		got[part.FormName()+"/"+part.FileName()] = string(content)
	}
	if len(got) != 2 || got["tags/"] != "x; y" || got["file/a b.csv"] != "\ufeffa\tb\n\nusername\nperson000001\nperson000002" {
		t.Errorf("%q", got)
	}
	other := "Content-Type: multipart/form-data; boundary=x"
	if body, err := compare.Form(&other, "--x"); err != nil || body != "--x" {
		t.Errorf("a form that was written out became %q, %v", body, err)
	}
	if _, err := compare.Form(&headers, "x"); err != nil {
		t.Errorf("what has a boundary is no form of ours: %v", err)
	}
	wrong := "Content-Type: multipart/form-data"
	if _, err := compare.Form(&wrong, "no field"); err == nil {
		t.Error("a line that is no field was taken")
	}
}

func TestReadable(t *testing.T) {
	for _, tt := range []struct{ kind, body, want string }{
		{"text/plain", "a\nb\n", "a\nb"},
		{"text/plain", "\x00", "(1 bytes, 6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d)"},
		{"image/png", "\xff", "(1 bytes, a8100ae6aa1940d0b663bb31cd466142ebbdbd5187131b92d93818987832eb89)"},
		{"text/html; charset=utf-8", `<!doctype html><html lang="uz"><head><meta charset="utf-8"><style>p>a{}</style><title>T</title></head><body>
<p class="x">a &lt;b&gt;
 c</p><form method="post"><button>Go</button></form><a href="?x=1">L</a><script src="//evil"></script></body></html>`,
			"html uz\ntitle: T\np: a <b> c\nform post\nbutton: Go\na ?x=1: L\nscript //evil"},
	} {
		if got := compare.Readable(tt.kind, []byte(tt.body)); got != tt.want {
			t.Errorf("%q is shown as %q", tt.body, got)
		}
	}
}

// TestWhoSigned: a signature counts only with its secret, its time and its body.
func TestWhoSigned(t *testing.T) {
	key := []byte("12345678901234567890123456789012")
	secret, body, now := "whsec_"+base64.StdEncoding.EncodeToString(key), `{"id":"evt_1"}`, time.Unix(1000, 0)
	good := func() fakes.Received {
		h := http.Header{}
		h.Set("X-Svc-Signature", "t=998,v1="+hex.EncodeToString(fakes.Sign([]byte(secret), "998."+body)))
		h.Set("webhook-id", "evt_1")
		h.Set("webhook-timestamp", "998")
		h.Set("webhook-signature", "v1,"+base64.StdEncoding.EncodeToString(fakes.Sign(key, "evt_1.998."+body)))
		return fakes.Received{Path: "/", Header: h, Body: []byte(body)}
	}
	r := good()
	if a, b := r.Signers([]string{"whsec_b3RoZXI=", secret}), r.StandardSigners([]string{secret}); len(a) != 1 || a[0] != secret || len(b) != 1 || b[0] != secret || r.Ago(now) != "2s" {
		t.Errorf("%q %q %s", a, b, r.Ago(now))
	}
	for name, spoil := range map[string]func(*fakes.Received){
		"body": func(r *fakes.Received) { r.Body = []byte(`{"id":"evt_2"}`) },
		"time": func(r *fakes.Received) {
			r.Header.Set("X-Svc-Signature", strings.Replace(r.Header.Get("X-Svc-Signature"), "998", "999", 1))
		},
		"secret": func(r *fakes.Received) {
			r.Header.Set("X-Svc-Signature", "t=998,v1="+hex.EncodeToString(fakes.Sign(key, "998."+body)))
		},
	} {
		r := good()
		if spoil(&r); r.Signers([]string{secret})[0] != "nobody" {
			t.Errorf("another %s, and the signature holds", name)
		}
	}
	r = good()
	r.Header.Set("webhook-id", "evt_2")
	if r.StandardSigners([]string{secret})[0] != "nobody" {
		t.Error("another id, and the signature holds")
	}
	r.Header.Set("webhook-timestamp", "1")
	if r.Ago(now) != "the two times differ" {
		t.Error(r.Ago(now))
	}
}
