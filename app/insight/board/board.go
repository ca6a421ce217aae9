package board

import (
	"cmp"
	"slices"
	"time"

	"svc/app/api"
	"svc/app/business"
	"svc/app/insight/cases"
	"svc/app/insight/dimension"
	"svc/app/insight/sums"
	"svc/app/org"
	"svc/app/seller/figure"
	"svc/store"
)

// Ask says which board is wanted.
type Ask struct {
	Board    Name
	Channel  string // "" for all
	Business string // "" for all
	Locale   Locale
	Days     figure.Days
	Zone     *time.Location
}

// Day is a day of the series.
type Day struct {
	Date          string              `json:"date" example:"2026-05-01"`
	Conversations int                 `json:"conversations"`
	Analysed      int                 `json:"analyzed"`
	Values        map[string]*float64 `json:"values" doc:"The metrics of the board on that day, by key."`
}

// Scores are the average marks; null where nothing says.
type Scores struct {
	Satisfaction   *float64 `json:"satisfaction"`
	Sentiment      *float64 `json:"sentiment"`
	PurchaseIntent *float64 `json:"purchase_intent"`
	Urgency        *float64 `json:"urgency"`
	Trust          *float64 `json:"trust"`
}

// Board is a board with its figures.
type Board struct {
	Ask           Ask
	Conversations int
	Coverage      float64
	Scores        Scores
	Series        []Day
	Dimension     dimension.Dimension
	Figures
}

// Build reads a board.
func Build(tx *store.Tx, org string, a Ask) (*Board, error) {
	k := kinds[a.Board]
	before := a.Days.Before(a.Zone)
	var now, was sums.Counts
	days := map[string]*sums.Counts{}
	first := a.Days.Dates[0]
	err := sums.Conversations.Each(tx, org, before.Dates[0], a.Days.Dates[len(a.Days.Dates)-1], func(r *sums.Row) error {
		if a.Channel != "" && r.Channel != a.Channel || a.Business != "" && r.Business != a.Business {
			return nil
		}
		if r.Day < first {
			was.Add(&r.Counts, 1)
			return nil
		}
		now.Add(&r.Counts, 1)
		if days[r.Day] == nil {
			days[r.Day] = &sums.Counts{}
		}
		days[r.Day].Add(&r.Counts, 1)
		return nil
	})
	if err != nil {
		return nil, err
	}
	b := &Board{Ask: a, Conversations: now.Seen, Dimension: k.dimension, Scores: scoresOf(&now)}
	if b.Coverage = 0; now.Seen > 0 {
		b.Coverage = float64(now.Analysed) / float64(now.Seen)
	}
	b.Figures = Figures{Whole: analysedKey, Before: was.Seen > 0, From: a.Days.From, To: a.Days.To, Zone: a.Zone, Locale: a.Locale}
	if b.Items, err = Items(tx, org, a.Locale, k.dimension, &now, &was); err != nil {
		return nil, err
	}
	b.Metrics = metrics(&k, a.Locale, &now, &was)
	for _, date := range a.Days.Dates {
		c := cmp.Or(days[date], &sums.Counts{})
		d := Day{Date: date, Conversations: c.Seen, Analysed: c.Analysed, Values: map[string]*float64{}}
		for _, m := range metrics(&k, a.Locale, c, &sums.Counts{}) {
			d.Values[m.Key] = m.Value
		}
		b.Series = append(b.Series, d)
	}
	return b, nil
}

// metrics are the figures of a board.
func metrics(k *kind, l Locale, now, was *sums.Counts) (out []Metric) {
	add := func(key string, value func(*sums.Counts) *float64, most float64) {
		x := labels[key]
		m := Metric{Key: key, Label: x.In(l), Value: value(now), Unit: x.Unit, Names: x.More[l], Good: x.Good}
		if was.Seen > 0 {
			m.Previous = value(was)
		}
		if most > 0 {
			m.Max = &most
		}
		out = append(out, m)
	}
	count := func(of func(*sums.Counts) int) func(*sums.Counts) *float64 {
		return func(c *sums.Counts) *float64 { n := float64(of(c)); return &n }
	}
	add(conversationsKey, count(func(c *sums.Counts) int { return c.Seen }), 0)
	add(analysedKey, count(func(c *sums.Counts) int { return c.Analysed }), 0)
	for _, s := range k.scores {
		_, high := s.Bounds()
		add(string(s), func(c *sums.Counts) *float64 { return Average(c, s) }, float64(high))
	}
	for _, f := range k.flags {
		add(string(f), func(c *sums.Counts) *float64 { return Share(c.Flags[f], c.Analysed) }, 0)
	}
	add(unclearKey, func(c *sums.Counts) *float64 {
		all := 0
		list := c.CasesOf(k.dimension)
		for _, n := range list {
			all += n
		}
		return Share(list[dimension.Unclear], all)
	}, 0)
	return out
}

