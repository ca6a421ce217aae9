package notice

import (
	"testing"

	"svc/app/api/perm"
	"svc/app/mail"
	"svc/app/notify"
	"svc/app/org"
	"svc/app/user"
)

func TestWhoWantsANotificationByMail(t *testing.T) {
	info := notify.Notification{Kind: "IMPORT_FINISHED", Severity: notify.Info}
	warning := notify.Notification{Kind: "CAMPAIGN_PAUSED", Severity: notify.Warning}
	keys := notify.Notification{Kind: "API_KEY_EXPIRING", Severity: notify.Info}
	mine := notify.Notification{Kind: "SECURITY_EMAIL_CHANGED", Severity: notify.Critical, User: "usr_1"}
	person := func(id string, role perm.Role, choice user.MailChoice, status user.Status) *org.Person {
		return &org.Person{Role: role, User: user.User{ID: id, Status: status, Mail: choice}}
	}
	for _, tt := range []struct {
		name string
		n    notify.Notification
		p    *org.Person
		want bool
	}{
		{"nobody asked", warning, person("usr_1", perm.Owner, "", user.Active), false},
		{"off", warning, person("usr_1", perm.Owner, user.MailOff, user.Active), false},
		{"all", info, person("usr_1", perm.Owner, user.MailAll, user.Active), true},
		{"important leaves out information", info, person("usr_1", perm.Owner, user.MailImportant, user.Active), false},
		{"important", warning, person("usr_1", perm.Owner, user.MailImportant, user.Active), true},
		{"without the permission", keys, person("usr_1", perm.Analyst, user.MailAll, user.Active), false},
		{"disabled", warning, person("usr_1", perm.Owner, user.MailAll, user.Inactive), false},
		{"to oneself", mine, person("usr_1", perm.Analyst, user.MailImportant, user.Active), true},
		{"to somebody else", mine, person("usr_2", perm.Owner, user.MailAll, user.Active), false},
	} {
		if got := wantsByMail(&tt.n, tt.p); got != tt.want {
			t.Errorf("%s: %t", tt.name, got)
		}
	}
}

// TestSecurityNoticesHaveWords: they are mailed in the language of their person.
func TestSecurityNoticesHaveWords(t *testing.T) {
	for _, kind := range []string{
		"SECURITY_PASSWORD_RESET", "SECURITY_EMAIL_CHANGED", "SECURITY_RECOVERY_CODE_USED", "SECURITY_RECOVERY_CODES_FEW", "SECURITY_PASSKEYS_CHANGED", "ACCOUNT_RESTRICTED",
	} {
		if !mail.HasNotice(kind) {
			t.Errorf("%s has no words", kind)
		}
	}
}
