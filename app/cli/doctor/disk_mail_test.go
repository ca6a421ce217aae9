package doctor

import (
	"path/filepath"
	"strings"
	"testing"
)

// only is the findings of an area, by name.
func only(f Findings, area string) map[string]Finding {
	out := map[string]Finding{}
	for _, one := range f {
		if one.Area == area {
			out[one.Name] = one
		}
	}
	return out
}

// TestDoctorOfDisks: each file system that is written to is named once, from
// the nearest folder that exists.
func TestDoctorOfDisks(t *testing.T) {
	dir := t.TempDir()
	var f Findings
	f.checkDisk(&Subject{Data: filepath.Join(dir, "not", "yet"), Usage: filepath.Join(dir, "usage.db")})
	if len(f) != 1 || !strings.HasPrefix(f[0].Found, dir+": ") {
		t.Errorf("%+v", f)
	}
}

func TestDoctorLooksAtTheMailServer(t *testing.T) {
	for _, tt := range []struct {
		c    Subject
		want string
	}{
		{Subject{}, "links of invitations"},
		{Subject{SMTPURL: "smtp://127.0.0.1:1", MailFrom: "svc@example.uz"}, "127.0.0.1:1: the mail server failed at connect"},
	} {
		var f Findings
		f.checkMail(t.Context(), &tt.c)
		if len(f) != 1 || !strings.Contains(f[0].Found, tt.want) {
			t.Errorf("found %+v", f)
		}
	}
}
