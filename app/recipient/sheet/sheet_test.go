package sheet_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"svc/app/api"
	"svc/app/recipient/sheet"
)

var now = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

func options() sheet.Options { return sheet.Options{Now: now} }

// csvOf reads a file that must be readable.
func csvOf(t *testing.T, content string, o sheet.Options) *sheet.Sheet {
	t.Helper()
	s, err := sheet.ReadCSV([]byte(content), o, "file")
	if err != nil {
		t.Fatalf("%v: %v", err, api.From(err).Details)
	}
	return s
}

// said is a row in a few words, for tables.
func said(r sheet.Row) string {
	out := fmt.Sprintf("%d:%d/%s/%s/%s/%s/%s", r.Number, r.MessengerID, r.Username, r.FirstName, r.LastName, r.Language, r.Consent)
	if !r.ConsentAt.IsZero() {
		out += "@" + r.ConsentAt.Format("2006-01-02T15:04")
	}
	if len(r.Tags) > 0 {
		out += " #" + strings.Join(r.Tags, "#")
	}
	if len(r.Attributes) > 0 {
		data, _ := json.Marshal(r.Attributes)
		out += " " + string(data)
	}
	return out
}

func TestDialects(t *testing.T) {
	const want = "2:123456789/olga_k/Ольга/K, Jr/uz/OPTED_IN@2026-01-31T00:00 #vip#new {\"city\":\"Tashkent\"}"
	for name, content := range map[string]string{
		"comma":             "messenger_id,username,first_name,last_name,language,consent_status,consent_timestamp,tags,City\n123456789,olga_k,Ольга,\"K, Jr\",uz,OPTED_IN,2026-01-31,vip;new,Tashkent\n",
		"semicolon":         "messenger_id;username;first_name;last_name;language;consent_status;consent_timestamp;tags;City\n123456789;olga_k;Ольга;K, Jr;uz;OPTED_IN;2026-01-31;\"vip;new\";Tashkent\n",
		"tab":               "messenger_id\tusername\tfirst_name\tlast_name\tlanguage\tconsent_status\tconsent_timestamp\ttags\tCity\n123456789\tolga_k\tОльга\tK, Jr\tuz\tOPTED_IN\t2026-01-31\tvip;new\tTashkent\n",
		"byte-order mark":   "\uFEFFmessenger_id,username,first_name,last_name,language,consent_status,consent_timestamp,tags,City\n123456789,olga_k,Ольга,\"K, Jr\",uz,OPTED_IN,2026-01-31,vip;new,Tashkent",
		"CRLF":              "messenger_id,username,first_name,last_name,language,consent_status,consent_timestamp,tags,City\r\n123456789,olga_k,Ольга,\"K, Jr\",uz,OPTED_IN,2026-01-31,vip;new,Tashkent\r\n",
		"CR":                "messenger_id,username,first_name,last_name,language,consent_status,consent_timestamp,tags,City\r123456789,olga_k,Ольга,\"K, Jr\",uz,OPTED_IN,2026-01-31,vip;new,Tashkent\r",
		"headers in case":   "MESSENGER_ID, Username ,First Name,LAST-NAME,Language,Consent Status,consent_timestamp,TAGS,city\n123456789,olga_k,Ольга,\"K, Jr\",UZ,opted in,31.01.2026,vip;new;vip,Tashkent\n",
		"variants":          "tg_id,user_name,name,surname,lang,consent,consent_date,labels,City\n123456789,@olga_k,Ольга,\"K, Jr\",uz,Opted_In,2026-01-31,vip;new,Tashkent\n",
		"link":              "tg_id,username,имя,фамилия,lang,consent,consent_date,tags,City\n123456789,https://t.me/olga_k,Ольга,\"K, Jr\",uz,opted-in,2026-01-31T00:00:00Z,vip; new ,Tashkent\n",
		"quotes everywhere": "\"messenger_id\",\"username\",\"first_name\",\"last_name\",\"language\",\"consent_status\",\"consent_timestamp\",\"tags\",\"City\"\n\"123456789\",\"olga_k\",\"Ольга\",\"K, Jr\",\"uz\",\"OPTED_IN\",\"2026-01-31\",\"vip;new\",\"Tashkent\"\n",
	} {
		t.Run(name, func(t *testing.T) {
			s := csvOf(t, content, options())
			if len(s.Rows) != 1 || said(s.Rows[0]) != want {
				t.Errorf("got %d rows %v, issues %+v\nwant %s", len(s.Rows), said(s.Rows[0]), s.Issues, want)
			}
		})
	}
}

