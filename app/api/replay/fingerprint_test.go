package replay

import (
	"strings"
	"testing"
)

// sent is a request as a client sends it.
type sent struct{ target, contentType, body string }

func (s sent) fingerprint() string { return Fingerprint(s.target, s.contentType, []byte(s.body)) }

// part is one of a form; header is all but the disposition.
func part(name, header, content string) string {
	return "Content-Disposition: form-data; name=" + name + "\r\n" + header + "\r\n" + content
}

func form(boundary string, parts ...string) sent {
	var b strings.Builder
	for _, p := range parts {
		b.WriteString("--" + boundary + "\r\n" + p + "\r\n")
	}
	return sent{"/upload", "multipart/form-data; boundary=" + boundary, b.String() + "--" + boundary + "--\r\n"}
}

const text = "Content-Type: text/plain\r\n"

func TestABoundaryDoesNotCount(t *testing.T) {
	parts := []string{part(`"file"; filename="a.txt"`, text, "one\r\n--two"), part("list", "", "l1")}
	if a, b := form("x", parts...).fingerprint(), form("a-longer-one", parts...).fingerprint(); a != b {
		t.Error("the same form is another one behind another boundary")
	}
}

// TestRequestsDiffer: each of these is another request than all the others.
func TestRequestsDiffer(t *testing.T) {
	file, list := part(`"file"; filename="a.txt"`, text, "one"), part("list", "", "l1")
	whole := form("x", file, list)
	all := map[string]sent{
		"the form":             whole,
		"one byte":             form("x", part(`"file"; filename="a.txt"`, text, "onf"), list),
		"one name":             form("x", file, part("lisp", "", "l1")),
		"the file name":        form("x", part(`"file"; filename="b.txt"`, text, "one"), list),
		"the type of the file": form("x", part(`"file"; filename="a.txt"`, "Content-Type: text/html\r\n", "one"), list),
		"its encoding":         form("x", part(`"file"; filename="a.txt"`, text+"Content-Transfer-Encoding: quoted-printable\r\n", "one"), list),
		"the order":            form("x", list, file),
		"a part less":          form("x", file),
		"no part":              form("x"),
		"bytes moved on":       form("x", part(`"file"; filename="a.txt"`, text, "on"), part("list", "", "el1")),
		"bytes moved back":     form("x", part(`"file"; filename="a.txt"`, text, "onel"), part("list", "", "1")),
		"an empty part":        form("x", file, list, part("", "", "")),
		"one part of two":      form("x", part(`"file"; filename="a.txt"`, text, "one\r\n--y\r\n"+list)),
		"a boundary as text":   form("x", part("list", "", "a--xb")),
		"that of another":      form("y", part("list", "", "a--yb")),
		"one that begins so":   form("x", part("list", "", "a\r\n--xb")),
		"another so":           form("y", part("list", "", "a\r\n--yb")),
		"more after the end":   form("x", file+"\r\n--x--"),
		"so of another":        form("y", file+"\r\n--y--"),
		"another target":       {"/upload?x=1", whole.contentType, whole.body},
		"another kind":         {whole.target, "application/json", whole.body},
		"cut":                  {whole.target, whole.contentType, strings.TrimSuffix(whole.body, "--\r\n")},
		"cut in a part":        {whole.target, whole.contentType, whole.body[:len(whole.body)/2]},
		"no form":              {whole.target, whole.contentType, "{}"},
		"no form either":       {whole.target, whole.contentType, "{} "},
		"nothing":              {whole.target, whole.contentType, ""},
	}
	seen := map[string]string{}
	for name, s := range all {
		sum := s.fingerprint()
		if other, twice := seen[sum]; twice {
			t.Errorf("%q and %q are the same", name, other)
		}
		seen[sum] = name
	}
}
