package origin

import (
	"net/url"
	"strings"
	"testing"
)

func TestOf(t *testing.T) {
	for _, c := range []struct{ origin, referer, want string }{
		{"https://Acme.Example", "", "https://acme.example"},
		{"https://acme.example/", "", "https://acme.example"},
		{"https://acme.example:8443", "https://other.example/x", "https://acme.example:8443"},
		{"", "https://Acme.example:8443/page?q=1#x", "https://acme.example:8443"},
		{"null", "https://acme.example/page", "https://acme.example"},
		{"null", "", ""},
		{"", "", ""},
		{"", "/page", ""},
		{"", "acme.example/page", ""},
		{"", "https://acme.example@evil.example/", "https://evil.example"},
		{"", "https://evil.example\\@acme.example/", ""},
		{"", "%zz://", ""},
		{"", "about:blank", ""},
	} {
		if got := Of(c.origin, c.referer); got != c.want {
			t.Errorf("Of(%q, %q) = %q, want %q", c.origin, c.referer, got, c.want)
		}
	}
}

func TestOfMatching(t *testing.T) {
	for _, c := range []struct {
		entry, origin string
		want          bool
	}{
		{"https://acme.example", "https://acme.example", true},
		{"  HTTPS://Acme.Example/ ", "https://acme.example", true},
		{"https://acme.example", "http://acme.example", false},
		{"https://acme.example", "https://www.acme.example", false},
		{"https://acme.example", "https://acme.example:8443", false},
		{"https://acme.example:8443", "https://acme.example:8443", true},
		{"https://acme.example", "https://acme.example.evil.example", false},
		{"https://*.acme.example", "https://acme.example", true},
		{"https://*.acme.example", "https://a.acme.example", true},
		{"https://*.acme.example", "https://a.b.c.acme.example", true},
		{"https://*.acme.example", "http://a.acme.example", false},
		{"https://*.acme.example", "https://evilacme.example", false},
		{"https://*.acme.example", "https://acme.example.evil.example", false},
		{"https://*.acme.example", "https://evil.example/.acme.example", false},
		{"https://*.acme.example", "https://evil.example?.acme.example", false},
		{"https://*.acme.example", "https://evil.example#.acme.example", false},
		{"https://*.acme.example", "https://evil.example\\.acme.example", false},
		{"https://*.acme.example", "https://evil.example:1.acme.example", false},
		{"https://*.acme.example", "https://user@x.acme.example", false},
		{"https://*.acme.example", "https://.acme.example", false},
		{"https://*.acme.example", "https://a.acme.example:8443", false},
		{"https://*.acme.example:8443", "https://a.acme.example:8443", true},
		{"https://*.acme.example:8443", "https://acme.example", false},
		{"*", "https://anything.example", true},
		{"acme.example", "https://acme.example", false},
		{"acme.example", "acme.example", true},
		{"*.acme.example", "https://a.acme.example", false},
		{"https://a*.acme.example", "https://ab.acme.example", false},
		{"https://a.*.example", "https://a.acme.example", false},
		{"https://*", "https://acme.example", false},
		{"https://*.", "https://acme.", false},
		{"*://acme.example", "https://acme.example", false},
		{"", "https://acme.example", false},
		{"capacitor://localhost", "capacitor://localhost", true},
	} {
		if got := Compile([]string{c.entry}).Allows(c.origin); got != c.want {
			t.Errorf("entry %q, origin %q: %v, want %v", c.entry, c.origin, got, c.want)
		}
		if Compile([]string{c.entry}).Allows("") {
			t.Errorf("entry %q lets a request without an origin in", c.entry)
		}
	}
	if !Compile([]string{"https://a.example", "https://b.example"}).Allows("https://b.example") {
		t.Error("the second entry is not looked at")
	}
}

func TestCheck(t *testing.T) {
	for entry, problem := range map[string]string{
		"https://acme.example":       "",
		"https://*.acme.example":     "",
		"http://localhost:3000":      "",
		"http://[::1]:3000":          "",
		"*":                          "",
		"":                           "empty",
		"acme.example":               "scheme",
		"*.acme.example":             "scheme",
		"*://acme.example":           "one scheme",
		"https://":                   "scheme", // the slashes go first, as in matching
		"https://*.":                 "no host",
		"https://a.*.example":        "start of the host",
		"https://acme.example/map":   "without a path",
		"https://me@acme.example":    "user name",
		"https://acme.example:443":   "own port",
		"http://acme.example:80":     "own port",
		"https://acme.example:":      "form",
		"https://ac me.example":      "form",
		"https://карта.example":      "ASCII form",
		"https://acme.example:x":     "form",
		strings.Repeat("a", 1000):    "scheme",
		"https://*.*.acme.example/x": "start of the host",
	} {
		got := Check(entry)
		if (problem == "") != (got == "") || !strings.Contains(got, problem) {
			t.Errorf("Check(%q) = %q, want something about %q", entry, got, problem)
		}
		if len(got) > 400 {
			t.Errorf("Check of %d bytes answers %d bytes", len(entry), len(got))
		}
	}
}

// FuzzOrigin compares the matcher with the meaning of an entry: whatever origin
// is let in must parse to the entry's scheme and to its host or a host below.
func FuzzOrigin(f *testing.F) {
	f.Add("https://*.acme.example", "https://a.acme.example", "")
	f.Add("https://*.acme.example:8443", "https://evil.example/.acme.example:8443", "https://x/y")
	f.Add("*", "null", "http://a@b:1/")
	f.Fuzz(func(t *testing.T, entry, header, referer string) {
		origin := Of(header, referer)
		rules := Compile([]string{entry})
		ok := rules.Allows(origin)
		if origin == "" && ok {
			t.Fatalf("entry %q let a request without an origin in", entry)
		}
		Check(entry)
		r := rules[0]
		if !ok || r.any || origin == r.exact {
			return
		}
		u, err := url.Parse(origin)
		if err != nil {
			return // not an origin a browser can be on
		}
		if u.Scheme+"://" != r.prefix || (u.Host != r.apex && !strings.HasSuffix(u.Host, "."+r.apex)) {
			t.Fatalf("entry %q let %q in, whose host is %q", entry, origin, u.Host)
		}
	})
}
