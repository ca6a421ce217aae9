package houserules

import (
	"fmt"
	"strings"
	"testing"
)

func TestLongOperations(t *testing.T) {
	parse := func(name, code string) Source {
		s, err := Parse(name, []byte(code))
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	body := func(lines int) string { return "{\n" + strings.Repeat("\t_ = 1\n", lines-2) + "}\n" }
	sources := []Source{
		parse("app/x/x.go", `package x
import "svc/app/y"
type service struct { db int; other *y.Service }
func (s *service) endpoints() []api.Endpoint {
	return []api.Endpoint{
		api.E("GET /a", "a.get", p, "Reads.", s.get),
		api.E("GET /b", "b.get", p, "Reads.", api.Read(s.db, s.long)),
		api.E("GET /c", "c.get", p, "Reads.", s.other.Long),
		api.E("GET /d", "d.get", p, "Reads.", func(c *api.Call) {
		}),
		api.E("GET /e", "e.get", p, "Reads.", s.made("kind")),
		api.E("GET /f", "f.get", p, "Reads.", plain[int]),
		api.E("GET /g", "g.get", p, "Reads.", s.nowhere),
		e("GET /h", "h.get", "Reads.", y.Short),
	}
}
func (s *service) get() `+body(24)+`
func (s *service) long() `+body(25)+`
func (s *service) made() `+body(26)+`
func plain[T any]() `+body(27)),
		parse("app/y/y.go", "package y\ntype Service struct{}\nfunc (s Service) Long() "+body(30)+"\nfunc Short() "+body(3)),
	}
	ops := operations(sources)
	var got []string
	for _, o := range ops {
		got = append(got, fmt.Sprint(o.id, " ", o.lines))
	}
	if want := "a.get 24, b.get 25, c.get 30, d.get 2, e.get 26, f.get 27, g.get 0, admin.h.get 3"; strings.Join(got, ", ") != want {
		t.Errorf("found %s, want %s", strings.Join(got, ", "), want)
	}

	wrong := longOperations(ops)
	for i, want := range []string{"b.get has 25 lines", "c.get has 30 lines", "e.get has 26 lines", "f.get has 27 lines", "g.get was not found"} {
		if i >= len(wrong) || !strings.Contains(wrong[i], want) {
			t.Fatalf("%d is not %q: %q", i, want, wrong)
		}
	}
	if len(wrong) != 5 {
		t.Errorf("%q", wrong)
	}
}
