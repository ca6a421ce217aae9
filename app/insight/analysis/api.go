package analysis

import (
	"time"

	"svc/app/api"
	"svc/app/api/perm"
	"svc/app/audit"
	"svc/app/business"
	"svc/app/engine/budget"
	"svc/app/engine/provider"
	"svc/app/inbox/conversation"
	"svc/app/insight/cases"
	"svc/app/insight/dimension"
	"svc/app/seller/lead"
	"svc/app/seller/memory"
	"svc/store"
)

// Endpoints are the operations of the package.
func (s *Service) Endpoints() []api.Endpoint {
	queued := []api.Option{api.Status(202), api.Errors(api.ErrState)}
	return []api.Endpoint{
		api.E("GET /ai/conversations/{id}/insights", "conversations.insights", perm.AIRead, "Read what is known about a conversation: its lead, memory and analysis.", api.Read(s.db, s.insights)),
		api.E("POST /ai/conversations/{id}/analyze", "conversations.analyze", perm.AIOperate, "Analyse a conversation now, in the background.", s.refresh, queued...),
		api.E("GET /ai/conversations/{id}/analysis", "analysis.get", perm.AIRead, "Read the analysis of a conversation.", s.get),
		api.E("POST /ai/conversations/{id}/analysis/refresh", "analysis.refresh", perm.AIOperate, "Analyse a conversation anew, in the background.", s.refresh, queued...),
		api.E("POST /ai/conversations/{id}/analysis/explain", "analysis.explain", perm.AIOperate, "Ask a model why a conversation has its case in a dimension.", s.explain,
			api.Timeout(time.Minute), api.Errors(api.ErrState, budget.Err, provider.ErrUnavailable)),
		api.E("PUT /ai/conversations/{id}/cases/{dimension}", "analysis.correct", perm.AIOperate, "Say which case a conversation has; no machine changes that.", s.correct, api.Errors(api.ErrState)),
	}
}

// ShownChoice is the case of a conversation in a dimension.
type ShownChoice struct {
	Dimension   dimension.Dimension `json:"dimension" enum:"PURCHASE_OUTCOME,LOST_REASON,DISSATISFACTION,DEMAND,SERVICE_QUALITY"`
	CaseID      *string             `json:"case_id" doc:"null: unclear."`
	CaseName    *cases.Names        `json:"case_name"`
	Probability float64             `json:"probability" doc:"How sure the machine was; 1 for a person's choice."`
	Source      By                  `json:"source" enum:"MODEL,HUMAN"`
	CorrectedBy *api.Named          `json:"corrected_by"`
	Note        *string             `json:"note"`
}

// ShownFlag is how likely something is.
type ShownFlag struct {
	Probability float64 `json:"probability"`
	Value       bool    `json:"value" doc:"From a probability of 0.6 on."`
}

// ShownScores are the marks; null where the conversation does not say.
type ShownScores struct {
	Satisfaction   *int `json:"satisfaction" doc:"1 to 5."`
	Sentiment      *int `json:"sentiment" doc:"1 to 5."`
	PurchaseIntent *int `json:"purchase_intent" doc:"0 to 4."`
	Urgency        *int `json:"urgency" doc:"0 to 3."`
	Trust          *int `json:"trust" doc:"0 to 3."`
}

// ShownFlags are the flags.
type ShownFlags struct {
	Complaint           ShownFlag `json:"complaint"`
	ChurnRisk           ShownFlag `json:"churn_risk"`
	PriceObjection      ShownFlag `json:"price_objection"`
	CompetitorMentioned ShownFlag `json:"competitor_mentioned"`
	UnansweredQuestion  ShownFlag `json:"unanswered_question"`
}

// Shown is an analysis as the API answers it (contract 15.3).
type Shown struct {
	ConversationID string        `json:"conversation_id"`
	BusinessID     string        `json:"business_id"`
	Phase          Phase         `json:"phase" enum:"LIVE,FINAL"`
	Mode           Mode          `json:"analysis_mode" enum:"JEV,LLM,OFF" doc:"OFF: conversations are not analysed any more; this is the last one."`
	Dimensions     []ShownChoice `json:"dimensions" nullable:"false"`
	Scores         ShownScores   `json:"scores"`
	Flags          ShownFlags    `json:"flags"`
	Summary        *string       `json:"summary"`
	Demo           bool          `json:"demo" doc:"The demo model found it, in whole or in part; show it as Demo."`
	SummaryDemo    bool          `json:"summary_demo" doc:"The demo model wrote the summary."`
	Explanation    []Explanation `json:"explanation" nullable:"false"`
	Messages       int           `json:"messages_analyzed"`
	AnalysedAt     time.Time     `json:"analyzed_at"`
	Stale          bool          `json:"stale" doc:"The customer wrote since."`
	ErrorCode      *string       `json:"error_code" doc:"Why the last try failed; this is the analysis before it."`
}

