package mapkey

import "time"

// month is a UTC calendar month, counted from January of year 0.
type month uint32

func monthOf(t time.Time) month {
	y, m, _ := t.UTC().Date()
	return month(max(y, 0)*12 + int(m) - 1)
}

// start is 00:00 UTC on the 1st.
func (m month) start() time.Time {
	return time.Date(int(m/12), time.Month(m%12)+1, 1, 0, 0, 0, 0, time.UTC)
}

// nextMonth is when the quota of t's month resets.
func nextMonth(t time.Time) time.Time { return (monthOf(t) + 1).start() }

// hour is a UTC hour, counted from the Unix epoch.
type hour uint32

func hourOf(t time.Time) hour {
	return hour(min(max(t.Unix()/3600, 0), 1<<32-1))
}

func (h hour) start() time.Time { return time.Unix(int64(h)*3600, 0).UTC() }

// month is the calendar month an hour lies in.
func (h hour) month() month { return monthOf(h.start()) }
