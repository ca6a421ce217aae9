package geocode

import "testing"

func TestNumberLast(t *testing.T) {
	for _, tt := range []struct {
		street, want string
		numbered     bool
	}{
		{"12 Navoiy koʻchasi", "Navoiy koʻchasi 12", true},
		{"12, Navoiy koʻchasi", "Navoiy koʻchasi 12", true},
		{"Navoiy koʻchasi 12a", "Navoiy koʻchasi 12a", true},
		{"9 may koʻchasi 12", "9 may koʻchasi 12", true},
		{"Navoiy", "Navoiy", false}, {"12", "12", false}, {"", "", false}, {"  ", "", false},
	} {
		if got, numbered := numberLast(tt.street); got != tt.want || numbered != tt.numbered {
			t.Errorf("%q: %q, %v", tt.street, got, numbered)
		}
	}
}
