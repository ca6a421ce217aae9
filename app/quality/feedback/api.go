package feedback

import (
	"strings"
	"time"

	"svc/app/api"
	"svc/app/api/perm"
	"svc/app/audit"
	"svc/app/seller/draft"
	"svc/app/seller/figure"
	"svc/app/signal"
	"svc/store"
)

// Service does the operations about feedback.
type Service struct{ db *store.DB }

// New makes the service.
func New(db *store.DB) *Service { return &Service{db} }

// Endpoints are the operations of this package.
func (s *Service) Endpoints() []api.Endpoint {
	return []api.Endpoint{
		api.E("POST /ai/feedback", "ai.create_feedback", perm.AIOperate, "Say what was good or wrong of what the AI wrote or decided.", s.create, api.Errors(api.ErrState)),
		api.E("GET /ai/feedback", "ai.list_feedback", perm.AIRead, "List feedback, the newest first.", s.list),
		api.E("GET /ai/feedback/{id}", "ai.get_feedback", perm.AIRead, "Read feedback.", s.get),
		api.E("POST /ai/feedback/{id}/review", "ai.review_feedback", perm.AIManage,
			"Accept or reject feedback; accepted, it can become an item of a dataset, without personal data.", s.review, api.Errors(api.ErrState)),
	}
}

// Subscribe makes feedback of drafts that people changed.
func Subscribe(b *signal.Bus) { signal.On(b, edited) }

// edited keeps what a person made of a draft.
func edited(tx *store.Tx, c *api.Call, x draft.Decided) error {
	if !x.Draft.Edited {
		return nil
	}
	f := Feedback{
		ID: tx.DB().NewID("fbk"), Target: OnDraft, TargetID: x.Draft.ID, Status: None, Conversation: x.Draft.Conversation, Execution: x.Draft.Execution,
		Business: x.Draft.Business, PromptVersion: x.Draft.PromptVersion, CreatedBy: c.Caller.ID, CreatedAt: c.Now,
	}
	if err := words.SetJSON(tx, x.Org, &f, Words{Original: x.Proposed, Corrected: x.Sent}); err != nil {
		return err
	}
	if err := table.Insert(tx, x.Org, &f); err != nil {
		return err
	}
	return audit.Write(tx, c, "feedback.created", f.resource(), audit.Changed("target", nil, f.Target))
}

// Review is what became of feedback.
type Review struct {
	Status     ReviewStatus `json:"status" enum:"NONE,REQUESTED,ACCEPTED,REJECTED"`
	Reviewer   *api.Named   `json:"reviewer"`
	Note       *string      `json:"note"`
	ReviewedAt *time.Time   `json:"reviewed_at"`
}

// Shown is feedback in the API.
type Shown struct {
	ID             string     `json:"id"`
	Target         Target     `json:"target" enum:"MESSAGE,DRAFT,EXECUTION,DECISION"`
	TargetID       string     `json:"target_id"`
	Labels         []Label    `json:"labels"`
	Rating         *int       `json:"rating"`
	OriginalText   *string    `json:"original_text" doc:"What the AI wrote; null where it wrote nothing, or when texts of that time are not kept."`
	CorrectedText  *string    `json:"corrected_text"`
	WrongText      *string    `json:"wrong_text"`
	Comment        *string    `json:"comment"`
	Review         Review     `json:"review"`
	ConversationID *string    `json:"conversation_id"`
	ExecutionID    *string    `json:"execution_id"`
	BusinessID     *string    `json:"business_id"`
	Business       *api.Named `json:"business"`
	PromptVersion  *string    `json:"prompt_version" doc:"null for the default prompt."`
	DatasetID      *string    `json:"dataset_id" doc:"That it became an item of."`
	Dataset        *api.Named `json:"dataset"`
	ItemID         *string    `json:"item_id"`
	CreatedBy      string     `json:"created_by"`
	Creator        *api.Named `json:"creator"`
	CreatedAt      time.Time  `json:"created_at"`
}

