package houserules

import (
	"strings"
	"testing"
)

func TestWrongNames(t *testing.T) {
	parse := func(name, code string) Source {
		s, err := Parse(name, []byte(code))
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	sources := []Source{
		parse("app/send/a.go", "package send\ntype Mission struct{ Lane string }\nfunc tell(whose string) { for pulse := range whose { _ = pulse } }\n"),
		parse("app/x/x.go", "package x\ntype T struct{ Lane string }\nfunc f() { told := 1; said(told); var twin int; _ = twin }\n"),
		parse("app/x/x_test.go", "package x\nfunc tell() {}\n"),
		parse("houserules/x.go", "package x\nfunc tell() {}\n"),
		parse("geo/x/x.go", "package x\nfunc retell() {}\n// told of it\n"),
	}
	wrong := wrongNames(sources)
	wants := []string{
		"the name Mission was replaced: outboundMessage", "the name Lane was replaced: accountQueue", "the name tell was", "the name whose was", "the name pulse was",
		"the name told was", "the name twin was",
	}
	for i, want := range wants {
		if i >= len(wrong) || !strings.Contains(wrong[i], want) {
			t.Fatalf("%d is not %q: %q", i, want, wrong)
		}
	}
	if len(wrong) != len(wants) {
		t.Errorf("%q", wrong)
	}
}
