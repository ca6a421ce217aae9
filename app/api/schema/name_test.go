package schema

import "testing"

func TestTypeName(t *testing.T) {
	for full, want := range map[string]string{
		"svc/app/audit.Resource":                  "AuditResource",
		"svc/app/recipient.Recipient":             "Recipient",
		"svc/app/recipient.RecipientList":         "RecipientList",
		"svc/app/api.Page[svc/app/audit.Entry]":   "AuditEntryPage",
		"svc/app/api.List[*svc/app/hook.Webhook]": "HookWebhookList",
		"svc/app/api.envelope":                    "Envelope",
		"svc/app/account/proxy.ShownProxy":        "AccountShownProxy",
		"svc/app/api.Page[svc/app/org.listRow]":   "OrgListRowPage",
		"time.Duration":                           "TimeDuration",
	} {
		if got := typeName(full); got != want {
			t.Errorf("%s: %s, want %s", full, got, want)
		}
	}
}
