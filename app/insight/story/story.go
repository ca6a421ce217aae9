// Package story writes prose about boards: a model does, and nothing of it is shown that is
// not proven against the figures of the board (package ai/narrative).
//
// It promises that what people read was true of the figures at the time that it names; that a
// text which is refused leaves the former one in its place, with the reason; that the same
// figures in the same language are never written about twice; and that a model reads figures
// and names of cases alone, no words of customers (contract 15.6).
package story

import (
	"time"

	"svc/ai/catalog"
	"svc/ai/narrative"
	"svc/app/api"
	"svc/app/api/perm"
	"svc/app/audit"
	"svc/app/engine/execution"
	"svc/app/insight/analysis"
	"svc/app/insight/board"
	"svc/app/seller/figure"
	"svc/store"
	"svc/store/queue"
)

// record is a narrative as it is kept: one for each board, scope, language and period.
type record struct {
	ID       string       `json:"id"`
	Board    board.Name   `json:"board"`
	Channel  string       `json:"channel,omitempty"`
	Business string       `json:"business,omitempty"`
	Locale   board.Locale `json:"locale"`
	Days     figure.Days  `json:"days"`
	Zone     string       `json:"zone"`

	Status board.Status `json:"status"`
	// Hash is that of the figures of which Text is true; "" without a text.
	Hash        string          `json:"hash,omitempty"`
	Text        *narrative.Text `json:"text,omitempty"`
	Links       []link          `json:"links,omitempty"`
	Demo        bool            `json:"demo,omitempty"`
	GeneratedAt time.Time       `json:"generated_at,omitzero"`
	ErrorCode   string          `json:"error_code,omitempty"` // of the last try, "" when it succeeded
	Cost        catalog.Nano    `json:"cost,omitempty"`
	AskedAt     time.Time       `json:"asked_at"`
}

type link struct {
	Part int        `json:"part"`
	Span board.Span `json:"span"`
}

var (
	table         = store.NewTable("insight_narrative", "nar", func(r *record) string { return r.ID })
	bySubject     = table.Unique("subject", func(r *record) store.Key { return r.key() })
	byAsked       = table.Index("asked", func(r *record) store.Key { return store.Time(r.AskedAt) })
	businessFacet = table.Facet("business", func(r *record) []string { return []string{r.Business} })
)

// Tables are what a store that holds narratives is opened with.
func Tables() []store.AnyTable { return []store.AnyTable{table} }

func (r *record) key() store.Key {
	return store.Tuple(store.Text(string(r.Board)), store.Text(r.Channel), store.Text(r.Business), store.Text(string(r.Locale)),
		store.Text(r.Days.Dates[0]), store.Text(r.Days.Dates[len(r.Days.Dates)-1]))
}

// transition is what happens to a narrative.
type transition string

const (
	wanted  transition = "asked for"
	written transition = "written and proven"
	refused transition = "refused"
)

// life is the life of a narrative. READY is shown as STALE once the figures changed.
var life = api.Table[board.Status, transition]{
	{From: []board.Status{"", board.Ready, board.Stale, board.Pending}, On: wanted, To: board.Pending},
	{From: []board.Status{board.Pending}, On: written, To: board.Ready},
	{From: []board.Status{board.Pending}, On: refused, To: board.Stale},
}

func (r *record) apply(on transition) error {
	to, ok := life.Next(r.Status, on)
	if !ok {
		return api.ErrState
	}
	r.Status = to
	return nil
}

// keptFor is how long a narrative is kept that nobody asks for again.
const keptFor = 180 * 24 * time.Hour

// Purge removes up to limit narratives that nobody asked for in half a year.
func Purge(tx *store.Tx, org string, limit int) (int, error) {
	list, _, err := byAsked.Walk(tx, org, store.Range{Span: store.During(time.Time{}, tx.DB().Now().Add(-keptFor)), Limit: limit})
	for i := range list {
		if err == nil {
			err = table.Delete(tx, org, list[i].ID)
		}
	}
	return len(list), err
}

// Service writes narratives.
type Service struct {
	db   *store.DB
	runs *execution.Service
}

// New makes the service. It starts nothing; see Work.
func New(db *store.DB, runs *execution.Service) *Service { return &Service{db, runs} }

// Endpoints are the operations of the package.
func (s *Service) Endpoints() []api.Endpoint {
	return []api.Endpoint{
		api.E("POST /ai/insights/boards/{board}/narrative", "insights.narrative", perm.AIOperate,
			"Have prose written about a board, in the background; 200 when there is some about the same figures.", s.create),
	}
}

// of is the record about a board, store.ErrNotFound for none.
func of(tx *store.Tx, org string, a *board.Ask) (record, error) {
	r := subject(a)
	return bySubject.Find(tx, org, r.key())
}

func subject(a *board.Ask) record {
	return record{Board: a.Board, Channel: a.Channel, Business: a.Business, Locale: a.Locale, Days: a.Days, Zone: a.Zone.String()}
}

