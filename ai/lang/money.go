package lang

import "strings"

// currencies are the words and signs of money, as script.Tokens writes words.
var currencies = map[string]string{
	"som": "UZS", "sum": "UZS", "soum": "UZS", "uzs": "UZS", "sumov": "UZS", "suma": "UZS", "soʻm": "UZS",
	"dollar": "USD", "dollarov": "USD", "dollara": "USD", "dollars": "USD", "usd": "USD", "bucks": "USD", "ue": "USD", "dolar": "USD", "baks": "USD", "baksov": "USD",
	"rubl": "RUB", "rubley": "RUB", "rublya": "RUB", "rub": "RUB", "ruble": "RUB", "rubles": "RUB",
	"yevro": "EUR", "euro": "EUR", "euros": "EUR", "eur": "EUR", "evro": "EUR",
	"tenge": "KZT", "kzt": "KZT",
}

// currencyOf is the currency that a word names, with or without an Uzbek ending.
func currencyOf(word string) string {
	if c := currencies[word]; c != "" {
		return c
	}
	for _, e := range [...]string{"larga", "lar", "likmi", "lik", "gacha", "dan", "ning", "ni", "ga", "da", "mi", "dir", "cha", "digan"} {
		if stem, ok := strings.CutSuffix(word, e); ok && currencies[stem] != "" {
			return currencies[stem]
		}
	}
	return ""
}

// Amount is a sum of money, or a range of sums.
type Amount struct {
	Min, Max   float64
	Currency   string // ISO code
	Start, End int
}

// Amounts reads the sums of money of a text: numbers beside a currency (so'm, сум, $,
// dollars …). A number without a currency is none: the caller knows more about it.
func Amounts(text string) []Amount {
	text = bounded(text)
	numbers := Numbers(text)
	var out []Amount
	for i := 0; i < len(numbers); i++ {
		n := numbers[i]
		a := Amount{Min: n.Value, Max: n.Value, Start: n.Start, End: n.End}
		if n.RangeTo && i+1 < len(numbers) {
			i++
			a.Max, a.End = numbers[i].Value, numbers[i].End
		}
		if a.Currency = a.findCurrency(text); a.Currency != "" {
			out = append(out, a)
		}
	}
	return out
}

// findCurrency looks behind the number, then for a sign before it, and widens the place.
func (a *Amount) findCurrency(text string) string {
	rest := strings.TrimLeft(text[a.End:], " \u00a0\t")
	for sign, code := range map[string]string{"$": "USD", "€": "EUR", "₽": "RUB", "₸": "KZT"} {
		if strings.HasPrefix(rest, sign) {
			a.End = len(text) - len(rest) + len(sign)
			return code
		}
		if before := strings.TrimRight(text[:a.Start], " "); strings.HasSuffix(before, sign) {
			a.Start = len(before) - len(sign)
			return code
		}
	}
	if after := pieces(rest[:min(len(rest), 40)]); len(after) > 0 && after[0].start == 0 && after[0].word != "" {
		code := currencyOf(after[0].word)
		end := after[0].end
		if code == "" && len(after) > 1 && (after[0].word == "u" && (after[1].word == "e" || after[1].word == "ye")) {
			code, end = "USD", after[1].end
		}
		if code != "" {
			a.End = len(text) - len(rest) + end
		}
		return code
	}
	return ""
}

// IsCurrency tells the words of money, with Uzbek endings, as script.Tokens writes them.
func IsCurrency(word string) bool { return currencyOf(word) != "" }

// IsScale tells ming, тысяч, mln and their kin, as script.Tokens writes them.
func IsScale(word string) bool {
	n, _, _, ok := numeralOf(word)
	return ok && n.part == scale
}
