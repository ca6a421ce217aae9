package sheet

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"svc/app/api"
	"svc/app/recipient/field"
)

// IsJSON says whether a file holds JSON: by its first character, because names lie.
func IsJSON(content []byte) bool {
	content = bytes.TrimLeft(bytes.TrimPrefix(content, byteOrderMark), " \t\r\n")
	return len(content) > 0 && (content[0] == '[' || content[0] == '{')
}

// ReadJSONFile reads a JSON file: a list of records, or an object with one in
// records.
func ReadJSONFile(content []byte, o Options, where string) (*Sheet, error) {
	content = bytes.TrimSpace(bytes.TrimPrefix(content, byteOrderMark))
	var file struct {
		Records json.RawMessage `json:"records"`
	}
	if len(content) > 0 && content[0] == '{' {
		if err := json.Unmarshal(content, &file); err != nil {
			return nil, api.Wrong(where, "is no JSON: %s", err)
		}
		content = file.Records
	}
	return ReadRecords(content, o, where)
}

// ReadRecords reads a list of records: objects with the names of CSV columns. Tags
// may be a list, attributes an object.
func ReadRecords(list []byte, o Options, where string) (*Sheet, error) {
	for name, to := range o.Mapping {
		if err := CheckTarget(to); err != nil {
			return nil, api.Wrong("mapping", "%.80q %s", name, err)
		}
	}
	from := &bounded{in: bytes.NewReader(list)}
	from.from(0)
	in := json.NewDecoder(from)
	in.UseNumber()
	if t, err := in.Token(); err != nil || t != json.Delim('[') {
		return nil, api.Wrong(where, "must be a list of records, as in [{\"messenger_id\": 123456789}]")
	}
	r := newReader(o)
	names, written := map[string]bool{}, map[string]bool{}
	for number := 1; in.More(); number++ {
		from.from(in.InputOffset())
		if number > MaxRows {
			return nil, errTooMany(where)
		}
		var record map[string]any
		if err := in.Decode(&record); err != nil {
			var kind *json.UnmarshalTypeError
			if errors.Is(err, errLong) {
				return nil, api.Wrong(where, "has more than %d bytes in record %d; shorten it", maxRecord, number)
			}
			if !errors.As(err, &kind) {
				return nil, api.Wrong(where, "is no JSON behind record %d: %s", number-1, err)
			}
			record = nil
		}
		d := draft{Options: o}
		d.row.Number = number
		d.record(record, names)
		d.fields = asTexts(record, written)
		if err := r.take(&d); err != nil {
			return nil, err
		}
		from.from(in.InputOffset())
	}
	if _, err := in.Token(); err != nil {
		return nil, api.Wrong(where, "is no JSON: the list does not end")
	}
	if _, err := in.Token(); !errors.Is(err, io.EOF) {
		return nil, api.Wrong(where, "goes on behind the end of the list")
	}
	if r.out.Total == 0 {
		return nil, api.Wrong(where, "is empty; send at least one record")
	}
	for name := range names {
		if slices.Contains(Fields(), name) || strings.HasPrefix(name, attributePrefix) {
			r.out.Columns = append(r.out.Columns, name)
		}
	}
	slices.SortFunc(r.out.Columns, byField)
	r.out.spread(o, written)
	return &r.out, r.flush()
}

// asTexts is a record as cells by name, for the list of rejected rows. It notes the names.
func asTexts(record map[string]any, names map[string]bool) map[string]string {
	out := make(map[string]string, len(record))
	for name, v := range record {
		if v == nil || len(names) >= maxColumns && !names[name] {
			continue
		}
		names[name] = true
		switch v := v.(type) {
		case string:
			out[name] = v
		case []any, map[string]any:
			data, _ := json.Marshal(v) // it was read from JSON
			out[name] = string(data)
		default:
			out[name] = fmt.Sprint(v)
		}
	}
	return out
}

// byField sorts fields as Fields does, and attributes behind them.
func byField(a, b string) int {
	i, j := slices.Index(Fields(), a), slices.Index(Fields(), b)
	switch {
	case i < 0 && j < 0:
		return strings.Compare(a, b)
	case i < 0:
		return 1
	case j < 0:
		return -1
	}
	return i - j
}

// record fills a row from one record and notes which fields there are.
func (d *draft) record(record map[string]any, names map[string]bool) {
	keys := make([]string, 0, len(record))
	for name := range record {
		keys = append(keys, name)
	}
	slices.Sort(keys)
	if len(keys) > maxColumns {
		d.wrong("record", "", fmt.Errorf("has more than %d fields", maxColumns))
		return
	}
	for _, name := range keys {
		f, mapped := d.target(name)
		if f == "" && !mapped && record[name] != nil {
			d.wrong("record", name, errors.New("has a field whose name has no letter and no digit; name it, or leave it out"))
			continue
		}
		// The field's own name goes before its variants.
		if !mapped && f != name && slices.Contains(keys, f) {
			f = attributePrefix + field.Key(name)
		}
		if f != attributes {
			remember(names, f)
		}
		d.value(f, record[name], names)
	}
}

// remember keeps the names of columns, as many as a file may have.
func remember(names map[string]bool, name string) {
	if len(names) < maxColumns {
		names[name] = true
	}
}

// target is the field that a name of a record fills, and whether the mapping says
// so.
func (d *draft) target(name string) (f string, mapped bool) {
	for from, to := range d.Mapping {
		if strings.EqualFold(from, name) {
			return to, true
		}
	}
	if strings.EqualFold(name, attributes) {
		return attributes, false
	}
	return fieldOf(name), false
}

// value fills a field with a value of JSON; a value without a field is left out.
func (d *draft) value(name string, v any, names map[string]bool) {
	if name == "" {
		return
	}
	switch v := v.(type) {
	case nil:
	case string:
		d.set(name, v)
	case json.Number, bool:
		d.scalar(name, v)
	case []any:
		d.list(name, v)
	case map[string]any:
		if name != attributes {
			d.wrong(name, "", errors.New("must be a text or a number, not an object"))
			return
		}
		for key, inner := range v {
			if inner != nil {
				remember(names, attributePrefix+key)
				d.attribute(key, plain(inner))
			}
		}
	}
}

// scalar fills a field with a number or a truth.
func (d *draft) scalar(name string, v any) {
	key, attribute := strings.CutPrefix(name, attributePrefix)
	switch {
	case attribute:
		d.attribute(key, plain(v))
	case name == messengerID:
		d.set(name, fmt.Sprint(v))
	default:
		d.wrong(name, fmt.Sprint(v), errors.New("must be a text"))
	}
}

func (d *draft) list(name string, list []any) {
	if name != tags {
		d.wrong(name, "", errors.New("must be a text or a number, not a list"))
		return
	}
	for _, v := range list {
		tag, ok := v.(string)
		if !ok {
			d.wrong(tags, fmt.Sprint(v), errors.New("must be texts"))
			return
		}
		d.row.Tags = append(d.row.Tags, tag)
	}
}

// plain makes a number one that is kept.
func plain(v any) any {
	if n, ok := v.(json.Number); ok {
		if f, err := n.Float64(); err == nil {
			return f
		}
	}
	return v
}
