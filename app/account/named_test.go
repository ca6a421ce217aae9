package account

import "testing"

// TestDisplayName is the order of contract 21.2.
func TestDisplayName(t *testing.T) {
	label := "Sotuv"
	for _, tt := range []struct {
		account Account
		want    string
	}{
		{Account{Label: &label, FirstName: "Olga", Username: "olga", PhoneMasked: "+998 ••"}, "Sotuv"},
		{Account{FirstName: "Olga", LastName: "Karimova", Username: "olga", PhoneMasked: "+998 ••"}, "Olga Karimova"},
		{Account{LastName: "Karimova", Username: "olga"}, "Karimova"},
		{Account{Username: "olga", PhoneMasked: "+998 ••"}, "@olga"},
		{Account{PhoneMasked: "+998 ••"}, "+998 ••"},
	} {
		if got := tt.account.DisplayName(); got != tt.want {
			t.Errorf("%+v: %q, want %q", tt.account, got, tt.want)
		}
	}
}
