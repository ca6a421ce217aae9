package ground

import "testing"

// TestFindBid: who asks for less than the price is heard in each language; who asks what there
// is, what it costs or what it takes is no bidder.
func TestFindBid(t *testing.T) {
	roses := Offer{ID: "a", Name: "101 ta atirgul", Price: "1400000", Currency: "UZS"}
	lilies := Offer{ID: "b", Name: "Lola guldastasi", Price: "350000", Currency: "UZS"}
	range_ := Offer{ID: "c", Name: "To'y bezagi", Price: "2000000", PriceMax: "9000000", Currency: "UZS"}
	lamp := Offer{ID: "d", Name: "Desk lamp", Price: "120", Currency: "USD"}
	for _, c := range []struct {
		said   string
		offers []Offer
		want   float64 // 0: none
	}{
		{"lolani 300 mingga berasizmi?", []Offer{roses, lilies}, 300_000},
		{"лолани 300 мингга берасизми", []Offer{roses, lilies}, 300_000},
		{"отдадите 101 atirgul за 1 000 000?", []Offer{roses, lilies}, 1_000_000},
		{"давайте за 250 тысяч", []Offer{lilies}, 250_000},
		{"а за 250 отдадите?", []Offer{lilies}, 250_000},
		{"give me the lola for 300000", []Offer{roses, lilies}, 300_000},
		{"can you do 90 dollars?", []Offer{lamp}, 90},
		{"300 000 so'mga olaman", []Offer{lilies}, 300_000},
		{"2 ta lolani 600 mingga qilib bering", []Offer{lilies}, 600_000},
		{"уступите до 900 тыс за розы", []Offer{roses}, 900_000},

		{"2 ta lola 700 mingga berasizmi", []Offer{lilies}, 0}, // that is the price
		{"350 mingga berasizmi", []Offer{lilies}, 0},
		{"byudjetim 300 ming, lola berasizmi", []Offer{lilies}, 0},
		{"300 mingga nima bera olasiz", []Offer{lilies}, 0},
		{"что отдадите за 300 тысяч", []Offer{lilies}, 0},
		{"do you have anything for 300000?", []Offer{lilies}, 0},
		{"yetkazishni 30 mingga qilib berasizmi", []Offer{lilies}, 0},
		{"lola qancha turadi", []Offer{lilies}, 0},
		{"3 ta lola olaman", []Offer{lilies}, 0},
		{"15 kunda berasizmi", []Offer{lilies}, 0},
		{"bezakni 1 500 000 ga qilib berasizmi", []Offer{range_, lilies}, 0}, // its price is a range
		{"give it for 90 dollars", []Offer{lilies}, 0},                       // another currency
		{"500 mingga berasizmi", []Offer{roses, lilies}, 0},                  // one of them costs less
		{"rozi bo'lsangiz 500 mingga olaman", nil, 0},
	} {
		got, ok := FindBid(&Sources{Offers: c.offers, Burst: c.said, CustomerText: []string{c.said}})
		if ok != (c.want > 0) || got.Amount != c.want {
			t.Errorf("%q: %+v, want %v", c.said, got, c.want)
		}
	}
}
