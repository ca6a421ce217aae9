package business

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"time"

	"svc/app/api"
	"svc/app/audit"
	"svc/app/business/texts"
	"svc/app/signal"
	"svc/store"
)

// Action is something that the seller does in a reply (contract 11.3).
type Action string

// The actions.
const (
	Greet           Action = "GREET"
	AskQuestion     Action = "ASK_QUESTION"
	Answer          Action = "ANSWER"
	PresentOffer    Action = "PRESENT_OFFER"
	QuotePrice      Action = "QUOTE_PRICE"
	HandleObjection Action = "HANDLE_OBJECTION"
	ProposeBooking  Action = "PROPOSE_BOOKING"
	SendFile        Action = "SEND_FILE"
	AskContact      Action = "ASK_CONTACT"
	Close           Action = "CLOSE"
	FollowUp        Action = "FOLLOW_UP"
	HandOff         Action = "HANDOFF"
)

// Stage is one step of a funnel.
type Stage struct {
	Key        string   `json:"key" maxLength:"40" example:"DISCOVERY" doc:"Capital letters, digits and underscores; not twice in a funnel."`
	Name       string   `json:"name" maxLength:"120" doc:"The key when left out."`
	Objective  string   `json:"objective" maxLength:"1000"`
	Allowed    []Action `json:"allowed_actions" nullable:"false" maxItems:"12" enum:"GREET,ASK_QUESTION,ANSWER,PRESENT_OFFER,QUOTE_PRICE,HANDLE_OBJECTION,PROPOSE_BOOKING,SEND_FILE,ASK_CONTACT,CLOSE,FOLLOW_UP,HANDOFF" doc:"None: all that are not prohibited."`
	Prohibited []Action `json:"prohibited_actions" nullable:"false" maxItems:"12" enum:"GREET,ASK_QUESTION,ANSWER,PRESENT_OFFER,QUOTE_PRICE,HANDLE_OBJECTION,PROPOSE_BOOKING,SEND_FILE,ASK_CONTACT,CLOSE,FOLLOW_UP,HANDOFF"`
	Questions  []string `json:"recommended_questions" nullable:"false" maxItems:"20" doc:"Up to 300 characters each."`
	Handoff    []string `json:"handoff_rules" nullable:"false" maxItems:"11" enum:"HUMAN_REQUESTED,LOW_CONFIDENCE,COMPLAINT,SENSITIVE_TOPIC,PRICING_EXCEPTION,HIGH_VALUE_LEAD,POLICY_UNCERTAINTY,CALENDAR_AMBIGUITY,REPEATED_FAILURES,CUSTOM,MANUAL" doc:"Triggers that hand over in this stage."`
	Order      int      `json:"order" doc:"Its place, from 0; that of the list."`
}

// Funnel is the way of a customer to a purchase.
type Funnel struct {
	ID         string    `json:"id"`
	BusinessID string    `json:"business_id"`
	Name       string    `json:"name"`
	IsDefault  bool      `json:"is_default"`
	Stages     []Stage   `json:"stages" nullable:"false"`
	CreatedAt  time.Time `json:"created_at"`
	UpdatedAt  time.Time `json:"updated_at"`
}

const (
	maxFunnels  = 20 // of a business
	maxStages   = 30 // of a funnel
	maxQuestion = 300
)

var (
	funnels = store.NewTable("funnel", "fnl", func(f *Funnel) string { return f.ID })
	_       = funnels.Unique("name", func(f *Funnel) store.Key {
		return store.Tuple(store.Text(f.BusinessID), store.Text(store.Fold(f.Name)))
	})
	defaultFunnelOf = funnels.Unique("default", func(f *Funnel) store.Key {
		if !f.IsDefault {
			return nil
		}
		return store.Text(f.BusinessID)
	})
	funnelBusiness = funnels.Facet("business", func(f *Funnel) []string { return []string{f.BusinessID} })

	stageKey = regexp.MustCompile(`^[A-Z][A-Z0-9_]{1,39}$`)
)

func funnelsOf(tx *store.Tx, org, business string) ([]Funnel, error) {
	return allOf(tx, org, funnels, nil, maxFunnels, funnelBusiness.Any(business))
}

// FunnelOf is a funnel of a business: the one with that id, the default for "".
func FunnelOf(tx *store.Tx, org, business, id string) (Funnel, error) {
	if id == "" {
		return defaultFunnelOf.Find(tx, org, store.Text(business))
	}
	return funnels.Get(tx, org, id)
}

// Stage finds a stage by its key.
func (f *Funnel) Stage(key string) (at int, s Stage, ok bool) {
	at = slices.IndexFunc(f.Stages, func(s Stage) bool { return s.Key == key })
	if at < 0 {
		return 0, s, false
	}
	return at, f.Stages[at], true
}

