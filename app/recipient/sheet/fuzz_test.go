package sheet_test

import (
	"slices"
	"testing"

	"svc/app/recipient/field"
	"svc/app/recipient/sheet"
)

// sound checks what holds of every sheet, whatever it was read from.
func sound(t *testing.T, s *sheet.Sheet) {
	t.Helper()
	if s.Total != len(s.Rows)+s.Invalid+s.Duplicates || s.Total > sheet.MaxRows || len(s.Issues) > sheet.MaxIssues {
		t.Fatalf("%d rows, %d good, %d invalid, %d duplicates, %d issues", s.Total, len(s.Rows), s.Invalid, s.Duplicates, len(s.Issues))
	}
	if !slices.IsSortedFunc(s.Issues, func(a, b sheet.Issue) int { return a.Row - b.Row }) {
		t.Fatal("issues are out of order")
	}
	ids, names, last := map[int64]bool{}, map[string]bool{}, 0
	for _, r := range s.Rows {
		if r.Number <= last {
			t.Fatalf("row %d behind row %d", r.Number, last)
		}
		last = r.Number
		if r.MessengerID == 0 && r.Username == "" || r.MessengerID < 0 || r.Username != "" && field.CheckUsername(r.Username) != nil ||
			len(r.Tags) > field.MaxTags || field.CheckAttributes(r.Attributes) != nil || r.ConsentAt.After(now) {
			t.Fatalf("a bad row: %+v", r)
		}
		if r.MessengerID != 0 && ids[r.MessengerID] || r.Username != "" && names[r.Username] {
			t.Fatalf("twice: %+v", r)
		}
		ids[r.MessengerID], names[r.Username] = true, true
	}
}

func FuzzCSV(f *testing.F) {
	for _, s := range []string{
		"messenger_id,username\n5,olga\n", "\uFEFFtg_id;Имя;город\r\n5;\"a\r\nb\";x\r\n\r\n", "username\tname\n\"ol\"ga\",\"\n", "username\rolga\r",
		"messenger_id,messenger_id,MESSENGER_ID\n1e5,2,3\n", "username,,\n,,\n;;;\n\"\"\"\n",
	} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, content []byte) {
		if s, err := sheet.ReadCSV(content, options(), "file"); err == nil {
			sound(t, s)
		}
	})
}

func FuzzJSON(f *testing.F) {
	for _, s := range []string{
		`[{"messenger_id":5,"tags":["a"],"attributes":{"a":1}}]`, `{"records":[{"username":"olga"}]}`, `[5,null,{},[],{"attributes":{"":1}}]`,
		`[{"username":"olga","TG_ID":"5","tg_id":6}]`, `[{"messenger_id":1e400}]`,
	} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, content []byte) {
		if s, err := sheet.ReadJSONFile(content, options(), "file"); err == nil {
			sound(t, s)
		}
	})
}
