package lang

import (
	"regexp"
	"strconv"
	"strings"
	"time"
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

// DayNumber reads a day of a month: 5, 5th.
func DayNumber(key string) (int, bool) {
	digits := strings.TrimRight(key, "abcdefghijklmnopqrstuvwxyz")
	switch suffix := key[len(digits):]; suffix {
	case "", "th", "st", "nd", "rd":
	default:
		return 0, false
	}
	v, err := strconv.Atoi(digits)
	return v, err == nil && v >= 1 && v <= 31
}

// Period is the week, the year or else the month of a day, or the one behind it.
func Period(day time.Time, week, year, next bool) (from, until time.Time) {
	n := 0
	if next {
		n = 1
	}
	switch {
	case week:
		from = day.AddDate(0, 0, 1-Weekday(day)+7*n)
		return from, from.AddDate(0, 0, 6)
	case year:
		from = time.Date(day.Year()+n, 1, 1, 0, 0, 0, 0, day.Location())
		return from, from.AddDate(1, 0, -1)
	}
	from = time.Date(day.Year(), day.Month()+time.Month(n), 1, 0, 0, 0, 0, day.Location())
	return from, from.AddDate(0, 1, -1)
}

// Weekday is 1 for Monday to 7 for Sunday.
func Weekday(t time.Time) int { return (int(t.Weekday())+6)%7 + 1 }
