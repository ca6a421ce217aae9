package imports_test

import (
	"fmt"
	"strings"
	"testing"

	"svc/app/org"
	"svc/app/recipient/recipienttest"
)

// TestBatchesFitATransaction imports rows that write as many keys as rows can: all
// fields, tags of their own, and then changes of them in the opposite order, and
// everybody opted out. What one transaction may write is a bound of the store.
func TestBatchesFitATransaction(t *testing.T) {
	h := recipienttest.New(t).Work()
	h.Org = recipienttest.NewOrg(t, h.DB, org.Enterprise)
	const rows, own = 1100, 9
	file := func(name, lang, consent string, tags func(i int) string) string {
		var b strings.Builder
		b.WriteString("messenger_id,username,name,surname,lang,consent,tags,city\n")
		for n := range rows {
			i := n
			if name == "B" {
				i = rows - 1 - n
			}
			fmt.Fprintf(&b, "%d,%s_user_%d,%s %d,Last,%s,%s,%s,Tashkent\n", 1000+i, name, i, name, i, lang, consent, tags(i))
		}
		return b.String()
	}
	ownTags := func(prefix string) func(int) string {
		return func(i int) string {
			var b strings.Builder
			for n := range own {
				fmt.Fprintf(&b, "%s%d_%d;", prefix, i, n)
			}
			return b.String()
		}
	}
	shared := func(int) string { return "a;b;c" }
	fields := map[string]string{"tags": "everybody"}
	for _, tt := range []struct{ name, file, count string }{
		{"whole rows", file("A", "uz", "OPTED_IN", shared), "created"},
		{"every name and consent changes", file("B", "ru", "AUTHORIZED", shared), "updated"},
		{"tags of their own", file("A", "en", "OPTED_IN", ownTags("t")), "updated"},
		{"everybody opts out", file("B", "uz", "OPTED_OUT", ownTags("u")), "updated"},
	} {
		if a := h.Upload(tt.file, fields).Want(201); a.Int("valid") != rows || a.Int(tt.count) != rows {
			t.Errorf("%s: %.300s", tt.name, a.Body)
		}
	}
	if n := h.Do("GET /suppressions", nil).Want(200).Int("total"); n != rows {
		t.Errorf("%d suppressions of %d people", n, rows)
	}
}