// shown is the analysis of a conversation; store.ErrNotFound when there is none yet.
func shown(tx *store.Tx, org string, k *conversation.Conversation) (out Shown, err error) {
	r, err := table.Get(tx, org, k.ID)
	if err != nil {
		return out, err
	}
	if !r.analysed() || k.Personal {
		return out, store.ErrNotFound
	}
	w, err := r.open(tx.DB(), org)
	if err != nil {
		return out, err
	}
	book, err := cases.Load(tx, org, r.caseIDs())
	if err != nil {
		return out, err
	}
	on, err := On(tx, org)
	if err != nil {
		return out, err
	}
	out = Shown{
		ConversationID: r.ID, BusinessID: r.Business, Phase: r.Phase, Mode: r.Mode, Dimensions: []ShownChoice{}, Scores: r.shownScores(), Flags: r.shownFlags(),
		Summary: api.Optional(w.Summary), Demo: r.Demo, SummaryDemo: w.SummaryDemo, Explanation: append([]Explanation{}, w.Explanations...), Messages: r.Messages, AnalysedAt: r.AnalysedAt,
		Stale: k.LastInAt.After(r.UpTo), ErrorCode: api.Optional(r.ErrorCode),
	}
	if !on {
		out.Mode = Off
	}
	for _, d := range dimension.OfConversations {
		if c, ok := r.Choices[d]; ok {
			out.Dimensions = append(out.Dimensions, c.shown(org, d, book))
		}
	}
	return out, nil
}

func (c *Choice) shown(org string, d dimension.Dimension, book cases.Book) ShownChoice {
	out := ShownChoice{Dimension: d, Probability: c.Probability, Source: c.By, CorrectedBy: api.Ref(org, c.User), Note: api.Optional(c.Note)}
	if id := book.Counts(c.Case); id != "" {
		out.CaseID, out.CaseName = &id, &book[id].Name
	}
	return out
}

func (r *Row) shownScores() ShownScores {
	of := func(s dimension.Score) *int {
		if mark, ok := r.Scores[s]; ok {
			return &mark
		}
		return nil
	}
	return ShownScores{of(dimension.Satisfaction), of(dimension.Sentiment), of(dimension.PurchaseIntent), of(dimension.Urgency), of(dimension.Trust)}
}

func (r *Row) shownFlags() ShownFlags {
	of := func(f dimension.Flag) ShownFlag { return ShownFlag{r.Flags[f], r.Flags[f] >= dimension.LeastTrue} }
	return ShownFlags{of(dimension.Complaint), of(dimension.ChurnRisk), of(dimension.PriceObjection), of(dimension.CompetitorMentioned), of(dimension.UnansweredQuestion)}
}

type idIn struct {
	ID string `path:"id" maxLength:"64"`
}

func (s *Service) get(c *api.Call, in idIn) (out Shown, err error) {
	err = s.db.View(c, func(tx *store.Tx) error {
		k, err := conversation.GetVisible(tx, c, in.ID)
		if err != nil {
			return err
		}
		out, err = shown(tx, c.Org, &k)
		return err
	})
	return out, err
}

// Queued is the answer of an analysis that was asked for.
type Queued struct {
	Status string `json:"status" enum:"QUEUED"`
}

func (s *Service) refresh(c *api.Call, in idIn) (out Queued, err error) {
	out.Status = "QUEUED"
	return out, s.db.Update(c, func(tx *store.Tx) error {
		k, err := visible(tx, c, in.ID)
		if err != nil {
			return err
		}
		if err := ask(tx, c.Org, k.ID, asked, tx.DB().Now()); err != nil {
			return err
		}
		return audit.Write(tx, c, "analysis.requested", k.Resource())
	})
}

// visible is a conversation that may be analysed.
func visible(tx *store.Tx, c *api.Call, id string) (k conversation.Conversation, err error) {
	if k, err = conversation.GetVisible(tx, c, id); err != nil {
		return k, err
	}
	if err := Allowed(tx, c.Org); err != nil {
		return k, err
	}
	if k.Personal {
		return k, api.ErrState.WithMessage("A personal chat is not analysed.")
	}
	ids, err := business.IDsOf(tx, c.Org, []string{k.AccountID})
	if err == nil && ids[k.AccountID] == "" {
		return k, errUnmapped
	}
	return k, err
}

// Known is what is known about a conversation.
type Known struct {
	Summary *string `json:"summary" doc:"What it is about: of the analysis, else of the seller."`
	// SummaryDemo is about Summary, wherever it is from.
	SummaryDemo bool       `json:"summary_demo" doc:"The demo model wrote the summary; show it as Demo."`
	NextStep    *string    `json:"next_step"`
	Stage       *string    `json:"stage"`
	Lead        *KnownLead `json:"lead"`
	Memory      []Fact     `json:"memory" nullable:"false" doc:"What the customer said of themselves that lasts."`
	Analysis    *Shown     `json:"analysis" doc:"null while there is none."`
	Mode        *string    `json:"analysis_mode" enum:"JEV,LLM,OFF" doc:"That of the analysis; OFF where conversations are not analysed."`
}

// KnownLead is what a conversation may become.
type KnownLead struct {
	ID      string  `json:"id"`
	Quality string  `json:"quality" enum:"cold,warm,hot"`
	Status  string  `json:"status" enum:"OPEN,WON,LOST"`
	Stage   *string `json:"stage"`
}