// Last is the key of the stage that a customer who bought is in, "" for a funnel without
// stages.
func (f *Funnel) Last() string {
	if len(f.Stages) == 0 {
		return ""
	}
	return f.Stages[len(f.Stages)-1].Key
}

// ShownFunnel is one as the API answers it.
type ShownFunnel struct {
	Funnel
	Business *api.Named `json:"business"`
}

func (f Funnel) shown(org string) ShownFunnel { return ShownFunnel{f, api.Ref(org, f.BusinessID)} }

func (f *Funnel) resource() audit.Resource { return audit.On("funnel", f.ID, f.Name) }

func (s *Service) listFunnels(c *api.Call, tx *store.Tx, in listIn) (out api.Page[ShownFunnel], err error) {
	return pageOf(tx, c.Org, funnels, Funnel.shown, in.ID, in.PageIn, []store.Cond[Funnel]{funnelBusiness.Any(in.ID)}, nil)
}

type createFunnelIn struct {
	ID   string `path:"id" maxLength:"64"`
	Body struct {
		Name      string `json:"name" required:"true" maxLength:"120" example:"Wholesale"`
		IsDefault bool   `json:"is_default"`
	}
}

func (s *Service) createFunnel(c *api.Call, in createFunnelIn) (out api.Created[ShownFunnel], err error) {
	f := Funnel{
		ID: s.db.NewID("fnl"), BusinessID: in.ID, Name: texts.OneLine(in.Body.Name), IsDefault: in.Body.IsDefault, Stages: []Stage{},
		CreatedAt: c.Now, UpdatedAt: c.Now,
	}
	if err := checkName("name", f.Name); err != nil {
		return out, err
	}
	err = s.db.Update(c, func(tx *store.Tx) error {
		if err := canAdd(tx, c.Org, funnelBusiness, in.ID, maxFunnels, "funnels"); err != nil {
			return err
		}
		if err := f.changeDefault(tx, c, false); err != nil {
			return err
		}
		if err := nameTaken(funnels.Insert(tx, c.Org, &f)); err != nil {
			return err
		}
		out = api.New(f.shown(c.Org))
		return audit.Write(tx, c, "funnel.created", f.resource())
	})
	return out, err
}

// changeDefault follows a change of whether a funnel is the default of its business.
func (f *Funnel) changeDefault(tx *store.Tx, c *api.Call, was bool) error {
	return changeDefault(was, f.IsDefault, func() error {
		return otherDefault(tx, c.Org, funnels, defaultFunnelOf, f.BusinessID, func(f *Funnel) { f.IsDefault, f.UpdatedAt = false, c.Now })
	})
}

// changeDefault refuses that the default of a business only stops to be it; one that becomes it
// replaces the other.
func changeDefault(was, is bool, replace func() error) error {
	switch {
	case was && !is:
		return api.Wrong("is_default", "cannot be taken away; make another one the default")
	case is && !was:
		return replace()
	}
	return nil
}

// otherDefault takes from the record that is the default of a business that it is, so that
// another can be.
func otherDefault[T any](tx *store.Tx, org string, t *store.Table[T], of *store.Unique[T], business string, clear func(*T)) error {
	was, err := of.Find(tx, org, store.Text(business))
	if err != nil {
		return store.IgnoreNotFound(err)
	}
	clear(&was)
	return t.Put(tx, org, &was)
}

func (s *Service) getFunnel(c *api.Call, tx *store.Tx, in idIn) (out ShownFunnel, err error) {
	f, err := funnels.Get(tx, c.Org, in.ID)
	out = f.shown(c.Org)
	return out, err
}

type updateFunnelIn struct {
	ID   string `path:"id" maxLength:"64"`
	Body struct {
		Name      api.Patch[string] `json:"name" maxLength:"120"`
		IsDefault api.Patch[bool]   `json:"is_default"`
	}
}

func (in *updateFunnelIn) apply(f *Funnel) error {
	in.Body.Name.Apply(&f.Name)
	in.Body.IsDefault.Apply(&f.IsDefault)
	f.Name = texts.OneLine(f.Name)
	return checkName("name", f.Name)
}

func (s *Service) updateFunnel(c *api.Call, tx *store.Tx, in updateFunnelIn) (out ShownFunnel, err error) {
	f, err := funnels.Get(tx, c.Org, in.ID)
	if err != nil {
		return out, err
	}
	before := f
	if err := in.apply(&f); err != nil {
		return out, err
	}
	if err := f.changeDefault(tx, c, before.IsDefault); err != nil {
		return out, err
	}
	if out = f.shown(c.Org); f.Name == before.Name && f.IsDefault == before.IsDefault {
		return out, nil
	}
	f.UpdatedAt = c.Now
	out = f.shown(c.Org)
	if err := nameTaken(funnels.Put(tx, c.Org, &f)); err != nil {
		return out, err
	}
	return out, audit.Write(tx, c, "funnel.updated", f.resource(), audit.Changed("name", before.Name, f.Name), audit.Changed("is_default", before.IsDefault, f.IsDefault))
}

