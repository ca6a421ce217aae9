// Package compare holds what a server answered against what a story expects: JSON in which values may be
// left open, forms, and text that is shown line by line. It knows neither servers nor stories.
package compare

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"
)

// Elision stands for what a story does not say.
const Elision = "…"

// Node is a JSON value that remembers the order of its members.
type Node struct {
	Kind  kind
	Text  string   // of a scalar: as JSON
	Keys  []string // of an object
	Items []*Node  // of an object or an array
}

type kind uint8

// The kinds of a node.
const (
	Scalar kind = iota
	Object
	array
	Elided // any value; in an array any items; as a member any members
)

// ParseJSON reads one value. A repeated member is an error: no client could
// read it.
func ParseJSON(text string) (*Node, error) {
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

func readNode(d *json.Decoder) (*Node, error) {
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
		if v == Elision {
			return &Node{Kind: Elided}, nil
		}
		return &Node{Text: Quote(v)}, nil
	case nil:
		return &Node{Text: "null"}, nil
	default:
		return &Node{Text: fmt.Sprint(v)}, nil
	}
}

func readObject(d *json.Decoder) (*Node, error) {
	n := &Node{Kind: Object}
	for d.More() {
		tok, err := d.Token()
		if err != nil {
			return nil, err
		}
		key := tok.(string)
		if n.Member(key) != nil && key != Elision {
			return nil, fmt.Errorf("the member %q stands twice", key)
		}
		item, err := readNode(d)
		if err != nil {
			return nil, err
		}
		n.Keys, n.Items = append(n.Keys, key), append(n.Items, item)
	}
	_, err := d.Token()
	return n, err
}

func readArray(d *json.Decoder) (*Node, error) {
	n := &Node{Kind: array}
	for d.More() {
		item, err := readNode(d)
		if err != nil {
			return nil, err
		}
		n.Items = append(n.Items, item)
	}
	_, err := d.Token()
	return n, err
}

// Member is the value of a key of an object; nil when it has none.
func (n *Node) Member(key string) *Node {
	for i, k := range n.Keys {
		if k == key {
			return n.Items[i]
		}
	}
	return nil
}

// Quote writes a text as JSON, without escaping characters of HTML.
func Quote(s string) string {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	_ = enc.Encode(s) // a string always encodes
	return strings.TrimSuffix(b.String(), "\n")
}

