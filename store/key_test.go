package store

import (
	"bytes"
	"slices"
	"testing"

	"svc/store/internal/layout"
)

func TestKeysSortAsValuesDo(t *testing.T) {
	lists := map[string][]Key{
		"texts":  {Text(""), Text("\x00"), Text("\x00\x00"), Text("\x00a"), Text("\x01"), Text("a"), Text("a\x00"), Text("a\x00b"), Text("ab"), Text("b"), Text("ю"), Text("\xff"), Text("\xff\xff")},
		"ints":   {Int(-1 << 63), Int(-5), Int(-1), Int(0), Int(1), Int(300), Int(1<<63 - 1)},
		"bools":  {Bool(false), Bool(true)},
		"tuples": {Tuple(nil, Int(9)), Tuple(Text("a"), nil), Tuple(Text("a"), Int(1)), Tuple(Text("a"), Int(2)), Tuple(Text("ab"), nil)},
		"mixed":  {Tuple(Text("a"), Desc(Int(5))), Tuple(Text("a"), Desc(Int(-5))), Tuple(Text("b"), Desc(Int(7)))},
	}
	var down []Key
	for _, k := range slices.Backward(lists["texts"]) {
		down = append(down, Desc(k))
	}
	lists["texts down"] = down
	for name, keys := range lists {
		for i := range keys {
			for j := range keys {
				if i != j && bytes.HasPrefix(keys[i], keys[j]) {
					t.Errorf("%s: %x begins with %x", name, keys[i], keys[j])
				}
				if (i < j) != (bytes.Compare(keys[i], keys[j]) < 0) {
					t.Errorf("%s: %x and %x are in the wrong order", name, keys[i], keys[j])
				}
			}
		}
	}
}

func FuzzText(f *testing.F) {
	f.Add("", "a")
	f.Add("a\x00", "a\x00\x01")
	f.Add("\xff", "\x00\xff")
	f.Fuzz(func(t *testing.T, a, b string) {
		ka, kb := Text(a), Text(b)
		if bytes.Compare(ka, kb) != bytes.Compare([]byte(a), []byte(b)) {
			t.Errorf("%q and %q sort differently", a, b)
		}
		got, rest, ok := layout.ReadText(append(slices.Clone(ka), kb...))
		if !ok || got != a || !bytes.Equal(rest, kb) {
			t.Errorf("%q reads back as %q, %x, %v", a, got, rest, ok)
		}
		s := HasPrefix(a)
		v := layout.AppendOptional(nil, kb)
		if in := bytes.Compare(v, s.From) >= 0 && (s.To == nil || bytes.Compare(v, s.To) < 0); in != bytes.HasPrefix([]byte(b), []byte(a)) {
			t.Errorf("prefix %q holds %q: %v", a, b, in)
		}
	})
}
