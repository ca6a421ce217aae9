package figure

import (
	"time"

	"svc/app/api"
	"svc/store"
)

// Analytics is the answer of GET /ai/analytics.
type Analytics struct {
	From          time.Time      `json:"from"`
	To            time.Time      `json:"to" doc:"Exclusive."`
	Timezone      string         `json:"timezone" example:"Asia/Tashkent" doc:"The organization's, of which days are counted."`
	Conversations Conversations  `json:"conversations"`
	Messages      Messages       `json:"messages"`
	Response      Response       `json:"response"`
	Handoffs      HandoffFigures `json:"handoffs"`
	Drafts        DraftFigures   `json:"drafts"`
	Blocked       BlockedFigures `json:"blocked"`
	Leads         LeadFigures    `json:"leads"`
	Series        []Day          `json:"series" nullable:"false" doc:"Every day, the first one first."`
}

// Conversations are how many there were.
type Conversations struct {
	New    int `json:"new" doc:"Began."`
	Active int `json:"active" doc:"Somebody wrote in them."`
}

// Messages are how many there were.
type Messages struct {
	In       int `json:"in"`
	OutAI    int `json:"out_ai"`
	OutHuman int `json:"out_human" doc:"By people, also in the network's own app."`
}

// Response is how long customers waited for answers.
type Response struct {
	MedianAI    *float64 `json:"median_seconds_ai"`
	MedianHuman *float64 `json:"median_seconds_human"`
	P90         *float64 `json:"p90_seconds" doc:"Of both."`
}

// HandoffFigures are how often people were asked for.
type HandoffFigures struct {
	Created   int            `json:"created"`
	ByTrigger map[string]int `json:"by_trigger"`
}

// DraftFigures are what became of drafts.
type DraftFigures struct {
	Created   int `json:"created"`
	Approved  int `json:"approved"`
	Edited    int `json:"edited" doc:"Of the approved ones: sent with another text."`
	Discarded int `json:"discarded"`
}

// BlockedFigures are the turns whose reply was not sent because a rule forbade it.
type BlockedFigures struct {
	Total  int            `json:"total"`
	ByCode map[string]int `json:"by_code"`
}

// LeadFigures are what became of leads.
type LeadFigures struct {
	Opened   int     `json:"opened"`
	Won      int     `json:"won"`
	Lost     int     `json:"lost"`
	ValueWon float64 `json:"value_won" doc:"In the currency."`
	Currency *string `json:"currency" doc:"That of most of the value; others are left out."`
}

// Day is a day of the series.
type Day struct {
	Date          string `json:"date" example:"2026-05-01"`
	MessagesIn    int    `json:"messages_in"`
	OutAI         int    `json:"messages_out_ai"`
	OutHuman      int    `json:"messages_out_human"`
	Handoffs      int    `json:"handoffs"`
	DraftsCreated int    `json:"drafts"`
	Blocked       int    `json:"blocked"`
	LeadsOpened   int    `json:"leads_opened"`
	LeadsWon      int    `json:"leads_won"`
}

func (s *Service) analytics(c *api.Call, tx *store.Tx, in SpanIn) (out Analytics, err error) {
	zone, err := zoneOf(tx, c.Org)
	if err != nil {
		return out, err
	}
	asked, err := in.span(c.Now, zone)
	if err != nil {
		return out, err
	}
	sum, days, err := counted(tx, c.Org, &asked, in.BusinessID)
	if err != nil {
		return out, err
	}
	out = shown(&sum)
	out.From, out.To, out.Timezone, out.Series = asked.from.UTC(), asked.to.UTC(), zone.String(), series(&asked, days)
	out.Conversations, err = conversations(tx, c.Org, &asked, in.BusinessID)
	return out, err
}

// counted adds up what was counted in a span, altogether and by day; of all businesses when none
// is named.
func counted(tx *store.Tx, org string, asked *span, business string) (sum Counters, days map[string]*Counters, err error) {
	days = map[string]*Counters{}
	err = each(tx, org, places, asked, func(r *placeDay) string { return r.Day }, func(r *placeDay) {
		if business != "" && r.Business != business {
			return
		}
		sum.Add(&r.Counters)
		if days[r.Day] == nil {
			days[r.Day] = &Counters{}
		}
		days[r.Day].Add(&r.Counters)
	})
	return sum, days, err
}

// conversations counts those that began, and in which somebody wrote, without reading them.
func conversations(tx *store.Tx, org string, s *span, business string) (out Conversations, err error) {
	for to, on := range map[*int]*store.Facet[active]{&out.New: newOn, &out.Active: activeOn} {
		where := []store.Cond[active]{on.Any(s.days...)}
		if business != "" {
			where = append(where, activeFor.Any(business))
		}
		page, err := actives.Page(tx, org, store.Query[active]{Where: where, Limit: 1})
		if err != nil {
			return out, err
		}
		*to = page.Total
	}
	return out, nil
}

func shown(c *Counters) Analytics {
	out := Analytics{
		Messages: Messages{c.In, c.OutAI, c.OutHuman},
		Response: Response{c.ByAI.Quantile(0.5), c.ByHuman.Quantile(0.5), addAll(addAll(Histogram{}, c.ByAI), c.ByHuman).Quantile(0.9)},
		Handoffs: HandoffFigures{total(c.Handoffs), orEmpty(c.Handoffs)}, Drafts: DraftFigures(c.Drafts), Blocked: BlockedFigures{c.Blocked, orEmpty(c.Codes)},
		Leads: LeadFigures{Opened: c.Leads.Opened, Won: c.Leads.Won, Lost: c.Leads.Lost},
	}
	for _, currency := range keys(c.Leads.Value) {
		if v := c.Leads.Value[currency].Float(); out.Leads.Currency == nil || v > out.Leads.ValueWon {
			out.Leads.ValueWon, out.Leads.Currency = v, &currency
		}
	}
	return out
}

func total(of map[string]int) (n int) {
	for _, x := range of {
		n += x
	}
	return n
}

func orEmpty(m map[string]int) map[string]int {
	if m == nil {
		return map[string]int{}
	}
	return m
}

func series(s *span, days map[string]*Counters) []Day {
	out := make([]Day, len(s.days))
	for i, date := range s.days {
		out[i] = Day{Date: date}
		if c := days[date]; c != nil {
			out[i] = Day{date, c.In, c.OutAI, c.OutHuman, total(c.Handoffs), c.Drafts.Created, c.Blocked, c.Leads.Opened, c.Leads.Won}
		}
	}
	return out
}
