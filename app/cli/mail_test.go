package cli

import (
	"strings"
	"testing"
)

// TestMailSettings: a mail server needs a sender and the public address; its password
// is shown nowhere.
func TestMailSettings(t *testing.T) {
	run := func(env ...string) (string, error) {
		var out strings.Builder
		root := New(Parts{Version: "test", Env: env, Stdout: &out, Stderr: &out})
		root.SetArgs([]string{"config", "check"})
		err := root.ExecuteContext(t.Context())
		if err != nil {
			out.WriteString(err.Error())
		}
		return out.String(), err
	}
	const url = "SVC_SMTP_URL=smtp://svc:hushhush@mail.example.uz:587"
	out, err := run(url)
	if err == nil || !strings.Contains(out, "needs public-url") || !strings.Contains(out, "needs mail-from") {
		t.Errorf("alone: %v\n%s", err, out)
	}
	out, err = run(url, "SVC_PUBLIC_URL=https://svc.example.uz", "SVC_MAIL_FROM=svc <svc@example.uz>")
	if err != nil || !strings.Contains(out, "mail.example.uz:587") || strings.Contains(out, "hushhush") {
		t.Errorf("whole: %v\n%s", err, out)
	}
	out, err = run("SVC_SMTP_URL=https://svc:hushhush@mail.example.uz")
	if err == nil || strings.Contains(out, "hushhush") {
		t.Errorf("another scheme: %v\n%s", err, out)
	}
	out, err = run(url, "SVC_PUBLIC_URL=https://svc.example.uz", "SVC_MAIL_FROM=nobody")
	if err == nil || !strings.Contains(out, "sender") {
		t.Errorf("no sender: %v\n%s", err, out)
	}
}
