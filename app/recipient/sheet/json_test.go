package sheet_test

import (
	"strings"
	"testing"

	"svc/app/api"
	"svc/app/recipient/sheet"
)

func TestRecords(t *testing.T) {
	for _, tt := range []struct{ name, record, want, issue string }{
		{"all", `{"messenger_id":5,"username":"olga","first_name":"Olga","last_name":"K","language":"UZ","consent_status":"opted_in","consent_timestamp":"2026-01-31","tags":["a"," b "],"attributes":{"city":"T","age":30,"vip":true,"none":null}}`,
			`1:5/olga/Olga/K/uz/OPTED_IN@2026-01-31T00:00 #a#b {"age":30,"city":"T","vip":true}`, ""},
		{"id as text", `{"messenger_id":"5"}`, "1:5/////", ""},
		{"tags as text", `{"username":"olga","tags":"a;b"}`, "1:0/olga//// #a#b", ""},
		{"variants", `{"TG_ID":5,"Surname":"K"}`, "1:5///K//", ""},
		{"own name first", `{"tg_id":7,"messenger_id":5}`, `1:5///// {"tg_id":7}`, ""},
		{"other fields", `{"username":"olga","City":"T","Orders":3,"vip":false}`, `1:0/olga//// {"city":"T","orders":3,"vip":false}`, ""},
		{"null", `{"username":"olga","first_name":null,"tags":null,"attributes":null}`, "1:0/olga////", ""},
		{"scientific", `{"messenger_id":1.5e9}`, "", "messenger_id is in scientific"},
		{"fraction", `{"messenger_id":1.5}`, "", "messenger_id must be"},
		{"name is a number", `{"username":"olga","first_name":5}`, "", "first_name must be a text"},
		{"nested", `{"username":"olga","city":{"a":1}}`, "", "attributes.city must be a text or a number, not an object"},
		{"list", `{"username":"olga","city":[1]}`, "", "attributes.city must be a text or a number, not a list"},
		{"attributes nested", `{"username":"olga","attributes":{"a":[1]}}`, "", "attributes a must be a text"},
		{"attributes no object", `{"username":"olga","attributes":[1]}`, "", "attributes must be"},
		{"attribute key", `{"username":"olga","attributes":{"Big Key":1}}`, "", "attributes \"Big Key\" is no key"},
		{"attribute of many digits", `{"username":"olga","attributes":{"a":12345678901234567890}}`, "", "attributes a is a number of too many digits"},
		{"tags of numbers", `{"username":"olga","tags":[1]}`, "", "tags must be texts"},
		{"no object", `5`, "", "messenger_id or username is needed"},
		{"a name of signs", `{"username":"olga","№":1}`, "", "record has a field whose name"},
		{"a name of signs and no value", `{"username":"olga","":null}`, "1:0/olga////", ""},
		{"empty", `{}`, "", "messenger_id or username is needed"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s, err := sheet.ReadRecords([]byte("["+tt.record+"]"), options(), "records")
			switch {
			case err != nil:
				t.Errorf("%v %v", err, api.From(err).Details)
			case tt.issue != "" && (len(s.Issues) != 1 || !strings.HasPrefix(s.Issues[0].Message, tt.issue) || s.Issues[0].Row != 1):
				t.Errorf("issues %+v, want %q", s.Issues, tt.issue)
			case tt.issue == "" && (len(s.Rows) != 1 || said(s.Rows[0]) != tt.want):
				t.Errorf("rows %+v, issues %+v, want %s", s.Rows, s.Issues, tt.want)
			}
		})
	}
}

func TestJSONFile(t *testing.T) {
	for name, content := range map[string]string{
		"list":            `[{"username":"olga","city":"T"},{"username":"ivan"}]`,
		"object":          `{"records":[{"username":"olga","city":"T"},{"username":"ivan"}],"other":1}`,
		"byte-order mark": "\uFEFF [{\"username\":\"olga\",\"city\":\"T\"},{\"username\":\"ivan\"}]\n",
	} {
		if !sheet.IsJSON([]byte(content)) {
			t.Errorf("%s: not taken for JSON", name)
		}
		s, err := sheet.ReadJSONFile([]byte(content), options(), "file")
		if err != nil || len(s.Rows) != 2 || strings.Join(s.Columns, " ") != "username attributes.city" {
			t.Errorf("%s: %+v %v", name, s, err)
		}
	}
	for name, tt := range map[string]struct{ content, says string }{
		"cut":           {`[{"username":"olga"},{"user`, "record 1"},
		"no end":        {`[{"username":"olga"}`, "does not end"},
		"more behind":   {`[{"username":"olga"}] x`, "goes on"},
		"empty list":    {`[]`, "is empty"},
		"no list":       {`{"people":[]}`, "list of records"},
		"text":          {`"x"`, "list of records"},
		"object broken": {`{"records":[}`, "is no JSON"},
	} {
		_, err := sheet.ReadJSONFile([]byte(tt.content), options(), "file")
		if e := api.From(err); err == nil || e.Code != "validation_failed" || !strings.Contains(e.Details["file"], tt.says) {
			t.Errorf("%s: %v %v, want %q", name, err, e.Details, tt.says)
		}
	}
	for _, content := range []string{"", "username\nolga", "a{"} {
		if sheet.IsJSON([]byte(content)) {
			t.Errorf("%q is taken for JSON", content)
		}
	}
}

func TestJSONMapping(t *testing.T) {
	o := options()
	o.Mapping = map[string]string{"Phone": "messenger_id", "nick": "username", "secret": ""}
	s, err := sheet.ReadRecords([]byte(`[{"phone":5,"NICK":"olga","secret":"x"}]`), o, "records")
	if err != nil || len(s.Rows) != 1 || said(s.Rows[0]) != "1:5/olga////" {
		t.Errorf("%+v %v", s, err)
	}
	o.Mapping = map[string]string{"x": "nowhere"}
	if _, err := sheet.ReadRecords([]byte(`[{"username":"olga"}]`), o, "records"); api.From(err).Details["mapping"] == "" {
		t.Errorf("a mapping to nowhere: %v", err)
	}
}