func (f *Feedback) shown(db *store.DB, org string) (Shown, error) {
	w, err := f.Open(db, org)
	return Shown{
		ID: f.ID, Target: f.Target, TargetID: f.TargetID, Labels: append([]Label{}, f.Labels...), Rating: api.Optional(f.Rating),
		OriginalText: api.Optional(w.Original), CorrectedText: api.Optional(w.Corrected), WrongText: api.Optional(w.Wrong), Comment: api.Optional(w.Comment),
		Review:         Review{f.Status, api.Ref(org, f.Reviewer), api.Optional(w.Note), api.Optional(f.ReviewedAt)},
		ConversationID: api.Optional(f.Conversation), ExecutionID: api.Optional(f.Execution), BusinessID: api.Optional(f.Business), Business: api.Ref(org, f.Business),
		PromptVersion: api.Optional(f.PromptVersion), DatasetID: api.Optional(f.Dataset), Dataset: api.Ref(org, f.Dataset), ItemID: api.Optional(f.Item), CreatedBy: f.CreatedBy,
		Creator: api.Ref(org, f.CreatedBy), CreatedAt: f.CreatedAt,
	}, err
}

type createIn struct {
	Body struct {
		Target        Target  `json:"target" required:"true" enum:"MESSAGE,DRAFT,EXECUTION,DECISION"`
		TargetID      string  `json:"target_id" required:"true" maxLength:"64"`
		Labels        []Label `json:"labels" maxItems:"9" enum:"GOOD,WRONG_FACT,WRONG_TONE,WRONG_LANGUAGE,TOO_LONG,MISSED_SALE,SHOULD_HAND_OFF,UNSAFE,OTHER"`
		Rating        *int    `json:"rating" minimum:"1" maximum:"5"`
		CorrectedText *string `json:"corrected_text" maxLength:"16384" doc:"What should have been written."`
		WrongText     *string `json:"wrong_text" maxLength:"1000" doc:"The part of the text that is wrong, as it stands there." example:"1 400 000"`
		Comment       *string `json:"comment" maxLength:"2000"`
		RequestReview bool    `json:"request_review" doc:"Ask colleagues who manage the AI to look at it."`
	}
}

func (s *Service) create(c *api.Call, in createIn) (out api.Created[Shown], err error) {
	id := s.db.NewID("fbk")
	err = s.db.Update(c, func(tx *store.Tx) error {
		b := &in.Body
		f := Feedback{ID: id, Target: b.Target, TargetID: b.TargetID, Labels: b.Labels, Status: None, CreatedBy: c.Caller.ID, CreatedAt: c.Now}
		if b.RequestReview {
			f.Status = Requested
		}
		if err := f.take(tx, c, &in); err != nil {
			return err
		}
		if err := table.Insert(tx, c.Org, &f); err != nil {
			return err
		}
		if err := f.count(tx, c.Org); err != nil {
			return err
		}
		if out.Value, err = f.shown(tx.DB(), c.Org); err != nil {
			return err
		}
		return audit.Write(tx, c, "feedback.created", f.resource(), audit.Changed("target", nil, f.Target))
	})
	return out, err
}

// count adds a rating to the figures of the prompt's version.
func (f *Feedback) count(tx *store.Tx, org string) error {
	if f.Rating == 0 || f.Business == "" {
		return nil
	}
	return figure.Rated(tx, org, f.PromptVersion, f.Rating)
}

// take fills in what was said, or says what is wrong with it.
func (f *Feedback) take(tx *store.Tx, c *api.Call, in *createIn) error {
	b := &in.Body
	w := Words{Corrected: trimmed(b.CorrectedText), Wrong: trimmed(b.WrongText), Comment: trimmed(b.Comment)}
	if b.Rating != nil {
		f.Rating = *b.Rating
	}
	var said, part error
	if len(f.Labels) == 0 && f.Rating == 0 && w.Corrected == "" && w.Comment == "" && w.Wrong == "" {
		said = api.Wrong("labels", "or a rating, a text or a comment is needed")
	}
	if err := api.AllWrong(checkLabels(f.Labels), said); err != nil {
		return err
	}
	original, err := f.find(tx, c)
	if err != nil {
		return err
	}
	w.Original = original
	if original != "" && w.Wrong != "" && !strings.Contains(original, w.Wrong) {
		part = api.Wrong("wrong_text", "does not stand in the text; copy it as it is")
	}
	if part != nil {
		return part
	}
	return words.SetJSON(tx, c.Org, f, w)
}

func trimmed(s *string) string {
	if s == nil {
		return ""
	}
	return strings.TrimSpace(*s)
}

