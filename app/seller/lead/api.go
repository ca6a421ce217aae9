package lead

import (
	"cmp"
	"maps"
	"slices"
	"strings"
	"time"

	"svc/app/api"
	"svc/app/api/perm"
	"svc/app/business"
	"svc/app/business/price"
	"svc/app/inbox"
	"svc/store"
)

// Service does the operations.
type Service struct{ db *store.DB }

// New makes the service.
func New(db *store.DB) *Service { return &Service{db} }

// Endpoints are the operations of this package.
func (s *Service) Endpoints() []api.Endpoint {
	return []api.Endpoint{
		api.E("GET /ai/leads", "leads.list", perm.AIRead, "List what conversations may become.", api.Read(s.db, s.list)),
		api.E("GET /ai/sales-pipeline", "ai.sales_pipeline", perm.AIRead, "Read how many leads each stage of the funnels has, and what they are worth.", api.Read(s.db, s.pipeline)),
	}
}

// Shown is a lead as the API answers it (contract 13.2).
type Shown struct {
	ID             string        `json:"id"`
	ConversationID string        `json:"conversation_id"`
	Conversation   *api.Named    `json:"conversation"`
	BusinessID     string        `json:"business_id"`
	Business       *api.Named    `json:"business"`
	FunnelID       *string       `json:"funnel_id"`
	Funnel         *api.Named    `json:"funnel"`
	Stage          *string       `json:"stage" example:"INTERESTED"`
	StageName      *string       `json:"stage_name"`
	Quality        Quality       `json:"quality" enum:"cold,warm,hot"`
	Interest       *Interest     `json:"interest" enum:"NONE,LOW,MEDIUM,HIGH"`
	OfferIDs       []string      `json:"offer_ids" nullable:"false"`
	Offers         []*api.Named  `json:"offers" nullable:"false"`
	Status         Status        `json:"status" enum:"OPEN,WON,LOST"`
	Value          *price.Amount `json:"value_estimate" doc:"The sum of the lowest prices of the offers."`
	Currency       *string       `json:"currency"`
	NextStep       *string       `json:"next_step"`
	OpenedAt       time.Time     `json:"opened_at"`
	ClosedAt       *time.Time    `json:"closed_at"`
	UpdatedAt      time.Time     `json:"updated_at"`
}

func (l *Lead) shown(tx *store.Tx, org string, stageName string) (Shown, error) {
	step, err := l.Next(tx.DB(), org)
	out := Shown{
		ID: l.ID, ConversationID: l.Conversation, Conversation: api.Ref(org, l.Conversation), BusinessID: l.Business, Business: api.Ref(org, l.Business),
		FunnelID: api.Optional(l.Funnel), Funnel: api.Ref(org, l.Funnel), Stage: api.Optional(l.Stage), StageName: api.Optional(stageName), Quality: l.Quality,
		Interest: api.Optional(l.Interest), OfferIDs: append([]string{}, l.Offers...), Offers: api.Refs(org, l.Offers), Status: l.Status,
		Currency: api.Optional(l.Currency), NextStep: api.Optional(step), OpenedAt: l.OpenedAt, ClosedAt: api.Optional(l.ClosedAt), UpdatedAt: l.UpdatedAt,
	}
	if l.Currency != "" {
		out.Value = &l.Value
	}
	return out, err
}

type listIn struct {
	api.PageIn
	BusinessID string   `query:"business_id" maxLength:"64"`
	FunnelID   string   `query:"funnel_id" maxLength:"64"`
	Stage      string   `query:"stage" maxLength:"64"`
	Status     Status   `query:"status" enum:"OPEN,WON,LOST"`
	Quality    Quality  `query:"quality" enum:"cold,warm,hot"`
	Interest   Interest `query:"interest" enum:"NONE,LOW,MEDIUM,HIGH"`
	Sort       string   `query:"sort" enum:"opened_at,-opened_at,updated_at,-updated_at,value_estimate,-value_estimate" default:"-opened_at"`
}

func (in *listIn) query() store.Query[Lead] {
	q := store.Query[Lead]{Offset: in.Offset, Limit: in.Limit, After: in.Behind()}
	for _, f := range []struct {
		facet *store.Facet[Lead]
		value string
	}{
		{businessFacet, in.BusinessID}, {funnelFacet, in.FunnelID}, {stageFacet, in.Stage}, {statusFacet, string(in.Status)},
		{qualityFacet, string(in.Quality)}, {interestFacet, string(in.Interest)},
	} {
		if f.value != "" {
			q.Where = append(q.Where, f.facet.Any(f.value))
		}
	}
	by, down := strings.CutPrefix(in.Sort, "-")
	q.Sort, q.Reverse = map[string]*store.Index[Lead]{"opened_at": byOpened, "updated_at": byUpdated, "value_estimate": byValue}[by], down
	return q
}