// Expand makes bare elisions valid JSON: "…" for a value, "…":"…" for a member.
func Expand(text string) string {
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

// Print writes n for a story: short values on one line.
func (n *Node) Print(indent string) string {
	if line := n.line(); len(indent)+len(line) <= lineWidth || len(n.Items) == 0 {
		return line
	}
	inner := indent + "  "
	parts := make([]string, len(n.Items))
	for i, item := range n.Items {
		parts[i] = inner + n.prefix(i) + item.Print(inner)
	}
	open, end := n.brackets()
	return open + "\n" + strings.Join(parts, ",\n") + "\n" + indent + end
}

func (n *Node) line() string {
	switch n.Kind {
	case Scalar:
		return n.Text
	case Elided:
		return Elision
	}
	parts := make([]string, len(n.Items))
	for i, item := range n.Items {
		parts[i] = n.prefix(i) + item.line()
	}
	open, end := n.brackets()
	return open + strings.Join(parts, ", ") + end
}

// prefix is the name of a member; nothing in an array or before an elision of members.
func (n *Node) prefix(i int) string {
	if n.Kind != Object || n.Keys[i] == Elision {
		return ""
	}
	return Quote(n.Keys[i]) + ": "
}

func (n *Node) brackets() (string, string) {
	if n.Kind == Object {
		return "{", "}"
	}
	return "[", "]"
}

// Seen is what a story looks at: the members at the given paths and, behind an
// exclamation mark, a word whose bearers are left out of arrays.
func (n *Node) Seen(words []string) *Node {
	var paths []string
	for _, w := range words {
		if hidden, ok := strings.CutPrefix(w, "!"); ok {
			n = n.without(Quote(hidden))
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
func (n *Node) without(text string) *Node {
	if n.Kind != Object && n.Kind != array {
		return n
	}
	out := &Node{Kind: n.Kind}
	for i, item := range n.Items {
		bears := slices.ContainsFunc(item.Items, func(member *Node) bool { return member.Kind == Scalar && member.Text == text })
		if n.Kind == array && item.Kind == Object && bears {
			continue
		}
		if n.Kind == Object {
			out.Keys = append(out.Keys, n.Keys[i])
		}
		out.Items = append(out.Items, item.without(text))
	}
	return out
}

// view keeps the members at the given paths; arrays are seen through.
func (n *Node) view(paths []string) *Node {
	switch n.Kind {
	case array:
		out := &Node{Kind: array}
		for _, item := range n.Items {
			out.Items = append(out.Items, item.view(paths))
		}
		return out
	case Object:
		out := &Node{Kind: Object}
		for i, key := range n.Keys {
			var deeper []string
			whole := false
			for _, p := range paths {
				head, rest, more := strings.Cut(p, ".")
				if head == key && more {
					deeper = append(deeper, rest)
				}
				whole = whole || p == key
			}
			switch item := n.Items[i]; {
			case whole:
				out.Keys, out.Items = append(out.Keys, key), append(out.Items, item)
			case deeper != nil:
				out.Keys, out.Items = append(out.Keys, key), append(out.Items, item.view(deeper))
			}
		}
		return out
	}
	return n
}

// Differ says where got is not what was wanted; "" when it is.
func Differ(want, got *Node, at string) string {
	switch {
	case want.Kind == Elided:
		return ""
	case want.Kind != got.Kind:
		return fmt.Sprintf("%s: want %s, got %s", at, want.line(), got.line())
	case want.Kind == Object:
		return differMembers(want, got, at)
	case want.Kind == array:
		return differItems(want, got, at)
	case want.Text != got.Text:
		return fmt.Sprintf("%s: want %s, got %s", at, want.Text, got.Text)
	}
	return ""
}

// differMembers compares in order; between listed members an elision lets others be.
func differMembers(want, got *Node, at string) string {
	j, loose := 0, want.Member(Elision) != nil
	for i, key := range want.Keys {
		if key == Elision {
			continue
		}
		for loose && j < len(got.Keys) && got.Keys[j] != key {
			j++
		}
		if j == len(got.Keys) {
			return fmt.Sprintf("%s: no member %q here (members: %s)", at, key, strings.Join(got.Keys, ", "))
		}
		if got.Keys[j] != key {
			return fmt.Sprintf("%s: want member %q, got %q", at, key, got.Keys[j])
		}
		if d := Differ(want.Items[i], got.Items[j], at+"."+key); d != "" {
			return d
		}
		j++
	}
	if !loose && j < len(got.Keys) {
		return fmt.Sprintf("%s: unwanted member %q", at, got.Keys[j])
	}
	return ""
}

// differItems compares what stands before and after one elision.
func differItems(want, got *Node, at string) string {
	gap := -1
	for i, item := range want.Items {
		if item.Kind == Elided {
			gap = i
		}
	}
	before, after := want.Items, []*Node(nil)
	if gap >= 0 {
		before, after = want.Items[:gap], want.Items[gap+1:]
	}
	if least := len(before) + len(after); len(got.Items) < least || gap < 0 && len(got.Items) != least {
		return fmt.Sprintf("%s: want %d items, got %d: %s", at, least, len(got.Items), got.line())
	}
	for i, item := range before {
		if d := Differ(item, got.Items[i], fmt.Sprintf("%s[%d]", at, i)); d != "" {
			return d
		}
	}
	for i, item := range after {
		j := len(got.Items) - len(after) + i
		if d := Differ(item, got.Items[j], fmt.Sprintf("%s[%d]", at, j)); d != "" {
			return d
		}
	}
	return ""
}
