package mapkey

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

const secret = "0123456789abcdef0123456789abcdef"

func TestParseKeys(t *testing.T) {
	keys, recs, err := parseKeys("f", []byte("\xef\xbb\xbf"+`[
  {"key":"`+secret+`","name":"Карта","origins":["https://a.example"],"rate_limit":10,"monthly_quota":20,
   "disabled":true,"note":"n","created_at":"2026-11-21T12:00:00Z","owner":{"id":7}},
  {"Key":"b","NAME":null,"origins":null}, null, {}, {"key":"x","key":"c"}]`))
	if err != nil {
		t.Fatal(err)
	}
	want := []Key{
		{Key: secret, Name: "Карта", Origins: []string{"https://a.example"}, RateLimit: 10, MonthlyQuota: 20, Disabled: true, Note: "n", CreatedAt: "2026-11-21T12:00:00Z"},
		{Key: "b", Origins: []string{}},
		{Origins: []string{}},
		{Key: "c", Origins: []string{}},
	}
	if d := cmp.Diff(want, keys); d != "" {
		t.Error(d)
	}
	if len(recs) != len(keys) || recs[0][8].name != "owner" {
		t.Errorf("records %d, ninth field %q", len(recs), recs[0][8].name)
	}
}

func TestParseKeysSaysWhere(t *testing.T) {
	for _, c := range []struct {
		text         string
		line, column int
		problem      string
	}{
		{"", 0, 0, "it is empty"},
		{" \n", 0, 0, "it is empty"},
		{"[\n  {\"key\": \"" + secret + "\",}\n]", 2, 46, "invalid JSON"},
		{"[\n  {\"key\": \"" + secret + "\"", 2, 44, "unexpected end"},
		{"[] x", 1, 4, "after top-level value"},
		{"{}", 1, 1, "JSON array of key objects, not an object"},
		{"\xef\xbb\xbf{}", 1, 1, "not an object"},
		{"7", 1, 1, "not a number"},
		{"null", 1, 1, "not null"},
		{"[\n \"" + secret + "\"]", 2, 2, "key object, not a string"},
		{`[{"key": 12}]`, 1, 10, "key must be a string, not this number"},
		{"[{\"key\":\"a\",\n\"rate_limit\" : \"600\"}]", 2, 16, "rate_limit must be a whole number, not a string"},
		{`[{"rate_limit":1.5}]`, 1, 16, "rate_limit must be a whole number, not this number"},
		{`[{"monthly_quota":1e400}]`, 1, 19, "monthly_quota must be a whole number"},
		{`[{"disabled":"yes"}]`, 1, 14, "disabled must be true or false, not a string"},
		{`[{"name":["a"]}]`, 1, 10, "name must be a string, not an array"},
		{`[{"name":"ю","origins":"https://a.example"}]`, 1, 24, "origins must be an array of strings, not a string"},
		{`[{"origins":[1]}]`, 1, 13, "origins must be an array of strings, not an array with something else"},
	} {
		_, _, err := parseKeys("f", []byte(c.text))
		var fe *FileError
		if !errors.As(err, &fe) {
			t.Errorf("%q: %v is no FileError", c.text, err)
			continue
		}
		if fe.Line != c.line || fe.Column != c.column || !strings.Contains(fe.Problem, c.problem) {
			t.Errorf("%q: %v; want line %d, column %d, %q", c.text, err, c.line, c.column, c.problem)
		}
		if strings.Contains(err.Error(), secret) || strings.Contains(err.Error(), secret[:8]) {
			t.Errorf("the error repeats a key: %v", err)
		}
	}
}

func TestReadKeyFileRefusesWhatIsNoFile(t *testing.T) {
	if _, _, _, err := readKeyFile(t.TempDir()); err == nil || !strings.Contains(err.Error(), "not a regular file") {
		t.Errorf("a folder: %v", err)
	}
	big := filepath.Join(t.TempDir(), "big")
	f, err := os.Create(big)
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(f.Truncate(maxKeyFile+10), f.Close()); err != nil {
		t.Fatal(err)
	}
	if _, _, _, err := readKeyFile(big); err == nil || !strings.Contains(err.Error(), "larger than 32 MB") {
		t.Errorf("a huge file: %v", err)
	}
}

// FuzzParseKeys: no input makes the parser fail otherwise than with an error,
// it accepts exactly what encoding/json takes for an array of objects, and what
// it accepts survives being written and read again.
func FuzzParseKeys(f *testing.F) {
	f.Add([]byte(`[{"key":"a","name":"b","origins":["*"],"rate_limit":1,"x":{"y":[1,2]}}]`))
	f.Add([]byte("\xef\xbb\xbf[null, {}]"))
	f.Add([]byte(`[{"key":"a","KEY":"b"} , {"disabled":true}]`))
	f.Add([]byte(`[{"rate_limit":"x"}]`))
	f.Fuzz(func(t *testing.T, data []byte) {
		keys, recs, err := parseKeys("f", data)
		if err != nil {
			if err.Error() == "" {
				t.Fatal("an error without words")
			}
			return
		}
		var plain []map[string]any
		if err := json.Unmarshal([]byte(strings.TrimPrefix(string(data), string(utf8BOM))), &plain); err != nil {
			var te *json.UnmarshalTypeError
			if errors.As(err, &te) {
				return // a number beyond float64 in an unknown field
			}
			t.Fatalf("accepted, but encoding/json says %v", err)
		}
		out, err := encodeRecords(recs)
		if err != nil {
			t.Fatal(err)
		}
		again, _, err := parseKeys("f", out)
		if err != nil {
			t.Fatalf("what was written cannot be read: %v\n%s", err, out)
		}
		if d := cmp.Diff(keys, again); d != "" && len(keys) > 0 {
			t.Fatal(d)
		}
	})
}
