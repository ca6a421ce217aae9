package recipient

import "testing"

func TestDisplayName(t *testing.T) {
	for _, tt := range []struct {
		person Recipient
		want   string
	}{
		{Recipient{FirstName: "Gulnora", LastName: "Azizova", Username: "gulnora", MessengerID: 7}, "Gulnora Azizova"},
		{Recipient{FirstName: "Gulnora", Username: "gulnora"}, "Gulnora"},
		{Recipient{Username: "gulnora", MessengerID: 7}, "@gulnora"},
		{Recipient{MessengerID: 7}, "7"},
	} {
		if got := tt.person.DisplayName(); got != tt.want {
			t.Errorf("%+v: %q, want %q", tt.person, got, tt.want)
		}
	}
}
