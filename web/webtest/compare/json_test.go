package compare

import (
	"strings"
	"testing"
)

// TestDiffer: a runner that finds no difference proves nothing, so most rows
// are differences that must be found.
func TestDiffer(t *testing.T) {
	tests := []struct{ name, want, got, says string }{
		{"equal", `{"a":1,"b":[true,null,"x"]}`, `{"a":1,"b":[true,null,"x"]}`, ""},
		{"number", `{"a":1}`, `{"a":1.0}`, ".a: want 1, got 1.0"},
		{"text and number", `{"a":"1"}`, `{"a":1}`, `.a: want "1", got 1`},
		{"null and empty list", `{"a":[]}`, `{"a":null}`, ".a: want [], got null"},
		{"null and absent", `{"a":null}`, `{}`, `no member "a"`},
		{"empty and absent", `{}`, `{"a":""}`, `unwanted member "a"`},
		{"order of members", `{"a":1,"b":2}`, `{"b":2,"a":1}`, `want member "a", got "b"`},
		{"order of items", `[1,2]`, `[2,1]`, "[0]: want 1, got 2"},
		{"too few items", `[1,2]`, `[1]`, "want 2 items, got 1"},
		{"too many items", `[1]`, `[1,2]`, "want 1 items, got 2"},
		{"deep", `{"a":[{"b":{"c":1}}]}`, `{"a":[{"b":{"c":2}}]}`, ".a[0].b.c: want 1, got 2"},
		{"any value", `{"a":…}`, `{"a":{"b":1}}`, ""},
		{"any value must be there", `{"a":…}`, `{}`, `no member "a"`},
		{"any members", `{"b":2,…}`, `{"a":1,"b":2,"c":3}`, ""},
		{"any members, in order", `{"b":2,"a":1,…}`, `{"a":1,"b":2}`, `no member "a"`},
		{"any members, wrong value", `{"b":2,…}`, `{"a":1,"b":3}`, ".b: want 2, got 3"},
		{"any items", `[1,…,9]`, `[1,2,3,9]`, ""},
		{"no items is any items", `[1,…,9]`, `[1,9]`, ""},
		{"any items, wrong end", `[1,…,9]`, `[1,2,8]`, "[2]: want 9, got 8"},
		{"any items, too few", `[1,…,9]`, `[1]`, "want 2 items, got 1"},
		{"an elision inside text is text", `{"a":"x…"}`, `{"a":"xy"}`, `want "x…", got "xy"`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			want, err := ParseJSON(Expand(tt.want))
			if err != nil {
				t.Fatal(err)
			}
			got, err := ParseJSON(tt.got)
			if err != nil {
				t.Fatal(err)
			}
			d := Differ(want, got, "")
			if (d == "") != (tt.says == "") || !strings.Contains(d, tt.says) {
				t.Errorf("says %q, want %q", d, tt.says)
			}
		})
	}
}

func TestParseJSONRefuses(t *testing.T) {
	for _, text := range []string{`{"a":1,"a":2}`, `{"a":1} x`, `{"a":`, ``, `[1,]`} {
		if n, err := ParseJSON(text); err == nil {
			t.Errorf("%s parses as %s", text, n.line())
		}
	}
}

func TestPrintedJSONReadsBack(t *testing.T) {
	for _, text := range []string{
		`{"a": […, 1], "b": {"c": …, …}, "d": "<&>\"…x"}`, `[]`, `{}`, `…`, `{"e": null}`,
		`{"long": ["` + strings.Repeat("x", 60) + `", "` + strings.Repeat("y", 60) + `", {"z": …}]}`,
	} {
		n, err := ParseJSON(Expand(text))
		if err != nil {
			t.Fatalf("%s: %v", text, err)
		}
		again, err := ParseJSON(Expand(n.Print("")))
		if err != nil || again.line() != n.line() || n.line() != text {
			t.Errorf("%s is printed %s and read %v %v", text, n.Print(""), again, err)
		}
	}
}

func TestView(t *testing.T) {
	n, err := ParseJSON(`{"query":"x","results":[{"id":1,"address":{"city":"A","street":"B"}},{"id":2,"names":null}],"took":3}`)
	if err != nil {
		t.Fatal(err)
	}
	got := n.view([]string{"results.id", "results.address.city", "results.names"}).line()
	if want := `{"results": [{"id": 1, "address": {"city": "A"}}, {"id": 2, "names": null}]}`; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	n, err = ParseJSON(`{"of":"PASS","checks":[{"key":"a","status":"PASS"},{"key":"b","status":"FAIL"},"PASS"]}`)
	if err != nil {
		t.Fatal(err)
	}
	if got, want := n.Seen([]string{"checks", "!PASS"}).line(), `{"checks": [{"key": "b", "status": "FAIL"}, "PASS"]}`; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	if got, want := n.Seen([]string{"!FAIL"}).line(), `{"of": "PASS", "checks": [{"key": "a", "status": "PASS"}, "PASS"]}`; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}
