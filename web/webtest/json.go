package webtest

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"
)

// elision stands for what a story does not say.
const elision = "…"

// node is a JSON value that remembers the order of its members.
type node struct {
	kind  kind
	text  string   // of a scalar: as JSON
	keys  []string // of an object
	items []*node  // of an object or an array
}

type kind uint8

const (
	scalar kind = iota
	object
	array
	elided // any value; in an array any items; as a member any members
)

// parseJSON reads one value. A repeated member is an error: no client could
// read it.
func parseJSON(text string) (*node, error) {
	d := json.NewDecoder(strings.NewReader(text))
	d.UseNumber()
	n, err := readNode(d)
	if err != nil {
		return nil, err
	}
	if _, err := d.Token(); err != io.EOF {
		return nil, fmt.Errorf("something follows the JSON value")
	}
	return n, nil
}

func readNode(d *json.Decoder) (*node, error) {
	tok, err := d.Token()
	if err != nil {
		return nil, err
	}
	switch v := tok.(type) {
	case json.Delim:
		if v == '{' {
			return readObject(d)
		}
		return readArray(d)
	case string:
		if v == elision {
			return &node{kind: elided}, nil
		}
		return &node{text: quote(v)}, nil
	case nil:
		return &node{text: "null"}, nil
	default:
		return &node{text: fmt.Sprint(v)}, nil
	}
}

func readObject(d *json.Decoder) (*node, error) {
	n := &node{kind: object}
	for d.More() {
		tok, err := d.Token()
		if err != nil {
			return nil, err
		}
		key := tok.(string)
		if n.member(key) != nil && key != elision {
			return nil, fmt.Errorf("the member %q stands twice", key)
		}
		item, err := readNode(d)
		if err != nil {
			return nil, err
		}
		n.keys, n.items = append(n.keys, key), append(n.items, item)
	}
	_, err := d.Token()
	return n, err
}

func readArray(d *json.Decoder) (*node, error) {
	n := &node{kind: array}
	for d.More() {
		item, err := readNode(d)
		if err != nil {
			return nil, err
		}
		n.items = append(n.items, item)
	}
	_, err := d.Token()
	return n, err
}

func (n *node) member(key string) *node {
	for i, k := range n.keys {
		if k == key {
			return n.items[i]
		}
	}
	return nil
}

func quote(s string) string {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	_ = enc.Encode(s) // a string always encodes
	return strings.TrimSuffix(b.String(), "\n")
}

// expand makes bare elisions valid JSON: "…" for a value, "…":"…" for a member.
func expand(text string) string {
	var b strings.Builder
	var open []rune
	inString, escaped, wantKey := false, false, false
	for _, r := range text {
		switch {
		case inString:
			inString = escaped || r != '"'
			escaped = !escaped && r == '\\'
		case r == '"':
			inString, wantKey = true, false
		case r == '{' || r == '[':
			open, wantKey = append(open, r), r == '{'
		case (r == '}' || r == ']') && len(open) > 0:
			open, wantKey = open[:len(open)-1], false
		case r == ',':
			wantKey = len(open) > 0 && open[len(open)-1] == '{'
		case r == '…':
			if wantKey {
				b.WriteString(`"…":`)
			}
			b.WriteString(`"…"`)
			continue
		}
		b.WriteRune(r)
	}
	return b.String()
}

// lineWidth is how long a value on one line may be, in bytes.
const lineWidth = 110

// print writes n for a story: short values on one line.
func (n *node) print(indent string) string {
	if line := n.line(); len(indent)+len(line) <= lineWidth || len(n.items) == 0 {
		return line
	}
	inner := indent + "  "
	parts := make([]string, len(n.items))
	for i, item := range n.items {
		parts[i] = inner + n.prefix(i) + item.print(inner)
	}
	open, end := n.brackets()
	return open + "\n" + strings.Join(parts, ",\n") + "\n" + indent + end
}

func (n *node) line() string {
	switch n.kind {
	case scalar:
		return n.text
	case elided:
		return elision
	}
	parts := make([]string, len(n.items))
	for i, item := range n.items {
		parts[i] = n.prefix(i) + item.line()
	}
	open, end := n.brackets()
	return open + strings.Join(parts, ", ") + end
}

// prefix is the name of a member; nothing in an array or before an elision of members.
func (n *node) prefix(i int) string {
	if n.kind != object || n.keys[i] == elision {
		return ""
	}
	return quote(n.keys[i]) + ": "
}

