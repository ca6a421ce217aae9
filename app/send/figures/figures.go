// Package figures keeps how messages went: what was delivered, failed, read and answered,
// by the hour, for each campaign and account (contract 9.3).
//
// It promises that figures are added up in the transaction in which the thing happens, and
// that nothing is counted when somebody asks: a year of a campaign is read, not computed.
// It refuses to know what a message is; package send counts.
package figures

import (
	"maps"
	"strconv"
	"strings"
	"time"

	"svc/store"
)

// Counters are how messages went (contract 9.3).
type Counters struct {
	Delivered   int
	Failed      int
	Unreachable int
	Skipped     int
	Read        int
	Replied     int
	OptedOut    int
	// Cooldown is how long the platform asked to wait, in seconds.
	Cooldown int
}

// add sums up.
func (c *Counters) add(o Counters) {
	c.Delivered += o.Delivered
	c.Failed += o.Failed
	c.Unreachable += o.Unreachable
	c.Skipped += o.Skipped
	c.Read += o.Read
	c.Replied += o.Replied
	c.OptedOut += o.OptedOut
	c.Cooldown += o.Cooldown
}

func (c *Counters) fields() [8]*int {
	return [8]*int{&c.Delivered, &c.Failed, &c.Unreachable, &c.Skipped, &c.Read, &c.Replied, &c.OptedOut, &c.Cooldown}
}

// MarshalText writes the counters short: they are many and mostly zero.
func (c Counters) MarshalText() ([]byte, error) {
	var b []byte
	for _, n := range c.fields() {
		if *n != 0 {
			b = strconv.AppendInt(b, int64(*n), 10)
		}
		b = append(b, ' ')
	}
	return []byte(strings.TrimRight(string(b), " ")), nil
}

// UnmarshalText reads what MarshalText wrote.
func (c *Counters) UnmarshalText(b []byte) error {
	fields := c.fields()
	for i, s := range strings.Split(string(b), " ") {
		if s == "" || i >= len(fields) {
			continue
		}
		n, err := strconv.Atoi(s)
		if err != nil {
			return err
		}
		*fields[i] = n
	}
	return nil
}

// figure is what happened on a UTC day to the messages of one campaign from one
// account, by the hour.
type figure struct {
	ID    string            `json:"id"`
	Hours map[int]*Counters `json:"hours"`
	// Errors counts error codes by the hour.
	Errors map[int]map[string]int `json:"errors,omitempty"`
}

// A figure is found by its day, campaign and account; "-" stands for no campaign.
const none = "-"

func figureID(at time.Time, batch, account string) string {
	return at.UTC().Format(time.DateOnly) + "/" + orNone(batch) + "/" + orNone(account)
}

func orNone(s string) string {
	if s == "" {
		return none
	}
	return s
}

func orEmpty(s string) string {
	if s == none {
		return ""
	}
	return s
}

// parts are the day, the campaign and the account of a figure.
func (f *figure) parts() (day time.Time, batch, account string) {
	parts := strings.SplitN(f.ID, "/", 3)
	if len(parts) < 3 {
		return day, "", ""
	}
	day, _ = time.Parse(time.DateOnly, parts[0])
	return day, orEmpty(parts[1]), orEmpty(parts[2])
}

// Tables are what figures are stored in.
func Tables() []store.AnyTable { return []store.AnyTable{figures} }

var (
	figures = store.NewTable("send_figure", "", func(f *figure) string { return f.ID })
	// figuresOf are those of a campaign, by day.
	figuresOf = figures.Multi("batch", func(f *figure) []store.Key {
		at, batch, _ := f.parts()
		if batch == "" {
			return nil
		}
		return []store.Key{store.Tuple(store.Text(batch), store.Time(at))}
	})
)

// Count adds to the figures of the hour of a time: of a campaign, "" for none, and of an
// account, "" for none. code is an error code, "" for none.
func Count(tx *store.Tx, org, batch, account string, at time.Time, by Counters, code string) error {
	id, hour := figureID(at, batch, account), at.UTC().Hour()
	_, err := figures.Edit(tx, org, id, func(f *figure) error {
		f.add(hour, by, code)
		return nil
	})
	if !store.IsNotFound(err) {
		return err
	}
	f := figure{ID: id, Hours: map[int]*Counters{}}
	f.add(hour, by, code)
	return figures.Insert(tx, org, &f)
}

func (f *figure) add(hour int, by Counters, code string) {
	if f.Hours[hour] == nil {
		f.Hours[hour] = &Counters{}
	}
	f.Hours[hour].add(by)
	if code == "" {
		return
	}
	if f.Errors == nil {
		f.Errors = map[int]map[string]int{}
	}
	if f.Errors[hour] == nil {
		f.Errors[hour] = map[string]int{}
	}
	f.Errors[hour][code]++
}

// Point is an hour of a campaign.
type Point struct {
	At time.Time
	Counters
}

// Sums are how the messages of a campaign went.
type Sums struct {
	Totals    Counters
	ByAccount map[string]Counters // by the id of the account, "" for none
	ByError   map[string]int      // by error code
	Timeline  []Point             // by the hour, without hours in which nothing happened
}

// maxFigures bounds the figures that are read at once: a year of days of 50 accounts.
const maxFigures = 20_000

// Of reads the figures of a campaign.
func Of(tx *store.Tx, org, batch string) (Sums, error) {
	out := Sums{ByAccount: map[string]Counters{}, ByError: map[string]int{}}
	list, _, err := figuresOf.Walk(tx, org, store.Range{Span: store.Is(store.Tuple(store.Text(batch))), Limit: maxFigures})
	if err != nil {
		return out, err
	}
	hours := map[time.Time]*Counters{}
	for i := range list {
		at, _, account := list[i].parts()
		sum := out.ByAccount[account]
		for hour, c := range list[i].Hours {
			sum.add(*c)
			when := at.Add(time.Duration(hour) * time.Hour)
			if hours[when] == nil {
				hours[when] = &Counters{}
			}
			hours[when].add(*c)
		}
		out.ByAccount[account] = sum
		for _, codes := range list[i].Errors {
			addCodes(out.ByError, codes)
		}
	}
	for _, when := range sortedTimes(hours) {
		out.Timeline = append(out.Timeline, Point{when, *hours[when]})
		out.Totals.add(*hours[when])
	}
	return out, nil
}

func addCodes(to, codes map[string]int) {
	for code, n := range codes {
		to[code] += n
	}
}

func sortedTimes(m map[time.Time]*Counters) []time.Time {
	return sorted(maps.Keys(m), time.Time.Compare)
}