// About is the narrative about a board as it is now: nil for none.
func About(tx *store.Tx, org string, b *board.Board) (*board.Narrative, error) {
	on, err := analysis.On(tx, org)
	if err != nil {
		return nil, err
	}
	r, err := of(tx, org, &b.Ask)
	if store.IsNotFound(err) {
		if !on {
			r = subject(&b.Ask)
			r.Status = board.Disabled
			return r.shown(), nil
		}
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	hash, err := b.Hash()
	if err != nil {
		return nil, err
	}
	switch {
	case !on:
		r.Status = board.Disabled
	case r.Status == board.Ready && r.Hash != hash:
		r.Status = board.Stale
	}
	return r.shown(), nil
}

func (r *record) shown() *board.Narrative {
	out := &board.Narrative{
		ID: api.Optional(r.ID), Status: r.Status, Locale: r.Locale, Period: board.Period{From: r.Days.From.UTC(), To: r.Days.To.UTC()}, Links: []board.Span{},
		Paragraphs: []board.Paragraph{}, Actions: []string{}, GeneratedAt: api.Optional(r.GeneratedAt), ErrorCode: api.Optional(r.ErrorCode), CostUSD: r.Cost.USD(), Demo: r.Demo,
	}
	if r.Text == nil {
		return out
	}
	out.Headline, out.Actions = &r.Text.Headline, append(out.Actions, r.Text.Actions...)
	for i, p := range r.Text.Paragraphs {
		x := board.Paragraph{Text: p.Text, Facts: append([]string{}, p.Facts...), Links: []board.Span{}}
		for _, l := range r.Links {
			if l.Part == i {
				x.Links = append(x.Links, l.Span)
			}
		}
		out.Paragraphs = append(out.Paragraphs, x)
	}
	for _, l := range r.Links {
		if l.Part < 0 {
			out.Links = append(out.Links, l.Span)
		}
	}
	return out
}

type createIn struct {
	Board board.Name `path:"board" enum:"BUSINESS_HEALTH,SALES_OUTCOMES,LOST_REASONS,HAPPINESS,DEMAND,SERVICE_QUALITY"`
	Body  struct {
		From       string       `json:"from" maxLength:"40" doc:"As in the board."`
		To         string       `json:"to" maxLength:"40"`
		Channel    *string      `json:"channel" enum:"MESSENGER,PHOTO_NETWORK,PAGE_NETWORK"`
		BusinessID *string      `json:"business_id" maxLength:"64"`
		Locale     board.Locale `json:"locale" required:"true" enum:"uz,ru,en"`
	}
}

func (in *createIn) ask(tx *store.Tx, c *api.Call) (board.Ask, error) {
	span := figure.SpanIn{From: in.Body.From, To: in.Body.To}
	channel := ""
	if in.Body.BusinessID != nil {
		span.BusinessID = *in.Body.BusinessID
	}
	if in.Body.Channel != nil {
		channel = *in.Body.Channel
	}
	return board.NewAsk(tx, c, in.Board, channel, in.Body.Locale, &span)
}

func (s *Service) create(c *api.Call, in createIn) (out api.MaybeAccepted[board.Narrative], err error) {
	err = s.db.Update(c, func(tx *store.Tx) error {
		a, err := in.ask(tx, c)
		if err != nil {
			return err
		}
		b, err := board.Build(tx, c.Org, a)
		if err != nil {
			return err
		}
		now, err := About(tx, c.Org, b)
		if err != nil {
			return err
		}
		if now != nil && (now.Status == board.Ready || now.Status == board.Disabled) {
			out = api.MaybeAccepted[board.Narrative]{Value: *now}
			return nil
		}
		r, err := want(tx, c, &a)
		out = api.MaybeAccepted[board.Narrative]{Later: true, Value: *r.shown()}
		return err
	})
	return out, err
}

// want asks for a narrative, once.
func want(tx *store.Tx, c *api.Call, a *board.Ask) (r record, err error) {
	if r, err = of(tx, c.Org, a); store.IsNotFound(err) {
		r, err = subject(a), nil
		r.ID = tx.DB().NewID("nar")
	}
	if err != nil || r.Status == board.Pending {
		return r, err
	}
	if err := r.apply(wanted); err != nil {
		return r, err
	}
	r.AskedAt = c.Now
	if err := table.Put(tx, c.Org, &r); err != nil {
		return r, err
	}
	if _, err := queue.Add(tx, writing{c.Org, r.ID}, time.Time{}, queue.Once(r.ID), queue.For(c.Org, r.ID), queue.Attempts(tries)); err != nil {
		return r, err
	}
	return r, audit.Write(tx, c, "narrative.requested", audit.On("narrative", r.ID, string(r.Board)), audit.Changed("locale", nil, r.Locale))
}

const (
	tries      = 3
	writeTime  = 4 * time.Minute
	textTokens = 1500
	maxText    = 6000 // bytes
)

// The codes of narratives that were refused.
const (
	ungrounded    execution.Failure = "ungrounded"
	wrongLanguage execution.Failure = "wrong_language"
	invalidOutput execution.Failure = "invalid_output"
)

// ForgetBusiness removes up to limit narratives of a business that is gone, and says how many
// there were.
func ForgetBusiness(tx *store.Tx, org, id string, limit int) (int, error) {
	page, err := table.Page(tx, org, store.Query[record]{Where: []store.Cond[record]{businessFacet.Any(id)}, Limit: limit})
	for i := range page.Data {
		if err == nil {
			err = table.Delete(tx, org, page.Data[i].ID)
		}
	}
	return len(page.Data), err
}
