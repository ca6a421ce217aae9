package board

import (
	"time"
	"unicode/utf8"

	"svc/app/api"
	"svc/app/api/perm"
	"svc/app/inbox/conversation"
	"svc/app/insight/analysis"
	"svc/app/insight/cases"
	"svc/app/insight/dimension"
	"svc/store"
)

// Status is where a narrative is (contract 60.58). Disabled is shown and never kept.
type Status string

// The statuses.
const (
	Pending  Status = "PENDING"
	Ready    Status = "READY"
	Stale    Status = "STALE"
	Disabled Status = "DISABLED"
)

// Span is where a text speaks of a metric, in UTF-16 units.
type Span struct {
	Start  int    `json:"start"`
	End    int    `json:"end"`
	Metric string `json:"metric" example:"satisfaction"`
}

// Paragraph is a part of a narrative.
type Paragraph struct {
	Text  string   `json:"text"`
	Facts []string `json:"facts" nullable:"false" doc:"Keys of the metrics that it speaks of; those of cases begin with case:."`
	Links []Span   `json:"links" nullable:"false" doc:"Its numbers, each with the metric that it is of."`
}

// Narrative is prose about a board whose every number is proven against it (contract 15.6).
type Narrative struct {
	ID          *string     `json:"id"`
	Status      Status      `json:"status" enum:"PENDING,READY,STALE,DISABLED" doc:"STALE: the figures changed since, or error_code says why there is no newer one."`
	Locale      Locale      `json:"locale" enum:"uz,ru,en"`
	Period      Period      `json:"period"`
	Headline    *string     `json:"headline"`
	Links       []Span      `json:"headline_links" nullable:"false"`
	Paragraphs  []Paragraph `json:"paragraphs" nullable:"false"`
	Actions     []string    `json:"actions" nullable:"false" doc:"Proposals."`
	GeneratedAt *time.Time  `json:"generated_at"`
	ErrorCode   *string     `json:"error_code" doc:"ungrounded, wrong_language, invalid_output, ai_unavailable, budget_exceeded."`
	CostUSD     float64     `json:"cost_usd"`
	Demo        bool        `json:"demo" doc:"The demo model wrote it."`
}

// Period are the days of a narrative; to is exclusive.
type Period struct {
	From time.Time `json:"from"`
	To   time.Time `json:"to"`
}

// Shown is a board as the API answers it.
type Shown struct {
	Board         Name                `json:"board" enum:"BUSINESS_HEALTH,SALES_OUTCOMES,LOST_REASONS,HAPPINESS,DEMAND,SERVICE_QUALITY"`
	Dimension     dimension.Dimension `json:"dimension" enum:"PURCHASE_OUTCOME,LOST_REASON,DISSATISFACTION,DEMAND,SERVICE_QUALITY" doc:"That of items."`
	From          time.Time           `json:"from"`
	To            time.Time           `json:"to" doc:"Exclusive."`
	Timezone      string              `json:"timezone" example:"Asia/Tashkent"`
	Channel       *string             `json:"channel" enum:"MESSENGER,PHOTO_NETWORK,PAGE_NETWORK"`
	BusinessID    *string             `json:"business_id"`
	Business      *api.Named          `json:"business"`
	Locale        Locale              `json:"locale" enum:"uz,ru,en"`
	Conversations int                 `json:"conversations" doc:"Whose customer wrote last in the period."`
	Coverage      float64             `json:"coverage" doc:"Which part of them was analysed, 0 to 1."`
	Metrics       []Metric            `json:"metrics" nullable:"false"`
	Items         []Item              `json:"items" nullable:"false"`
	Series        []Day               `json:"series" nullable:"false"`
	Scores        Scores              `json:"scores"`
	Narrative     *Narrative          `json:"narrative"`
}

// Service does the operations of the package.
type Service struct {
	db *store.DB
	// story is the prose about a board, nil for none.
	story func(tx *store.Tx, org string, b *Board) (*Narrative, error)
}

// New makes the service.
func New(db *store.DB, story func(tx *store.Tx, org string, b *Board) (*Narrative, error)) *Service {
	return &Service{db, story}
}

// Endpoints are the operations of the package.
func (s *Service) Endpoints() []api.Endpoint {
	return []api.Endpoint{
		api.E("GET /ai/insights/boards/{board}", "insights.board", perm.AIRead, "Read a board, or export its figures as CSV.", s.get),
		api.E("GET /ai/insights/boards/{board}/cases/{case_id}/conversations", "insights.conversations", perm.AIRead,
			"List the conversations that a row of a board counts, those whose customer wrote last first.", s.conversations),
	}
}

type getIn struct {
	In
	Locale Locale `query:"locale" enum:"uz,ru,en" doc:"The organization's when left out."`
	Format string `query:"format" enum:"json,csv" default:"json"`
}