// Average is the mean of marks, nil for none.
func Average(c *sums.Counts, s dimension.Score) *float64 {
	m := c.Scores[s]
	if m.N == 0 {
		return nil
	}
	x := float64(m.Sum) / float64(m.N)
	return &x
}

// Share is a part of a whole, nil of nothing.
func Share(n, of int) *float64 {
	if of == 0 {
		return nil
	}
	x := float64(n) / float64(of)
	return &x
}

func scoresOf(c *sums.Counts) Scores {
	return Scores{Average(c, dimension.Satisfaction), Average(c, dimension.Sentiment), Average(c, dimension.PurchaseIntent), Average(c, dimension.Urgency), Average(c, dimension.Trust)}
}

// Items are the cases of a dimension, those of most conversations first.
func Items(tx *store.Tx, org string, l Locale, d dimension.Dimension, now, was *sums.Counts) ([]Item, error) {
	counts := [2]map[string]int{now.CasesOf(d), was.CasesOf(d)}
	var ids []string
	for _, list := range counts {
		for id := range list {
			if id != dimension.Unclear {
				ids = append(ids, id)
			}
		}
	}
	slices.Sort(ids)
	book, err := cases.Load(tx, org, slices.Compact(ids))
	if err != nil {
		return nil, err
	}
	var all [2]int
	byCase := map[string]*Item{}
	for i, list := range counts {
		for id, n := range list {
			all[i] += n
			if id = book.Counts(id); id == "" {
				continue
			}
			x := byCase[id]
			if x == nil {
				x = &Item{CaseID: id, Label: nameOf(book[id].Name, l)}
				byCase[id] = x
			}
			if i == 0 {
				x.Count += n
			} else {
				x.Previous += n
			}
		}
	}
	out := []Item{}
	for _, x := range byCase {
		x.Change = x.Count - x.Previous
		x.Share = float64(x.Count) / float64(max(all[0], 1))
		if all[1] > 0 {
			x.PreviousShare = Share(x.Previous, all[1])
		}
		out = append(out, *x)
	}
	slices.SortFunc(out, func(a, b Item) int {
		return cmp.Or(b.Count-a.Count, b.Previous-a.Previous, cmp.Compare(a.Label, b.Label), cmp.Compare(a.CaseID, b.CaseID))
	})
	return out, nil
}

// In are the parameters of a board.
type In struct {
	Board Name `path:"board" enum:"BUSINESS_HEALTH,SALES_OUTCOMES,LOST_REASONS,HAPPINESS,DEMAND,SERVICE_QUALITY"`
	figure.SpanIn
	Channel string `query:"channel" enum:"MESSENGER,PHOTO_NETWORK,PAGE_NETWORK"`
}

// Ask reads the parameters. locale "" is the organization's, as far as boards have it.
func (in *In) Ask(tx *store.Tx, c *api.Call, locale Locale) (a Ask, err error) {
	return NewAsk(tx, c, in.Board, in.Channel, locale, &in.SpanIn)
}

// Where is the zone of an organization, with the locale that was asked for, else its own as far
// as boards have it.
func Where(tx *store.Tx, orgID string, asked Locale) (*time.Location, Locale, error) {
	o, err := org.Get(tx, orgID)
	if err != nil {
		return nil, "", err
	}
	if asked == "" {
		asked = Uzbek
		if l := Locale(o.DefaultLanguage); l == Russian || l == English {
			asked = l
		}
	}
	zone, err := time.LoadLocation(o.Timezone)
	return zone, asked, err
}

// NewAsk makes an Ask of parameters.
func NewAsk(tx *store.Tx, c *api.Call, name Name, channel string, locale Locale, in *figure.SpanIn) (a Ask, err error) {
	a = Ask{Board: name, Channel: channel, Business: in.BusinessID}
	if a.Zone, a.Locale, err = Where(tx, c.Org, locale); err != nil {
		return a, err
	}
	if a.Business != "" {
		if _, err := business.Named(tx, c.Org, a.Business); err != nil {
			return a, err
		}
	}
	a.Days, err = in.Days(c.Now, a.Zone)
	return a, err
}
