package markup_test

import (
	"fmt"
	"strings"
	"testing"
	"unicode/utf16"
	"unicode/utf8"

	"svc/app/content/markup"
)

var formats = []markup.Format{markup.Plain, markup.Markdown, markup.HTML}

// FuzzParse: whatever is written, what comes out is a text with entities that lie in
// it, in order, one inside the other, and that cut no character.
func FuzzParse(f *testing.F) {
	for _, s := range []string{
		"Hi {{first_name}}", "*b _i_ __u__* ~s~ ||p|| `c` [t](https://x.uz/{{code}})", "```go\nx```", "> q\n>r\ns", "___x___ ****",
		`<b>a<i>b</i></b><a href="https://x.uz/{{code}}">😀</a>`, "<pre><code class=\"language-go\">x</code></pre>", "&#x1F600;&lt;",
		"<blockquote expandable>{{blank}}</blockquote>", `[a [b](x.uz) c](y.uz) \`,
	} {
		f.Add(s, s)
	}
	f.Fuzz(func(t *testing.T, source, value string) {
		if len(value) > 1000 {
			return // as a recipient's would be
		}
		for _, format := range formats {
			text, err := markup.Parse(source, format)
			if err != nil {
				continue
			}
			r := text.Render(func(name string) (string, bool) {
				v, ok := values(name)
				if !ok && len(name)%2 == 0 {
					return value, true
				}
				return v, ok
			})
			if err := sound(r); err != nil {
				t.Errorf("%s %q with %q: %v", format, source, value, err)
			}
			if format == markup.Plain && len(text.Variables()) == 0 && r.Text != source {
				t.Errorf("plain %q became %q", source, r.Text)
			}
		}
	})
}

// FuzzEscape: an escaped text stands for itself.
func FuzzEscape(f *testing.F) {
	for _, s := range []string{"", "*a* _b_ {{x}} <b>&amp;</b>", "> q\n```", "[x](y) \\ || ~ 😀", "#!"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		if !utf8.ValidString(s) {
			return
		}
		if _, err := markup.Parse(strings.ReplaceAll(s, "{", ""), markup.Plain); err != nil {
			return // no text
		}
		for _, format := range formats[1:] {
			escaped := markup.Escape(s, format)
			if markup.Length(escaped) > markup.MaxLength {
				continue
			}
			text, err := markup.Parse(escaped, format)
			if err != nil {
				t.Fatalf("%s %q as %q: %v", format, s, escaped, err)
			}
			if r := text.Render(values); r.Text != s || len(r.Entities) != 0 {
				t.Errorf("%s: %q as %q became %q with %v", format, s, escaped, r.Text, r.Entities)
			}
		}
	})
}

// sound says what is wrong with a rendered text.
func sound(r markup.Rendered) error {
	if !utf8.ValidString(r.Text) {
		return fmt.Errorf("text %q is no UTF-8", r.Text)
	}
	units := utf16.Encode([]rune(r.Text))
	if r.Length != len(units) {
		return fmt.Errorf("length %d, want %d", r.Length, len(units))
	}
	inCharacter := func(i int) bool {
		return i > 0 && i < len(units) && utf16.IsSurrogate(rune(units[i-1])) && utf16.DecodeRune(rune(units[i-1]), rune(units[i])) != utf8.RuneError
	}
	var around []markup.Entity
	for i, e := range r.Entities {
		end := e.Offset + e.Length
		switch {
		case e.Offset < 0 || e.Length <= 0 || end > r.Length:
			return fmt.Errorf("entity %+v of a text of %d", e, r.Length)
		case i > 0 && e.Offset < r.Entities[i-1].Offset:
			return fmt.Errorf("entity %+v stands behind %+v", e, r.Entities[i-1])
		case inCharacter(e.Offset) || inCharacter(end):
			return fmt.Errorf("entity %+v cuts a character", e)
		case e.Type == "" || (e.Type == markup.Link) != (e.URL != ""):
			return fmt.Errorf("entity %+v", e)
		}
		for len(around) > 0 && around[len(around)-1].Offset+around[len(around)-1].Length <= e.Offset {
			around = around[:len(around)-1]
		}
		if n := len(around); n > 0 && end > around[n-1].Offset+around[n-1].Length {
			return fmt.Errorf("entity %+v crosses %+v", e, around[n-1])
		}
		around = append(around, e)
	}
	return nil
}

func BenchmarkRender(b *testing.B) {
	text, err := markup.Parse(strings.Repeat("Hello *{{first_name}}*, your code is `{{code}}`. ", 10)+"[Stop]({{opt_out_url}})", markup.Markdown)
	if err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	for b.Loop() {
		if r := text.Render(values); len(r.Missing) > 0 {
			b.Fatal(r.Missing)
		}
	}
}

// BenchmarkParseHostile is the text that costs most to read.
func BenchmarkParseHostile(b *testing.B) {
	for name, s := range map[string]string{"brackets": strings.Repeat("[", markup.MaxLength), "stars": strings.Repeat("*a _b ", 682), "ticks": strings.Repeat("`", 4095) + "x"} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				_, _ = markup.Parse(s, markup.Markdown)
			}
		})
	}
}
