package answer

import "testing"

func TestFitting(t *testing.T) {
	for wanted, want := range map[int]int{0: 30, 30: 30, 45: 60, 60: 60, 61: 90, 300: 90} {
		if got := fitting([]int{60, 30, 90}, wanted); got != want {
			t.Errorf("%d minutes: %d, want %d", wanted, got, want)
		}
	}
}