func (s *Service) get(c *api.Call, in getIn) (out api.Either[Shown], err error) {
	var b *Board
	var prose *Narrative
	err = s.db.View(c, func(tx *store.Tx) error {
		a, err := in.Ask(tx, c, in.Locale)
		if err != nil {
			return err
		}
		if b, err = Build(tx, c.Org, a); err != nil || in.Format == "csv" {
			return err
		}
		prose, err = s.story(tx, c.Org, b)
		return err
	})
	if err != nil {
		return out, err
	}
	if in.Format == "csv" {
		return api.Streamed[Shown](b.csv()), nil
	}
	return api.Whole(b.shown(c.Org, prose)), nil
}

func (b *Board) shown(org string, prose *Narrative) Shown {
	return Shown{
		Board: b.Ask.Board, Dimension: b.Dimension, From: b.From.UTC(), To: b.To.UTC(), Timezone: b.Zone.String(), Channel: api.Optional(b.Ask.Channel),
		BusinessID: api.Optional(b.Ask.Business), Business: api.Ref(org, b.Ask.Business), Locale: b.Locale, Conversations: b.Conversations, Coverage: b.Coverage,
		Metrics: b.Metrics, Items: b.Items, Series: b.Series, Scores: b.Scores, Narrative: prose,
	}
}

// csv are the figures of the board as a table.
func (b *Board) csv() api.Text {
	return b.CSV(string(b.Ask.Board), func(yield func(string, map[string]*float64) bool) {
		for _, d := range b.Series {
			if !yield(d.Date, d.Values) {
				return
			}
		}
	})
}

type conversationsIn struct {
	api.PageIn
	In
	CaseID string `path:"case_id" maxLength:"64" doc:"A case, or UNCLEAR for conversations without one."`
}

// Row is a conversation that a board counts.
type Row struct {
	ConversationID string    `json:"conversation_id"`
	ContactName    string    `json:"contact_name"`
	Channel        string    `json:"channel" enum:"MESSENGER,PHOTO_NETWORK,PAGE_NETWORK"`
	Probability    float64   `json:"probability"`
	AnalysedAt     time.Time `json:"analyzed_at"`
	LastMessage    *Last     `json:"last_message"`
}

// Last is the last message of a conversation.
type Last struct {
	Author string    `json:"author" enum:"CUSTOMER,AI,HUMAN,OWNER_PHONE"`
	Kind   string    `json:"kind"`
	Text   string    `json:"text" doc:"Its first 80 characters."`
	At     time.Time `json:"at"`
}

func (s *Service) conversations(c *api.Call, in conversationsIn) (out api.Page[Row], err error) {
	err = s.db.View(c, func(tx *store.Tx) error {
		a, err := in.Ask(tx, c, English)
		if err != nil {
			return err
		}
		f := analysis.Filter{Dimension: kinds[a.Board].dimension, Unclear: in.CaseID == dimension.Unclear, Days: a.Days.Dates, Business: a.Business, Channel: a.Channel}
		if !f.Unclear {
			if f.Cases, err = counted(tx, c.Org, in.CaseID, f.Dimension); err != nil {
				return err
			}
		}
		page, err := analysis.Find(tx, c.Org, &f, store.Query[analysis.Row]{Offset: in.Offset, Limit: in.Limit, After: in.Behind()})
		if err != nil {
			return err
		}
		out, err = api.ShowPage(page, in.PageIn, func(r *analysis.Row) (Row, error) { return shownRow(tx, c.Org, r, f.Dimension) })
		return err
	})
	return out, err
}

// counted are the cases that a row of a board counts: a case of its dimension with what was
// merged into it.
func counted(tx *store.Tx, org, id string, d dimension.Dimension) ([]string, error) {
	k, err := cases.Get(tx, org, id)
	if err != nil {
		return nil, err
	}
	if k.Dimension != d {
		return nil, store.ErrNotFound
	}
	return cases.Including(tx, org, id)
}

const shownText = 80 // characters

func shownRow(tx *store.Tx, org string, r *analysis.Row, d dimension.Dimension) (out Row, err error) {
	k, err := conversation.Get(tx, org, r.ID)
	if err != nil {
		return out, err
	}
	out = Row{ConversationID: k.ID, ContactName: k.Name(), Channel: string(k.Channel), Probability: r.Of(d), AnalysedAt: r.AnalysedAt}
	list, err := conversation.Newest(tx, org, []conversation.Conversation{k})
	if err != nil || len(list) == 0 || list[0] == nil {
		return out, err
	}
	m := list[0]
	content, err := m.Open(tx.DB(), org)
	if err != nil {
		return out, err
	}
	text := content.Text
	if utf8.RuneCountInString(text) > shownText {
		text = string([]rune(text)[:shownText])
	}
	out.LastMessage = &Last{string(m.Author), string(m.Kind), text, m.At}
	return out, nil
}
