package login

import (
	"strings"
	"testing"
)

func TestPhones(t *testing.T) {
	for raw, want := range map[string][2]string{
		"+998901234567":        {"+998901234567", "+998 90 ••• •• 67"},
		" 00998 90 123-45-67 ": {"+998901234567", "+998 90 ••• •• 67"},
		"+4900000":             {"+490000", "+49 ••••"},
		"+7 (912) 345-67-89":   {"+79123456789", "+7 91• •••-••-89"},
		"+1 202-555-0123":      {"+12025550123", "+1 20•-•••-••23"},
		"+49 1512 3456789":     {"+4915123456789", "+49 15•• •••••89"},
	} {
		number, masked, err := normalize(raw)
		if err != nil || number != want[0] || masked != want[1] {
			t.Errorf("%q: %q %q %v", raw, number, masked, err)
		}
	}
	for _, raw := range []string{"", "+", "998901234567", "901234567", "+998", "+998901234567890123", "+abc", "+99890123456x", strings.Repeat("+", 40)} {
		if number, _, err := normalize(raw); err != ErrNumber {
			t.Errorf("%q: %q, %v", raw, number, err)
		}
	}
}

// FuzzPhone: what is accepted is one number in one form, and its mask tells few digits.
func FuzzPhone(f *testing.F) {
	for _, s := range []string{"+998901234567", "0044 20 7946 0958", "+1 (202) 555-0123 x5", "+", "+٩٩٨٩٠١٢٣٤٥٦٧"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, raw string) {
		number, masked, err := normalize(raw)
		if err != nil {
			return
		}
		again, _, err := normalize(number)
		if err != nil || again != number {
			t.Fatalf("%q: %q becomes %q, %v", raw, number, again, err)
		}
		if hidden := strings.Count(masked, "•"); hidden < 1 {
			t.Fatalf("%q: %q hides nothing", raw, masked)
		}
	})
}