// Fact is something that a customer said of themselves.
type Fact struct {
	ID         string  `json:"id"`
	Key        string  `json:"key"`
	Value      string  `json:"value"`
	Confidence float64 `json:"confidence"`
}

func (s *Service) insights(c *api.Call, tx *store.Tx, in idIn) (out Known, err error) {
	out = Known{Memory: []Fact{}}
	k, err := conversation.GetVisible(tx, c, in.ID)
	if err != nil {
		return out, err
	}
	if out.Stage = api.Optional(k.Stage); k.Personal {
		return out, nil
	}
	if err := out.selling(tx, c.Org, &k); err != nil {
		return out, err
	}
	err = out.analysis(tx, c.Org, &k)
	return out, err
}

// analysis fills what the analysis says; its summary goes before that of the seller.
func (o *Known) analysis(tx *store.Tx, org string, k *conversation.Conversation) error {
	on, err := On(tx, org)
	if err != nil {
		return err
	}
	if !on {
		o.Mode = api.Optional(string(Off))
	}
	a, err := shown(tx, org, k)
	if err != nil {
		return store.IgnoreNotFound(err)
	}
	if o.Analysis, o.Mode = &a, api.Optional(string(a.Mode)); a.Summary != nil {
		o.Summary, o.SummaryDemo = a.Summary, a.SummaryDemo
	}
	return nil
}

// selling adds what the seller knows.
func (o *Known) selling(tx *store.Tx, org string, k *conversation.Conversation) error {
	l, found, err := lead.Newest(tx, org, k.ID)
	if err != nil {
		return err
	}
	if found {
		step, err := l.Next(tx.DB(), org)
		if err != nil {
			return err
		}
		o.Lead, o.NextStep = &KnownLead{l.ID, string(l.Quality), string(l.Status), api.Optional(l.Stage)}, api.Optional(step)
	}
	facts, err := memory.Known(tx, org, k.ID)
	if err != nil {
		return err
	}
	for _, f := range facts {
		o.Memory = append(o.Memory, Fact{f.ID, string(f.Key), f.Value, f.Confidence})
	}
	text, demo, err := memory.Summary(tx, org, k.ID)
	o.Summary, o.SummaryDemo = api.Optional(text), demo
	return err
}

type correctIn struct {
	ID        string              `path:"id" maxLength:"64"`
	Dimension dimension.Dimension `path:"dimension" enum:"PURCHASE_OUTCOME,LOST_REASON,DISSATISFACTION,DEMAND,SERVICE_QUALITY"`
	Body      struct {
		CaseID *string `json:"case_id" required:"true" nullable:"true" maxLength:"64" doc:"null: unclear."`
		Note   *string `json:"note" maxLength:"500"`
	}
}

func (s *Service) correct(c *api.Call, in correctIn) (out Shown, err error) {
	err = s.db.Update(c, func(tx *store.Tx) error {
		k, err := conversation.GetVisible(tx, c, in.ID)
		if err != nil {
			return err
		}
		if err := correct(tx, c, &k, &in); err != nil {
			return err
		}
		out, err = shown(tx, c.Org, &k)
		return err
	})
	return out, err
}

// correct stores a person's choice.
func correct(tx *store.Tx, c *api.Call, k *conversation.Conversation, in *correctIn) error {
	choice := Choice{Probability: 1, By: Person, User: c.Caller.ID}
	if in.Body.Note != nil {
		choice.Note = *in.Body.Note
	}
	x := cases.Case{Dimension: in.Dimension, Status: cases.Active}
	noCase := api.Wrong("case_id", "is no active case of the dimension")
	if in.Body.CaseID != nil {
		var err error
		if x, err = cases.Get(tx, c.Org, *in.Body.CaseID); store.IsNotFound(err) {
			return noCase
		} else if err != nil {
			return err
		}
		choice.Case = x.ID
	}
	before, err := table.Get(tx, c.Org, k.ID)
	if store.IgnoreNotFound(err) != nil {
		return err
	}
	if err != nil || !before.analysed() {
		return api.ErrState.WithMessage("The conversation was not analysed yet; analyse it first.")
	}
	if x.Dimension != in.Dimension || x.Status != cases.Active || x.Business != before.Business && x.ID != "" {
		return noCase
	}
	r := before
	r.Choices = map[dimension.Dimension]Choice{}
	for d, x := range before.Choices {
		r.Choices[d] = x
	}
	r.Choices[in.Dimension] = choice
	if err := r.dropExplanation(tx, c.Org, in.Dimension, before.Choices[in.Dimension].Case != choice.Case); err != nil {
		return err
	}
	if err := save(tx, c.Org, &before, &r); err != nil {
		return err
	}
	err = audit.Write(tx, c, "analysis.corrected", k.Resource(), audit.Changed(string(in.Dimension), before.Choices[in.Dimension].Case, choice.Case))
	if err != nil {
		return err
	}
	return emit(tx, c.Org, k, r.Phase, []dimension.Dimension{})
}