func (s *Service) list(c *api.Call, tx *store.Tx, in listIn) (out api.Page[Shown], err error) {
	page, err := leads.Page(tx, c.Org, in.query())
	if err != nil {
		return out, err
	}
	rows := make([]Shown, len(page.Data))
	funnels := map[string]business.Funnel{}
	for i := range page.Data {
		l := &page.Data[i]
		f, known := funnels[l.Funnel]
		if !known && l.Funnel != "" {
			if f, err = business.FunnelOf(tx, c.Org, l.Business, l.Funnel); store.IgnoreNotFound(err) != nil {
				return out, err
			}
			funnels[l.Funnel] = f
		}
		_, stage, _ := f.Stage(l.Stage)
		if rows[i], err = l.shown(tx, c.Org, stage.Name); err != nil {
			return out, err
		}
	}
	return api.NewPage(rows, page.Total, in.PageIn, page.Next), nil
}

type pipelineIn struct {
	BusinessID string `query:"business_id" maxLength:"64" doc:"One business."`
	Currency   string `query:"currency" pattern:"^[A-Z]{3}$" doc:"In which values are; that of most open leads when left out."`
}

// Pipeline is the answer of GET /ai/sales-pipeline.
type Pipeline struct {
	Data       []FunnelRow `json:"data" nullable:"false" doc:"The default funnel of each business, and others that have leads."`
	Currency   *string     `json:"currency" doc:"In which values are; null while no lead has a value."`
	Currencies []string    `json:"currencies" nullable:"false" doc:"All in which open leads have a value."`
}

// FunnelRow is a funnel with its stages.
type FunnelRow struct {
	BusinessID string     `json:"business_id"`
	Business   *api.Named `json:"business"`
	FunnelID   string     `json:"funnel_id"`
	Funnel     *api.Named `json:"funnel"`
	Stages     []StageRow `json:"stages" nullable:"false"`
}

// StageRow is what a stage holds.
type StageRow struct {
	Key        string       `json:"key"`
	Name       string       `json:"name"`
	Open       int          `json:"open"`
	Won        int          `json:"won"`
	Lost       int          `json:"lost"`
	ValueOpen  price.Amount `json:"value_open" doc:"Of open leads, in the currency."`
	OldestDays *int         `json:"oldest_open_days" doc:"For how many days its oldest open lead is open; null without one."`
}

func (s *Service) pipeline(c *api.Call, tx *store.Tx, in pipelineIn) (out Pipeline, err error) {
	counts, err := currencies.Counts(tx, c.Org)
	if err != nil {
		return out, err
	}
	currency := cmp.Or(in.Currency, usual(counts))
	out = Pipeline{Data: []FunnelRow{}, Currencies: append([]string{}, slices.Sorted(maps.Keys(counts))...), Currency: api.Optional(currency)}
	list, err := business.FunnelsOf(tx, c.Org, in.BusinessID)
	if err != nil {
		return out, err
	}
	for i := range list {
		f := &list[i]
		row, held, err := stagesOf(tx, c.Org, f, currency, c.Now)
		if err != nil {
			return out, err
		}
		if f.IsDefault || held {
			out.Data = append(out.Data, FunnelRow{f.BusinessID, api.Ref(c.Org, f.BusinessID), f.ID, api.Ref(c.Org, f.ID), row})
		}
	}
	return out, nil
}

// stagesOf reads what the stages of a funnel hold; held says whether it is anything.
func stagesOf(tx *store.Tx, org string, f *business.Funnel, currency string, now time.Time) (rows []StageRow, held bool, err error) {
	ids := make([]string, len(f.Stages))
	for i := range f.Stages {
		ids[i] = sumID(f.ID, f.Stages[i].Key)
	}
	list, err := sums.GetMany(tx, org, ids)
	if err != nil {
		return nil, false, err
	}
	rows = make([]StageRow, len(list))
	for i, s := range list {
		rows[i] = StageRow{Key: f.Stages[i].Key, Name: f.Stages[i].Name}
		if s == nil {
			continue
		}
		rows[i].Open, rows[i].Won, rows[i].Lost, rows[i].ValueOpen = s.Open, s.Won, s.Lost, s.Value[currency]
		held = held || s.Open+s.Won+s.Lost > 0
		if s.Open == 0 {
			continue
		}
		oldest, err := openIn.First(tx, org, store.Is(store.Tuple(store.Text(f.ID), store.Text(rows[i].Key))))
		if err != nil {
			return nil, false, err
		}
		days := oldest.age(now)
		rows[i].OldestDays = &days
	}
	return rows, held, nil
}

// InInbox are the leads of conversations, the newest of each, for the inbox.
func InInbox(tx *store.Tx, org string, conversations []string) (map[string]inbox.Lead, error) {
	out := map[string]inbox.Lead{}
	for _, id := range conversations {
		l, err := ofConversation.Last(tx, org, store.Is(store.Text(id)))
		if store.IsNotFound(err) {
			continue
		}
		if err != nil {
			return nil, err
		}
		out[id] = inbox.Lead{ID: l.ID, Quality: string(l.Quality), Status: string(l.Status)}
	}
	return out, nil
}

// usual is the currency of most leads, the first by name of those; "" when there is none.
func usual(counts map[string]int) string {
	if len(counts) == 0 {
		return ""
	}
	return slices.MaxFunc(slices.Sorted(maps.Keys(counts)), func(a, b string) int { return cmp.Compare(counts[a], counts[b]) })
}
