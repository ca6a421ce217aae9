package photo

import (
	"strings"
	"testing"
	"unicode/utf8"
)

func TestPlain(t *testing.T) {
	tests := []struct{ in, want string }{
		{"", ""},
		{"Anna", "Anna"},
		{"  Anna \n Bo\t", "Anna Bo"},
		{`<a href="https://x.example/?a>b">Anna</a>`, "Anna"},
		{"Anna<br>Bo<br/>Cy", "Anna Bo Cy"},
		{"<div><p>Anna</p><p>Bo</p></div>", "Anna Bo"},
		{"A &amp; B &quot;C&quot; &#1040;", `A & B "C" А`},
		{"<script>alert('x')</script>Anna", "Anna"},
		{"<STYLE type='a'>.x{}</STYLE>Anna", "Anna"},
		{"<script>never closed", ""},
		{"Anna <!-- a > b --> Bo", "Anna Bo"},
		{"5 < 6 and 7 > 6", "5 < 6 and 7 > 6"},
		{"&lt;script&gt;alert(1)&lt;/script&gt;Anna", "Anna"},
		{"&lt;b&gt;Anna&lt;/b&gt;", "Anna"},
		{"<<b>b>Anna", "Anna"},
		{"Anna <a href='x", "Anna"},
		{"bad\xffbytes", "badbytes"},
		{"<\xffb>Anna", "Anna"},
		{"Oʻzbekiston Ўзбекистон", "Oʻzbekiston Ўзбекистон"},
	}
	for _, tt := range tests {
		if got := plain(tt.in, 100); got != tt.want {
			t.Errorf("plain(%q) = %q, want %q", tt.in, got, tt.want)
		}
	}
	if got := plain(strings.Repeat("ў", 50), 10); got != strings.Repeat("ў", 9)+"…" {
		t.Errorf("cut to %q", got)
	}
}

func FuzzPlain(f *testing.F) {
	for _, s := range []string{"<a>x</a>", "<<b>b>", "&lt;b&gt;", "<!--", "<script><", "a<\x00b"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		got := plain(s, 50)
		if n := utf8.RuneCountInString(got); n > 50 || !utf8.ValidString(got) {
			t.Errorf("plain(%q) = %q (%d characters)", s, got, n)
		}
		for i := range len(got) {
			if got[i] == '<' && startsTag(got[i:]) {
				t.Errorf("plain(%q) = %q holds a tag", s, got)
			}
		}
	})
}

func FuzzAnswers(f *testing.F) {
	f.Add([]byte(`{"claims":{"P18":[{"rank":"normal","mainsnak":{"snaktype":"value","datavalue":{"value":"a.jpg"}}}]}}`))
	f.Add([]byte(`{"query":{"pages":[{"title":"File:x","imageinfo":[{"url":"https://u.example/x.png","mime":"image/png","extmetadata":{"Artist":{"value":7}}}]}]}}`))
	f.Fuzz(func(t *testing.T, body []byte) {
		if file, err := parseClaims(body); err != nil && file != "" {
			t.Errorf("a file name %q with error %v", file, err)
		}
		rec, err := parseInfo(body, "Q1")
		if err != nil || rec.Photo == nil {
			return
		}
		if rec.Image == "" || !strings.HasSuffix(rec.Photo.Attribution, HostName) || rec.Photo.Width < 0 {
			t.Errorf("record %+v of %s", rec, body)
		}
	})
}
