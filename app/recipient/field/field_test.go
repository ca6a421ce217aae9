package field_test

import (
	"strings"
	"testing"
	"unicode/utf8"

	"svc/app/recipient/field"
)

func TestKey(t *testing.T) {
	for name, want := range map[string]string{
		"City": "city", "Order No": "order_no", "E-mail!": "e_mail_", "Город": "город", " x ": "x", "": "", "---": "", "İş": "iş", "ǅ": "ǆ",
		strings.Repeat("ы", 70): strings.Repeat("ы", 64),
	} {
		if got := field.Key(name); got != want {
			t.Errorf("Key(%q) = %q, want %q", name, got, want)
		}
	}
}

// FuzzKey: what Key makes is a key that attributes may have, and stays what it is.
func FuzzKey(f *testing.F) {
	for _, s := range []string{"City", "Город ", "ǅ", "İ", "x\u0301", "Ⅷ", "①", "\xff"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, name string) {
		k := field.Key(name)
		if k == "" {
			return
		}
		if err := field.CheckAttributes(map[string]any{k: "v"}); err != nil || !utf8.ValidString(k) {
			t.Errorf("Key(%q) = %q: %v", name, k, err)
		}
		if again := field.Key(k); again != k {
			t.Errorf("Key(%q) = %q, and of that %q", name, k, again)
		}
	})
}

func TestText(t *testing.T) {
	for want, v := range map[string]any{"a": "a", "30": 30.0, "1.5": 1.5, "1000000000000000": 1e15, "true": true, "": nil} {
		if got := field.Text(v); got != want {
			t.Errorf("Text(%v) = %q, want %q", v, got, want)
		}
	}
}

func TestAttributes(t *testing.T) {
	many := map[string]any{}
	for i := range 101 {
		many["k"+strings.Repeat("x", i%60)+string(rune('a'+i%26))+string(rune('a'+i/26))] = "v"
	}
	for name, tt := range map[string]struct {
		attributes map[string]any
		good       bool
	}{
		"none":         {nil, true},
		"all kinds":    {map[string]any{"a": "x", "b": 1.0, "c": false, "имя_2": "y"}, true},
		"upper case":   {map[string]any{"A": "x"}, false},
		"space":        {map[string]any{"a b": "x"}, false},
		"empty key":    {map[string]any{"": "x"}, false},
		"braces":       {map[string]any{"a}}": "x"}, false},
		"long key":     {map[string]any{strings.Repeat("k", 65): "x"}, false},
		"long value":   {map[string]any{"a": strings.Repeat("x", 1001)}, false},
		"no text":      {map[string]any{"a": "\xff"}, false},
		"nul":          {map[string]any{"a": "x\x00"}, false},
		"object":       {map[string]any{"a": map[string]any{}}, false},
		"many digits":  {map[string]any{"a": 1e16}, false},
		"too many":     {many, false},
		"too much":     {map[string]any{"a": strings.Repeat("x", 1000), "b": strings.Repeat("x", 1000)}, true},
		"17 kB of it":  large(17),
		"15 kB of it":  large(15),
		"unknown type": {map[string]any{"a": 5}, false},
	} {
		if err := field.CheckAttributes(tt.attributes); (err == nil) != tt.good {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func large(kilobytes int) struct {
	attributes map[string]any
	good       bool
} {
	out := map[string]any{}
	for i := range kilobytes {
		out[string(rune('a'+i))] = strings.Repeat("x", 1000)
	}
	return struct {
		attributes map[string]any
		good       bool
	}{out, kilobytes <= 16}
}