func TestValues(t *testing.T) {
	for _, tt := range []struct{ name, header, cell, want, issue string }{
		{"scientific", "messenger_id", "1.23457E+08", "", "messenger_id is in scientific notation"},
		{"scientific with comma", "messenger_id", `"1,23457E+08"`, "", "messenger_id is in scientific notation"},
		{"scientific without point", "messenger_id", "5e9", "", "messenger_id is in scientific notation"},
		{"letters", "messenger_id", "12a", "", "messenger_id must be"},
		{"decimal", "messenger_id", "12.0", "", "messenger_id must be"},
		{"zero", "messenger_id", "0", "", "messenger_id must be a positive number"},
		{"negative", "messenger_id", "-5", "", "messenger_id must be"},
		{"plus", "messenger_id", "+5", "", "messenger_id must be"},
		{"too large", "messenger_id", "99999999999999999999", "", "messenger_id is too large"},
		{"beyond exact numbers", "messenger_id", "9007199254740993", "", "messenger_id is too large"},
		{"spaces", "messenger_id", "  5  ", "2:5/////", ""},
		{"at", "username", "@olga", "2:0/olga////", ""},
		{"link", "username", "t.me/olga", "2:0/olga////", ""},
		{"link with query", "username", "https://t.me/olga?start=1", "2:0/olga////", ""},
		{"link with a slash", "username", "http://www.telegram.me/olga/", "2:0/olga////", ""},
		{"app link", "username", "tg://resolve?domain=olga&x=1", "2:0/olga////", ""},
		{"foreign link", "username", "https://example.com/olga", "", "username must have"},
		{"short", "username", "abc", "", "username must have"},
		{"long", "username", strings.Repeat("a", 33), "", "username must have"},
		{"digit first", "username", "1olga", "", "username must have"},
		{"cyrillic", "username", "ольга", "", "username must have"},
		{"nobody", "username,name", ",Olga", "", "messenger_id or username is needed"},
		{"unknown consent", "username,consent", "olga,maybe", "", "consent_status is no consent status"},
		{"consent with spaces", "username,consent", "olga, existing relationship ", "2:0/olga////EXISTING_RELATIONSHIP", ""},
		{"future", "username,consent_timestamp", "olga,2026-03-01T12:00:01Z", "", "consent_timestamp is in the future"},
		{"not future", "username,consent_timestamp", "olga,2026-03-01T12:00:00Z", "2:0/olga////@2026-03-01T12:00", ""},
		{"zone", "username,consent_timestamp", "olga,2026-02-01T05:00:00+05:00", "2:0/olga////@2026-02-01T00:00", ""},
		{"date and time", "username,consent_timestamp", "olga,2026-02-01 05:30", "2:0/olga////@2026-02-01T05:30", ""},
		{"date with dots and time", "username,consent_timestamp", "olga,01.02.2026 05:30", "2:0/olga////@2026-02-01T05:30", ""},
		{"date with slashes", "username,consent_timestamp", "olga,01/02/2026", "", "consent_timestamp is no date"},
		{"no such day", "username,consent_timestamp", "olga,2026-02-30", "", "consent_timestamp is no date"},
		{"language", "username,lang", "olga,EN_us", "2:0/olga///en-us/", ""},
		{"no language", "username,lang", "olga,Uzbek language", "", "language must be"},
		{"long tag", "username,tags", "olga," + strings.Repeat("t", 65), "", "tags every tag must not"},
		{"long name", "username,name", "olga," + strings.Repeat("n", 129), "", "first_name must not"},
		{"line break in quotes", "username,name", "olga,\"a\nb\"", "2:0/olga/a\nb///", ""},
		{"quote within", "username,name", `olga,O"tabek`, `2:0/olga/O"tabek///`, ""},
		{"fewer cells", "username,name,lang", "olga", "2:0/olga////", ""},
		{"more cells", "username", "olga,,y", "", "The row has a value in column 3, and the first row names 1"},
		{"more cells that are empty", "username", "olga,, ", "2:0/olga////", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s := csvOf(t, tt.header+"\n"+tt.cell+"\n", options())
			switch {
			case tt.issue != "" && (len(s.Issues) != 1 || s.Issues[0].Kind != sheet.Invalid || !strings.HasPrefix(s.Issues[0].Message, tt.issue) || s.Issues[0].Row != 2 || s.Invalid != 1):
				t.Errorf("issues %+v, want %q", s.Issues, tt.issue)
			case tt.issue == "" && (len(s.Rows) != 1 || said(s.Rows[0]) != tt.want):
				t.Errorf("rows %+v, issues %+v, want %s", s.Rows, s.Issues, tt.want)
			}
		})
	}
}