func (n *node) brackets() (string, string) {
	if n.kind == object {
		return "{", "}"
	}
	return "[", "]"
}

// seen is what a story looks at: the members at the given paths and, behind an
// exclamation mark, a word whose bearers are left out of arrays.
func (n *node) seen(words []string) *node {
	var paths []string
	for _, w := range words {
		if hidden, ok := strings.CutPrefix(w, "!"); ok {
			n = n.without(quote(hidden))
		} else {
			paths = append(paths, w)
		}
	}
	if paths == nil {
		return n
	}
	return n.view(paths)
}

// without leaves out of arrays the objects with a member that is this text.
func (n *node) without(text string) *node {
	if n.kind != object && n.kind != array {
		return n
	}
	out := &node{kind: n.kind}
	for i, item := range n.items {
		bears := slices.ContainsFunc(item.items, func(member *node) bool { return member.kind == scalar && member.text == text })
		if n.kind == array && item.kind == object && bears {
			continue
		}
		if n.kind == object {
			out.keys = append(out.keys, n.keys[i])
		}
		out.items = append(out.items, item.without(text))
	}
	return out
}

// view keeps the members at the given paths; arrays are seen through.
func (n *node) view(paths []string) *node {
	switch n.kind {
	case array:
		out := &node{kind: array}
		for _, item := range n.items {
			out.items = append(out.items, item.view(paths))
		}
		return out
	case object:
		out := &node{kind: object}
		for i, key := range n.keys {
			var deeper []string
			whole := false
			for _, p := range paths {
				head, rest, more := strings.Cut(p, ".")
				if head == key && more {
					deeper = append(deeper, rest)
				}
				whole = whole || p == key
			}
			switch item := n.items[i]; {
			case whole:
				out.keys, out.items = append(out.keys, key), append(out.items, item)
			case deeper != nil:
				out.keys, out.items = append(out.keys, key), append(out.items, item.view(deeper))
			}
		}
		return out
	}
	return n
}

// differ says where got is not what was wanted; "" when it is.
func differ(want, got *node, at string) string {
	switch {
	case want.kind == elided:
		return ""
	case want.kind != got.kind:
		return fmt.Sprintf("%s: want %s, got %s", at, want.line(), got.line())
	case want.kind == object:
		return differMembers(want, got, at)
	case want.kind == array:
		return differItems(want, got, at)
	case want.text != got.text:
		return fmt.Sprintf("%s: want %s, got %s", at, want.text, got.text)
	}
	return ""
}

// differMembers compares in order; between listed members an elision lets others be.
func differMembers(want, got *node, at string) string {
	j, loose := 0, want.member(elision) != nil
	for i, key := range want.keys {
		if key == elision {
			continue
		}
		for loose && j < len(got.keys) && got.keys[j] != key {
			j++
		}
		if j == len(got.keys) {
			return fmt.Sprintf("%s: no member %q here (members: %s)", at, key, strings.Join(got.keys, ", "))
		}
		if got.keys[j] != key {
			return fmt.Sprintf("%s: want member %q, got %q", at, key, got.keys[j])
		}
		if d := differ(want.items[i], got.items[j], at+"."+key); d != "" {
			return d
		}
		j++
	}
	if !loose && j < len(got.keys) {
		return fmt.Sprintf("%s: unwanted member %q", at, got.keys[j])
	}
	return ""
}

// differItems compares what stands before and after one elision.
func differItems(want, got *node, at string) string {
	gap := -1
	for i, item := range want.items {
		if item.kind == elided {
			gap = i
		}
	}
	before, after := want.items, []*node(nil)
	if gap >= 0 {
		before, after = want.items[:gap], want.items[gap+1:]
	}
	if least := len(before) + len(after); len(got.items) < least || gap < 0 && len(got.items) != least {
		return fmt.Sprintf("%s: want %d items, got %d: %s", at, least, len(got.items), got.line())
	}
	for i, item := range before {
		if d := differ(item, got.items[i], fmt.Sprintf("%s[%d]", at, i)); d != "" {
			return d
		}
	}
	for i, item := range after {
		j := len(got.items) - len(after) + i
		if d := differ(item, got.items[j], fmt.Sprintf("%s[%d]", at, j)); d != "" {
			return d
		}
	}
	return ""
}
