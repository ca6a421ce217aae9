package price_test

import (
	"testing"

	"svc/app/business/price"
)

func TestReadCell(t *testing.T) {
	const wrong, unclear = "must be a number from 0 to 1000000000000 with 4 digits behind the point at most",
		"can be read as thousands and as decimals; write 189000 or 189.00"
	for _, c := range []struct{ in, amount, currency, wrong string }{
		{"189000", "189000", "", ""},
		{"189 000", "189000", "", ""},
		{"189\u00a0000 so‘m", "189000", "UZS", ""},
		{"189 000 сум", "189000", "UZS", ""},
		{"1,250,000", "1250000", "", ""},
		{"1.250.000 UZS", "1250000", "UZS", ""},
		{"1 250 000,50", "1250000.5", "", ""},
		{"1,250,000.50", "1250000.5", "", ""},
		{"1.250.000,5 руб.", "1250000.5", "RUB", ""},
		{"$12.5", "12.5", "USD", ""},
		{"€ 12,50", "12.5", "EUR", ""},
		{"usd 7", "7", "USD", ""},
		{"0.125", "0.125", "", ""},
		{"12.1250", "12.125", "", ""},
		{"1250.125", "1250.125", "", ""},
		{"0", "0", "", ""},
		{"189.000", "", "", unclear},
		{"189,000", "", "", unclear},
		{"1,25,000", "", "", wrong},
		{"1.250,000,5", "", "", wrong},
		{"-5", "", "", wrong},
		{"от 5000", "", "", wrong},
		{"5 UZS USD", "", "", wrong},
		{"$5 USD", "", "", wrong},
		{"by agreement", "", "", wrong},
		{"", "", "", wrong},
		{"1.23456", "", "", wrong},
		{"10000000000000000", "", "", wrong},
	} {
		a, currency, err := price.ReadCell(c.in)
		switch {
		case err != nil && err.Error() != c.wrong, err == nil && c.wrong != "":
			t.Errorf("%q: error %v, want %q", c.in, err, c.wrong)
		case err == nil && (a.String() != c.amount || currency != c.currency):
			t.Errorf("%q: %s %q, want %s %q", c.in, a, currency, c.amount, c.currency)
		}
	}
}

func FuzzReadCell(f *testing.F) {
	f.Add("1 250 000,50 so'm")
	f.Add("$1,250.5")
	f.Fuzz(func(t *testing.T, s string) {
		a, _, err := price.ReadCell(s)
		if err != nil {
			return
		}
		again, err := price.Parse(a.String())
		if err != nil || again != a {
			t.Errorf("%q is %s, which is read as %s, %v", s, a, again, err)
		}
	})
}
