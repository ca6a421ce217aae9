package lang

import "testing"

// TestOfCustomer: names of offers say nothing of the language of who writes them, and what was
// written before counts when the last message says too little.
func TestOfCustomer(t *testing.T) {
	names := []string{"Kuzgi to‘plam", "101 ta atirgul", "Desk lamp"}
	for _, c := range []struct {
		burst  string
		before []string
		want   string
	}{
		{"How much is “Kuzgi to‘plam”?", nil, "en"},
		{"сколько стоит Kuzgi to'plam", nil, "ru"},
		{"отдадите 101 ta atirgul за миллион?", nil, "ru"},
		{"101 ta atirgul narxi qancha?", nil, "uz-Latn"},
		{"Desk lamp narxi?", nil, "uz-Latn"},
		{"Desk lamp есть?", nil, "ru"},
		{"Kuzgi to'plam", []string{"Hello, what do you have for autumn?"}, "en"},
		{"Kuzgi to'plam", []string{"Kuzgi to'plam"}, ""},
		{"12", []string{"Здравствуйте, нужен букет", "12"}, "ru"},
	} {
		g, known := OfCustomer(c.burst, append(c.before, c.burst), names)
		if known != (c.want != "") || g.Label() != c.want {
			t.Errorf("%q after %q: %q", c.burst, c.before, g.Label())
		}
	}
}