func TestColumns(t *testing.T) {
	for name, tt := range map[string]struct {
		header  string
		mapping map[string]string
		want    string
	}{
		"attributes":            {"username,City,Order No,E-mail!", nil, "username attributes.city attributes.order_no attributes.e_mail_"},
		"letters of a language": {"username,Город,Shahar nomi", nil, "username attributes.город attributes.shahar_nomi"},
		"own name first":        {"tg_id,messenger_id,username", nil, "attributes.tg_id messenger_id username"},
		"variants twice":        {"tg_id,telegram_id", nil, "messenger_id attributes.telegram_id"},
		"same name twice":       {"username,City,city", nil, "username attributes.city attributes.city_2"},
		"a bare id":             {"id,username", nil, "attributes.id username"},
		"blank":                 {"username,, ,---", nil, "username"},
		"blank with values":     {"username,, ,---\nolga,a,,b", nil, "username attributes.column_2 attributes.column_4"},
		"blank before a name":   {",column 1,username\n0,x,olga", nil, "attributes.column_1_2 attributes.column_1 username"},
		"blank and mapped":      {"username,\nolga,a", map[string]string{"": ""}, "username"},
		"mapping":               {"ID,Nick,x", map[string]string{"id": "messenger_id", "Nick": "attributes.nick", "X": ""}, "messenger_id attributes.nick"},
		"mapping over a name":   {"username,name", map[string]string{"username": "attributes.login", "name": "username"}, "attributes.login username"},
	} {
		t.Run(name, func(t *testing.T) {
			o := options()
			o.Mapping = tt.mapping
			s := csvOf(t, tt.header+"\n", o)
			if got := strings.Join(s.Columns, " "); got != tt.want {
				t.Errorf("columns %q, want %q", got, tt.want)
			}
		})
	}
}

func TestUnreadable(t *testing.T) {
	many := strings.Repeat("user_x\n", 3)
	for name, tt := range map[string]struct {
		content string
		mapping map[string]string
		field   string
		says    string
	}{
		"empty":               {"", nil, "file", "is empty"},
		"blank":               {" \n\n ", nil, "file", "is empty"},
		"not UTF-8":           {"username,name\nolga,\xff\xfe\n", nil, "file", "UTF-8"},
		"nobody's columns":    {"name,city\nOlga,Tashkent\n", nil, "file", "messenger_id or username"},
		"too many columns":    {strings.Repeat("a,", 200) + "username\n" + many, nil, "file", "columns"},
		"mapping to nowhere":  {"username\n", map[string]string{"username": "nick"}, "mapping", "cannot be mapped"},
		"mapping of nothing":  {"username\n", map[string]string{"phone": "messenger_id"}, "mapping", "no column"},
		"mapping to the same": {"username,x\n", map[string]string{"username": "username", "x": "username"}, "mapping", "two columns"},
	} {
		t.Run(name, func(t *testing.T) {
			o := options()
			o.Mapping = tt.mapping
			_, err := sheet.ReadCSV([]byte(tt.content), o, "file")
			if e := api.From(err); err == nil || e.Code != "validation_failed" || !strings.Contains(e.Details[tt.field], tt.says) {
				t.Errorf("refused with %v %v, want %q of %s", err, e.Details, tt.says, tt.field)
			}
		})
	}
}

// TestColumnsWithoutAName: their values are kept, under their place, and a row with
// nothing else is a row.
func TestColumnsWithoutAName(t *testing.T) {
	s := csvOf(t, "username,,city,\nolga, vip ,Tashkent,\n,lost,,\n,,,\n", options())
	if len(s.Rows) != 1 || said(s.Rows[0]) != `2:0/olga//// {"city":"Tashkent","column_2":"vip"}` {
		t.Errorf("rows %+v", s.Rows)
	}
	if s.Total != 2 || s.Invalid != 1 || s.Issues[0].Row != 3 {
		t.Errorf("%d rows, %d invalid, issues %+v", s.Total, s.Invalid, s.Issues)
	}
}

// TestRowNumbers: as a spreadsheet counts, empty lines are rows and line breaks in
// quotes are not.
func TestRowNumbers(t *testing.T) {
	s := csvOf(t, "username,name\nolga,\"a\nb\n\nc\"\n\n\nivan,x\n;;\n,,,\nbad!,\n\"petr\",y\n", options())
	var got []int
	for _, r := range s.Rows {
		got = append(got, r.Number)
	}
	if want := []int{2, 5, 9}; !slices.Equal(got, want) {
		t.Errorf("rows %v, want %v", got, want)
	}
	if len(s.Issues) != 2 || s.Issues[0].Row != 6 || s.Issues[1].Row != 8 || s.Total != 5 {
		t.Errorf("total %d, issues %+v", s.Total, s.Issues)
	}
}

