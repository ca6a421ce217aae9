package ai

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
)

// Schema is the form of an answer.
type Schema struct {
	Name string // letters, digits and _
	Root *Node  // an object
}

// Type of a value.
type Type string

// The types of the subset that every provider knows (contract 12.6).
const (
	Object  Type = "object"
	Array   Type = "array"
	String  Type = "string"
	Integer Type = "integer"
	Number  Type = "number"
	Boolean Type = "boolean"
)

// Node is a value in a schema. Every field of an object is required, and no other may be
// there. Bounds of texts and numbers are checked by whoever asked, after decoding.
type Node struct {
	Type        Type
	Nullable    bool
	Description string
	Enum        []string // of a String
	Items       *Node    // of an Array
	Fields      []Field  // of an Object
}

// Field is a named value in an object.
type Field struct {
	Name string
	*Node
}

// Obj is an object of fields.
func Obj(fields ...Field) *Node { return &Node{Type: Object, Fields: fields} }

// F is a field of a type.
func F(name string, t Type, description string) Field {
	return Field{name, &Node{Type: t, Description: description}}
}

// ListOf is a field of a list.
func ListOf(name string, t Type, description string) Field {
	return Field{name, &Node{Type: Array, Description: description, Items: &Node{Type: t}}}
}

// OneOf is a field with a choice.
func OneOf(name string, values ...string) Field {
	return Field{name, &Node{Type: String, Enum: values}}
}

// MarshalJSON writes the node as JSON Schema.
func (n *Node) MarshalJSON() ([]byte, error) {
	out := map[string]any{"type": string(n.Type)}
	if n.Nullable {
		out["type"] = []string{string(n.Type), "null"}
	}
	if n.Description != "" {
		out["description"] = n.Description
	}
	if n.Enum != nil {
		out["enum"] = n.Enum
	}
	if n.Items != nil {
		out["items"] = n.Items
	}
	if n.Type == Object {
		properties, required := make(map[string]*Node, len(n.Fields)), make([]string, 0, len(n.Fields))
		for _, f := range n.Fields {
			properties[f.Name] = f.Node
			required = append(required, f.Name)
		}
		out["properties"], out["required"], out["additionalProperties"] = properties, required, false
	}
	return json.Marshal(out)
}

// maxDepth bounds how deep an answer is nested.
const maxDepth = 16

// Check says what of an answer does not fit, with the path to it; nil when all does. It
// never repeats a value.
func (s *Schema) Check(answer json.RawMessage) error {
	d := json.NewDecoder(bytes.NewReader(answer))
	d.UseNumber()
	var v any
	if err := d.Decode(&v); err != nil {
		return fmt.Errorf("%s: not JSON", s.Name)
	}
	if d.More() {
		return fmt.Errorf("%s: something follows the JSON", s.Name)
	}
	return s.Root.check(v, s.Name, 0)
}

func (n *Node) check(v any, at string, depth int) error {
	if depth > maxDepth {
		return fmt.Errorf("%s: nested too deep", at)
	}
	if v == nil {
		if n.Nullable {
			return nil
		}
		return fmt.Errorf("%s: null", at)
	}
	switch v := v.(type) {
	case map[string]any:
		return n.checkObject(v, at, depth)
	case []any:
		if n.Type != Array {
			break
		}
		for i, item := range v {
			if err := n.Items.check(item, fmt.Sprintf("%s[%d]", at, i), depth+1); err != nil {
				return err
			}
		}
		return nil
	case string:
		if n.Type != String {
			break
		}
		if n.Enum != nil && !slices.Contains(n.Enum, v) {
			return fmt.Errorf("%s: none of its values", at)
		}
		return nil
	case bool:
		if n.Type == Boolean {
			return nil
		}
	case json.Number:
		return n.checkNumber(v, at)
	}
	return fmt.Errorf("%s: not of type %s", at, n.Type)
}

func (n *Node) checkNumber(v json.Number, at string) error {
	if n.Type == Number {
		if _, err := v.Float64(); err == nil {
			return nil
		}
	}
	if n.Type == Integer {
		if _, err := v.Int64(); err == nil {
			return nil
		}
	}
	return fmt.Errorf("%s: not of type %s", at, n.Type)
}

func (n *Node) checkObject(v map[string]any, at string, depth int) error {
	if n.Type != Object {
		return fmt.Errorf("%s: not of type %s", at, n.Type)
	}
	for _, f := range n.Fields {
		value, there := v[f.Name]
		if !there {
			return fmt.Errorf("%s: %s is missing", at, f.Name)
		}
		if err := f.check(value, at+"."+f.Name, depth+1); err != nil {
			return err
		}
	}
	if len(v) > len(n.Fields) {
		return fmt.Errorf("%s: a field that was not asked for", at)
	}
	return nil
}

// Instruction says the schema in words, for servers that do not enforce it.
func (s *Schema) Instruction() string {
	b, err := json.Marshal(s.Root)
	if err != nil {
		return ""
	}
	return "Answer with one JSON object and nothing else. It must fit this JSON Schema exactly, with every field:\n" + string(b)
}

// FindJSON is the first balanced {...} in a text; nil when there is none. Models write
// words and fences around their JSON.
func FindJSON(text string) json.RawMessage {
	begin := strings.IndexByte(text, '{')
	if begin < 0 {
		return nil
	}
	depth, quoted, escaped := 0, false, false
	for i := begin; i < len(text); i++ {
		switch c := text[i]; {
		case escaped:
			escaped = false
		case quoted:
			escaped = c == '\\'
			quoted = c != '"'
		case c == '"':
			quoted = true
		case c == '{':
			depth++
		case c == '}':
			if depth--; depth == 0 {
				return json.RawMessage(text[begin : i+1])
			}
		}
	}
	return nil
}