func (s *Service) deleteFunnel(c *api.Call, tx *store.Tx, in idIn) (out api.NoContent, err error) {
	f, err := funnels.Get(tx, c.Org, in.ID)
	if err != nil {
		return out, err
	}
	if f.IsDefault {
		return out, api.ErrConflict.WithMessage("This is the default funnel; make another one the default first.")
	}
	set, _, err := settingsOf(tx, c.Org, f.BusinessID)
	if err != nil {
		return out, err
	}
	if set.FunnelID != nil && *set.FunnelID == f.ID {
		return out, api.ErrConflict.WithMessage("The seller settings use this funnel; choose another one there first.")
	}
	if err := funnels.Delete(tx, c.Org, f.ID); err != nil {
		return out, err
	}
	return out, audit.Write(tx, c, "funnel.deleted", f.resource())
}

type stagesIn struct {
	ID   string `path:"id" maxLength:"64"`
	Body struct {
		Stages []Stage `json:"stages" required:"true" nullable:"false" maxItems:"30"`
	}
}

// replaceStages replaces the whole list. Conversations in a stage that is gone move to the
// nearest earlier one that stays.
func (s *Service) replaceStages(c *api.Call, in stagesIn) (out ShownFunnel, err error) {
	stages := append([]Stage{}, in.Body.Stages...) // never null
	if err := checkStages(stages); err != nil {
		return out, err
	}
	err = s.db.Update(c, func(tx *store.Tx) error {
		f, err := funnels.Get(tx, c.Org, in.ID)
		if err != nil {
			return err
		}
		moved := movedStages(f.Stages, stages)
		before := keysOf(f.Stages)
		f.Stages, f.UpdatedAt = stages, c.Now
		if err := funnels.Put(tx, c.Org, &f); err != nil {
			return err
		}
		out = f.shown(c.Org)
		if err := s.publishMoved(tx, c, &f, moved); err != nil {
			return err
		}
		return audit.Write(tx, c, "funnel.stages_replaced", f.resource(), audit.Changed("stages", before, keysOf(stages)))
	})
	return out, err
}

// publishMoved lets those know who have something in stages that are gone.
func (s *Service) publishMoved(tx *store.Tx, c *api.Call, f *Funnel, moved map[string]string) error {
	if len(moved) == 0 {
		return nil
	}
	return signal.Publish(s.o.Bus, tx, c, StagesReplaced{c.Org, f.BusinessID, f.ID, moved})
}

func keysOf(stages []Stage) []string {
	out := make([]string, len(stages))
	for i, s := range stages {
		out[i] = s.Key
	}
	return out
}

// movedStages gives for each stage that is gone the nearest earlier one that stays, the
// first of the new list when none does.
func movedStages(before, after []Stage) map[string]string {
	stay := keysOf(after)
	to := ""
	if len(after) > 0 {
		to = after[0].Key
	}
	moved := map[string]string{}
	for _, s := range before {
		if slices.Contains(stay, s.Key) {
			to = s.Key
		} else {
			moved[s.Key] = to
		}
	}
	return moved
}

// checkStages brings stages into form, or says what is wrong with each.
func checkStages(stages []Stage) error {
	wrong := map[string]string{}
	seen := map[string]bool{}
	for i := range stages {
		s := &stages[i]
		at := fmt.Sprintf("stages[%d]", i)
		s.Order = i
		s.Objective = strings.TrimSpace(s.Objective)
		if s.Name = texts.OneLine(s.Name); s.Name == "" {
			s.Name = s.Key
		}
		switch {
		case !stageKey.MatchString(s.Key):
			wrong[at+".key"] = "must be 2 to 40 capital letters, digits and underscores, beginning with a letter"
		case seen[s.Key]:
			wrong[at+".key"] = "stands twice in the funnel"
		}
		seen[s.Key] = true
		for _, a := range s.Allowed {
			if slices.Contains(s.Prohibited, a) {
				wrong[at+".prohibited_actions"] = "names " + string(a) + ", which is allowed too"
			}
		}
		s.Allowed, s.Prohibited, s.Handoff = texts.Unique(s.Allowed), texts.Unique(s.Prohibited), texts.Unique(s.Handoff)
		var err error
		if s.Questions, err = texts.Short(s.Questions, maxQuestion); err != nil {
			wrong[at+".recommended_questions"] = err.Error()
		}
	}
	if len(stages) > maxStages {
		wrong["stages"] = fmt.Sprintf("a funnel has at most %d stages", maxStages)
	}
	if len(wrong) > 0 {
		return api.WrongFields(wrong)
	}
	return nil
}