func TestDuplicates(t *testing.T) {
	s := csvOf(t, "messenger_id,username,name\n5,olga,first\n5,,second\n,OLGA,third\n6,olga,fourth\n7,ivan,\n,petr,\nx,petr2,\n8,petr2,\n", options())
	if s.Duplicates != 3 || s.Invalid != 1 || s.Total != 8 || len(s.Rows) != 4 || s.Rows[0].FirstName != "first" {
		t.Errorf("%+v", s)
	}
	for i, row := range []int{3, 4, 5} {
		if is := s.Issues[i]; is.Kind != sheet.Duplicate || is.Row != row || !strings.Contains(is.Message, "row 2") {
			t.Errorf("issue %+v", is)
		}
	}
}

func TestBounds(t *testing.T) {
	var b strings.Builder
	b.WriteString("username\n")
	for i := range sheet.MaxRows {
		fmt.Fprintf(&b, "u%d\n", i)
	}
	s := csvOf(t, b.String(), options())
	if s.Total != sheet.MaxRows || len(s.Issues) != sheet.MaxIssues || s.Invalid != 100 || len(s.Issues) != 500 && s.Invalid > 500 {
		if len(s.Issues) != min(s.Invalid, sheet.MaxIssues) {
			t.Errorf("total %d, %d issues, %d invalid", s.Total, len(s.Issues), s.Invalid)
		}
	}
	b.WriteString("one_more\n")
	if _, err := sheet.ReadCSV([]byte(b.String()), options(), "file"); err == nil || !strings.Contains(api.From(err).Details["file"], "100000") {
		t.Errorf("one row more: %v", err)
	}
	wrong := "username\n" + strings.Repeat("!\n", 1000)
	if s := csvOf(t, wrong, options()); len(s.Issues) != sheet.MaxIssues || s.Invalid != 1000 || s.Issues[499].Row != 501 {
		t.Errorf("%d issues of %d", len(s.Issues), s.Invalid)
	}
}

func TestTagsForEverybody(t *testing.T) {
	o := options()
	o.Tags = []string{"import", "vip"}
	s := csvOf(t, "username,tags\nolga,vip;x\n", o)
	if got := strings.Join(s.Rows[0].Tags, " "); got != "vip x import" {
		t.Errorf("tags %q", got)
	}
}

func TestMerge(t *testing.T) {
	var soft, hard []sheet.Issue
	for i := range 600 {
		soft = append(soft, sheet.NewIssue(i*2, sheet.UnknownConsent, "", "", ""))
	}
	for i := range 10 {
		hard = append(hard, sheet.NewIssue(5000-i, sheet.Invalid, "", "", ""))
	}
	got := sheet.Merge(soft, hard)
	if len(got) != sheet.MaxIssues || got[499].Row != 5000 || got[489].Row != 489*2 || got[490].Row != 4991 {
		t.Errorf("%d issues, the last %+v", len(got), got[485:])
	}
}

// TestOpenQuote: a mark that is never closed would make one value of the rest of the
// file, without a word.
func TestOpenQuote(t *testing.T) {
	for _, tt := range []struct {
		text string
		row  int // 0: it is closed
	}{
		{"username,name\nolga,\"Olga\nivan,Ivan\n", 2},
		{"username,name\n\"olga,Olga", 2},
		{"username,name\n\nivan,Ivan\nolga,\"a \"\"quoted\"\" \"\"word\"\"\n", 4},
		{"username,name\nolga,\"\n", 2},
		{"username,name\nolga,\"Olga\"\n", 0},
		{"username,name\nolga,\"\"\n", 0},
		{"username,name\nolga,\"a\nb \"\"c\"\"\"\r\n", 0},
		{"username,name\nolga,O\"tabek\"\"\n\n", 0},
	} {
		_, err := sheet.ReadCSV([]byte(tt.text), options(), "file")
		if tt.row == 0 && err != nil {
			t.Errorf("%q: %v", tt.text, err)
		}
		if tt.row > 0 && (err == nil || !strings.Contains(api.From(err).Details["file"], fmt.Sprintf("row %d that is never closed", tt.row))) {
			t.Errorf("%q: %v", tt.text, err)
		}
	}
}