type listIn struct {
	api.PageIn
	Status     ReviewStatus `query:"review_status" enum:"NONE,REQUESTED,ACCEPTED,REJECTED"`
	Open       bool         `query:"open" doc:"Only what nobody has accepted or rejected."`
	Target     Target       `query:"target" enum:"MESSAGE,DRAFT,EXECUTION,DECISION"`
	Label      Label        `query:"label" enum:"GOOD,WRONG_FACT,WRONG_TONE,WRONG_LANGUAGE,TOO_LONG,MISSED_SALE,SHOULD_HAND_OFF,UNSAFE,OTHER"`
	BusinessID string       `query:"business_id" maxLength:"64"`
	TargetID   string       `query:"target_id" maxLength:"64" doc:"About one message, draft, execution or decision."`
}

func (in *listIn) where() (out []store.Cond[Feedback]) {
	add := func(set bool, c store.Cond[Feedback]) {
		if set {
			out = append(out, c)
		}
	}
	add(in.Status != "", statuses.Any(string(in.Status)))
	add(in.Open, statuses.Any(string(None), string(Requested)))
	add(in.Target != "", targets.Any(string(in.Target)))
	add(in.Label != "", labels.Any(string(in.Label)))
	add(in.BusinessID != "", places.Any(in.BusinessID))
	add(in.TargetID != "", about.Where(store.Is(store.Text(in.TargetID))))
	return out
}

func (s *Service) list(c *api.Call, in listIn) (out api.Page[Shown], err error) {
	return api.ListOf(c, s.db, table, store.Query[Feedback]{Where: in.where(), Reverse: true, Offset: in.Offset, Limit: in.Limit, After: in.Behind()}, in.PageIn, func(_ *store.Tx, f *Feedback) (Shown, error) { return f.shown(s.db, c.Org) })
}

type idIn struct {
	ID string `path:"id" maxLength:"64"`
}

func (s *Service) get(c *api.Call, in idIn) (out Shown, err error) {
	err = s.db.View(c, func(tx *store.Tx) error {
		f, err := table.Get(tx, c.Org, in.ID)
		if err == nil {
			out, err = f.shown(s.db, c.Org)
		}
		return err
	})
	return out, err
}

type reviewIn struct {
	ID   string `path:"id" maxLength:"64"`
	Body struct {
		Decision  ReviewStatus `json:"decision" required:"true" enum:"ACCEPTED,REJECTED"`
		Note      *string      `json:"note" maxLength:"2000"`
		DatasetID *string      `json:"add_to_dataset_id" maxLength:"64" doc:"With ACCEPTED: makes an item of the conversation as the AI found it, without personal data."`
		Tags      []string     `json:"tags" maxItems:"20" doc:"Of that item."`
	}
}

func (s *Service) review(c *api.Call, in reviewIn) (out Shown, err error) {
	b := &in.Body
	if b.DatasetID != nil && b.Decision != Accepted {
		return out, api.Wrong("add_to_dataset_id", "goes with ACCEPTED")
	}
	err = s.db.Update(c, func(tx *store.Tx) error {
		f, err := table.Get(tx, c.Org, in.ID)
		if err != nil {
			return err
		}
		if err := f.decide(tx, c, &in); err != nil {
			return err
		}
		if err := table.Put(tx, c.Org, &f); err != nil {
			return err
		}
		if out, err = f.shown(tx.DB(), c.Org); err != nil {
			return err
		}
		return audit.Write(tx, c, "feedback.reviewed", f.resource(), audit.Changed("status", nil, f.Status))
	})
	return out, err
}

// decide notes what a reviewer said.
func (f *Feedback) decide(tx *store.Tx, c *api.Call, in *reviewIn) error {
	on := WasAccepted
	if in.Body.Decision == Rejected {
		on = WasRejected
	}
	if err := f.apply(on); err != nil {
		return err
	}
	if err := f.countDecision(tx, c.Org); err != nil {
		return err
	}
	f.Reviewer, f.ReviewedAt = c.Caller.ID, c.Now
	if note := trimmed(in.Body.Note); note != "" {
		w, err := f.Open(tx.DB(), c.Org)
		if err != nil {
			return err
		}
		w.Note = note
		if err := words.SetJSON(tx, c.Org, f, w); err != nil {
			return err
		}
	}
	if id := trimmed(in.Body.DatasetID); id != "" {
		return f.addTo(tx, c, id, in.Body.Tags)
	}
	return nil
}
