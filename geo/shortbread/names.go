package shortbread

import (
	"strings"

	"svc/geo/mvt"
)

const (
	// maxNames bounds the names of one object: a country has some 300.
	maxNames = 400
	// maxNameKeys bounds the attribute names a mapper remembers.
	maxNameKeys = 4000
	// maxLanguage bounds the bytes of a language code: nan-Latn-tailo and
	// zh-Hant-TW are long ones.
	maxLanguage = 20
)

// objectNames are name and every name_xx that the object has and that the
// languages of the mapper allow, read once an object. (Shortbread 1.1, names:
// xx is an IETF code and the content comes from name:xx.)
func (m *Mapper) objectNames() []Tag {
	if m.asked {
		return m.names
	}
	m.asked = true
	for i := range m.o.tags {
		t := &m.o.tags[i]
		if len(t.Key) < 4 || t.Key[:4] != "name" || len(t.Value) > maxValue || len(m.names) == maxNames {
			continue
		}
		attribute, ok := m.nameKey(t.Key)
		value := tidy(t.Value)
		if !ok || value == "" || m.hasName(attribute) {
			continue
		}
		m.names = append(m.names, Tag{Tag: mvt.Tag{Key: attribute, Value: mvt.String(value)}})
	}
	return m.names
}

// named says whether the object has a name that can be shown.
func (m *Mapper) named() bool { return len(m.objectNames()) > 0 }

func (m *Mapper) hasName(attribute string) bool {
	for i := range m.names {
		if m.names[i].Key == attribute {
			return true
		}
	}
	return false
}

// nameKey is the attribute of a tag that holds a name: name for name, name_uz
// for name:uz. ok is false for every other tag.
func (m *Mapper) nameKey(tag string) (attribute string, ok bool) {
	if tag == "name" {
		return tag, true
	}
	if a, known := m.nameKeys[tag]; known {
		return a, a != ""
	}
	attribute = NameAttribute(tag)
	if attribute != "" && m.langs != nil && !m.langs[tag[len("name:"):]] {
		attribute = ""
	}
	if len(m.nameKeys) < maxNameKeys && len(tag) <= len("name:")+maxLanguage {
		m.nameKeys[strings.Clone(tag)] = attribute
	}
	return attribute, attribute != ""
}

// NameAttribute is the attribute of a tag that holds a name in a language:
// name_uz-Cyrl for name:uz-Cyrl. It is empty for a tag that holds none: what
// follows the colon must have the shape of a language code, two or three small
// letters and subtags of one to eight letters and digits.
func NameAttribute(tag string) string {
	lang, ok := strings.CutPrefix(tag, "name:")
	if !ok || !isLanguage(lang) {
		return ""
	}
	return "name_" + lang
}

func isLanguage(code string) bool {
	if len(code) > maxLanguage {
		return false
	}
	first, rest, more := strings.Cut(code, "-")
	if len(first) < 2 || len(first) > 3 {
		return false
	}
	for i := range len(first) {
		if first[i] < 'a' || first[i] > 'z' {
			return false
		}
	}
	for more {
		var sub string
		sub, rest, more = strings.Cut(rest, "-")
		if len(sub) == 0 || len(sub) > 8 {
			return false
		}
		for i := range len(sub) {
			if !alphanumeric(sub[i]) {
				return false
			}
		}
	}
	return true
}

func alphanumeric(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9'
}
