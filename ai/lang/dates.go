package lang

import (
	"regexp"
	"strconv"
)

var (
	fullDate = regexp.MustCompile(`^(\d{1,2})[./](\d{1,2})[./](\d{4}|\d{2})(?:\D|$)`)
	isoDate  = regexp.MustCompile(`^(\d{4})-(\d{2})-(\d{2})(?:\D|$)`)
)

// DateInFigures reads a date at the beginning of a text, 25.12.2026 or 2026-12-25, and how
// many bytes it takes.
func DateInFigures(s string) (year, month, day, size int, ok bool) {
	if m := isoDate.FindStringSubmatch(s); m != nil {
		return Figure(m[1]), Figure(m[2]), Figure(m[3]), 10, true
	}
	m := fullDate.FindStringSubmatch(s)
	if m == nil {
		return 0, 0, 0, 0, false
	}
	if year = Figure(m[3]); year < 100 {
		year += 2000
	}
	return year, Figure(m[2]), Figure(m[1]), len(m[1]) + len(m[2]) + len(m[3]) + 2, true
}

// Figure is the value of digits, 0 for anything else.
func Figure(s string) int {
	v, err := strconv.Atoi(s)
	if err != nil {
		return 0
	}
	return v
}
