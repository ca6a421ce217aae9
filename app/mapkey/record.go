package mapkey

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
)

// newRecord is the record of a new key, with every field of map contract 54.6.
func newRecord(k Key) (record, error) {
	var rec record
	for _, f := range []struct {
		name  string
		value any
	}{
		{"key", k.Key},
		{"name", k.Name},
		{"origins", append([]string{}, k.Origins...)},
		{"rate_limit", k.RateLimit},
		{"monthly_quota", k.MonthlyQuota},
		{"disabled", k.Disabled},
		{"note", k.Note},
		{"created_at", k.CreatedAt},
	} {
		v, err := marshal(f.value)
		if err != nil {
			return nil, fmt.Errorf("key record: %w", err)
		}
		rec = append(rec, field{name: f.name, value: v})
	}
	return rec, nil
}

// set replaces a field, whatever the letter case of its name in the file, or
// adds it at the end. Everything else stays where it is.
func (rec record) set(name string, value json.RawMessage) record {
	out := make(record, 0, len(rec)+1)
	done := false
	for _, f := range rec {
		if !strings.EqualFold(f.name, name) {
			out = append(out, f)
		} else if !done {
			out = append(out, field{name: name, value: value})
			done = true
		}
	}
	if !done {
		out = append(out, field{name: name, value: value})
	}
	return out
}

// complete is the record with every field of map contract 54.6 present, in its order,
// and the unknown ones behind.
func (rec record) complete(k Key) (record, error) {
	out, err := newRecord(k)
	if err != nil {
		return nil, err
	}
	for _, f := range rec {
		if to, _ := new(Key).member(f.name); to == nil {
			out = append(out, f)
		}
	}
	return out, nil
}

// MarshalJSON writes the record's fields in order.
func (rec record) MarshalJSON() ([]byte, error) {
	var b bytes.Buffer
	b.WriteByte('{')
	for i, f := range rec {
		if i > 0 {
			b.WriteByte(',')
		}
		name, err := marshal(f.name)
		if err != nil {
			return nil, fmt.Errorf("key record: %w", err)
		}
		b.Write(name)
		b.WriteByte(':')
		b.Write(f.value)
	}
	b.WriteByte('}')
	return b.Bytes(), nil
}

// encodeRecords writes a whole key file, indented for people.
func encodeRecords(recs []record) ([]byte, error) {
	if recs == nil {
		recs = []record{}
	}
	var flat bytes.Buffer
	flat.WriteByte('[')
	for i, rec := range recs {
		if i > 0 {
			flat.WriteByte(',')
		}
		one, err := rec.MarshalJSON()
		if err != nil {
			return nil, err
		}
		flat.Write(one)
	}
	flat.WriteByte(']')
	var out bytes.Buffer
	if err := json.Indent(&out, flat.Bytes(), "", "  "); err != nil {
		return nil, fmt.Errorf("key records: %w", err)
	}
	out.WriteByte('\n')
	return out.Bytes(), nil
}

// marshal is json.Marshal that leaves <, > and & as people wrote them.
func marshal(v any) (json.RawMessage, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return nil, err
	}
	return bytes.TrimSpace(b.Bytes()), nil
}
