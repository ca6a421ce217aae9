// Package price is sums of money: exact, as JSON has them, and as people write them in tables.
//
// It promises that no price is taken for a thousandth or the thousandfold of what was meant:
// a text that can be read in both ways is refused.
package price

import (
	"encoding/json"
	"errors"
	"math"
	"reflect"
	"strconv"
	"strings"

	"github.com/danielgtaylor/huma/v2"
)

// Amount is a sum of money in ten-thousandths of its currency, not negative. In JSON it is a
// number; a text such as "189000.50" is read too.
type Amount int64

// amountUnit is one of a currency.
const amountUnit = 10_000

// maxAmount is what a number of JSON still holds exactly.
const maxAmount Amount = 1_000_000_000_000 * amountUnit

var errAmount = errors.New("must be a number from 0 to 1000000000000 with 4 digits behind the point at most")

// Of is a whole number of a currency.
func Of(n int64) Amount { return Amount(n) * amountUnit }

// Parse reads a decimal number with a point, with or without spaces between groups of
// digits.
func Parse(s string) (Amount, error) {
	s = strings.NewReplacer(" ", "", "\u00a0", "", "\u202f", "").Replace(s)
	whole, rest, _ := strings.Cut(s, ".")
	if len(whole) == 0 || len(whole) > 13 || len(rest) > 4 || strings.HasSuffix(s, ".") || strings.ContainsAny(s, "+-") {
		return 0, errAmount
	}
	n, err := strconv.ParseInt(whole+rest+"0000"[len(rest):], 10, 64)
	if err != nil || Amount(n) > maxAmount {
		return 0, errAmount
	}
	return Amount(n), nil
}

// MustBe says what an amount in JSON is.
func (Amount) MustBe() string { return errAmount.Error() }

// errJSON is an error that the decoder completes with the name of the field.
func errJSON() error {
	return &json.UnmarshalTypeError{Value: "amount", Type: reflect.TypeFor[Amount]()}
}

// UnmarshalJSON reads a number or a text.
func (a *Amount) UnmarshalJSON(b []byte) error {
	s := string(b)
	if len(b) > 0 && b[0] == '"' {
		if err := json.Unmarshal(b, &s); err != nil {
			return err
		}
	} else if strings.ContainsAny(s, "eE") { // 1.89e5, as some programs write
		f, err := strconv.ParseFloat(s, 64)
		if err != nil || f < 0 || f > float64(maxAmount)/amountUnit {
			return errJSON()
		}
		*a = Amount(math.Round(f * amountUnit))
		return nil
	}
	n, err := Parse(s)
	if err != nil {
		return errJSON()
	}
	*a = n
	return nil
}

// MarshalJSON writes a number.
func (a Amount) MarshalJSON() ([]byte, error) { return []byte(a.String()), nil }

// String is the number without zeros at its end, with a point.
func (a Amount) String() string {
	s := strconv.FormatInt(int64(a)/amountUnit, 10)
	if rest := int64(a) % amountUnit; rest != 0 {
		s += "." + strings.TrimRight(strconv.FormatInt(amountUnit+rest, 10)[1:], "0")
	}
	return s
}

// Float is the amount as a number, for reckoning what need not be exact.
func (a Amount) Float() float64 { return float64(a) / amountUnit }

// Schema is a number, or a text that holds one.
func (Amount) Schema(huma.Registry) *huma.Schema {
	least, most := 0.0, maxAmount.Float()
	return &huma.Schema{
		AnyOf: []*huma.Schema{
			{Type: huma.TypeNumber, Minimum: &least, Maximum: &most},
			{Type: huma.TypeString, Pattern: `^\d{1,13}(\.\d{1,4})?$`},
		},
		Examples: []any{189000},
	}
}

// Text is a price as people write it: "189 000 UZS", "260 000–310 000 UZS"; "" for none.
func Text(low, high *Amount, currency *string) string {
	if low == nil || currency == nil {
		return ""
	}
	s := grouped(low.String())
	if high != nil && *high != *low {
		s += "–" + grouped(high.String())
	}
	return s + " " + *currency
}

// grouped puts a space between the thousands of a number.
func grouped(s string) string {
	end := len(s)
	for i := range s {
		if s[i] == '.' {
			end = i
		}
	}
	for i := end - 3; i > 0; i -= 3 {
		s = s[:i] + " " + s[i:]
	}
	return s
}
