package automation

import (
	"time"

	"svc/app/api"
	"svc/app/audit"
	"svc/app/channel"
	"svc/store"
	"svc/store/queue"
)

type tryIn struct {
	Body struct {
		AccountID string  `json:"account_id" required:"true" maxLength:"64"`
		Text      string  `json:"text" required:"true" minLength:"1" maxLength:"2000" example:"NARXI?"`
		PostID    *string `json:"post_id" maxLength:"100"`
	}
}

// Tried is what one rule makes of a comment.
type Tried struct {
	AutomationID string  `json:"automation_id"`
	Name         string  `json:"name"`
	Acts         bool    `json:"acts"`
	Reason       *string `json:"reason" enum:"DISABLED,NOT_ACTIVE_YET,NOT_ACTIVE_ANY_MORE,OTHER_POST,NO_KEYWORD,ASKS_DECISION_SERVICE,AN_OLDER_RULE_ACTS" doc:"Why it does not."`
}

// Try is which rule would act.
type Try struct {
	AutomationID *string `json:"automation_id" doc:"null: none would."`
	Reply        *string `json:"reply" doc:"The text of the template; null where the seller writes it."`
	Rules        []Tried `json:"rules" nullable:"false" doc:"All rules of the account, the oldest first: that is their order."`
}

func (s *Service) try(c *api.Call, tx *store.Tx, in tryIn) (out Try, err error) {
	post := ""
	if in.Body.PostID != nil {
		post = *in.Body.PostID
	}
	out = Try{Rules: []Tried{}}
	if _, err := channel.Named(tx, c.Org, in.Body.AccountID); err != nil {
		return out, err
	}
	list, _, err := ofAccount.Walk(tx, c.Org, store.Range{Span: store.Is(store.Tuple(store.Text(in.Body.AccountID))), Limit: mostRules})
	for i := range list {
		why, _ := list[i].objection(post, in.Body.Text, c.Now)
		if why == "" && out.AutomationID != nil {
			why = anotherActs
		}
		if why == "" {
			out.AutomationID, out.Reply = &list[i].ID, api.Optional(list[i].Template)
		}
		out.Rules = append(out.Rules, Tried{list[i].ID, list[i].Name, why == "", api.Optional(why)})
	}
	return out, err
}

// ShownReply is a private reply in the API.
type ShownReply struct {
	ID           string     `json:"id"`
	CommentID    string     `json:"comment_id"`
	PostID       *string    `json:"post_external_id"`
	AutomationID *string    `json:"automation_id"`
	Automation   *api.Named `json:"automation"`
	Trigger      *Trigger   `json:"trigger" enum:"KEYWORDS,JEV_PURCHASE_INTEREST"`
	ReplyMode    *ReplyMode `json:"reply_mode" enum:"TEMPLATE,SELLER"`
	Status       Status     `json:"status" enum:"PENDING,SENT,FAILED,SKIPPED"`
	MessageID    *string    `json:"message_id"`
	ErrorCode    *string    `json:"error_code"`
	Draft        *string    `json:"draft_text" doc:"What the seller proposes, while a person must approve it."`
	Attempts     int        `json:"attempts"`
	CreatedAt    time.Time  `json:"created_at"`
	SentAt       *time.Time `json:"sent_at"`
}

func showReply(tx *store.Tx, org string, r *Reply) (out ShownReply, err error) {
	out = ShownReply{
		ID: r.ID, CommentID: r.Comment, PostID: api.Optional(r.Post), AutomationID: api.Optional(r.Rule), Automation: api.Ref(org, r.Rule),
		Trigger: api.Optional(r.Trigger), ReplyMode: api.Optional(r.Mode), Status: r.Status, MessageID: api.Optional(r.Message), ErrorCode: api.Optional(r.Code),
		Attempts: r.Attempts, CreatedAt: r.CreatedAt, SentAt: api.Optional(r.SentAt),
	}
	if r.Status == Pending && r.Drafted && !r.Approved {
		var w words
		err = sealed.OpenJSON(tx.DB(), org, r, &w)
		out.Draft = api.Optional(w.Text)
	}
	return out, err
}

type repliesIn struct {
	IDIn
	api.PageIn
	Status Status `query:"status" enum:"PENDING,SENT,FAILED,SKIPPED"`
}

func (s *Service) listReplies(c *api.Call, tx *store.Tx, in repliesIn) (out api.Page[ShownReply], err error) {
	if _, err := channel.Get(tx, c.Org, in.ID); err != nil {
		return out, err
	}
	q := store.Query[Reply]{Reverse: true, Where: []store.Cond[Reply]{repliesOf.Any(in.ID)}, Offset: in.Offset, Limit: in.Limit, After: in.Behind()}
	if in.Status != "" {
		q.Where = append(q.Where, statusOf.Any(string(in.Status)))
	}
	page, err := replies.Page(tx, c.Org, q)
	if err != nil {
		return out, err
	}
	return api.ShowPage(page, in.PageIn, func(r *Reply) (ShownReply, error) { return showReply(tx, c.Org, r) })
}

type approveIn struct {
	IDIn
	Body struct {
		Text *string `json:"text" minLength:"1" maxLength:"1000" doc:"Instead of the draft."`
	}
}

// approve lets a draft of the seller go out, as it is or as a person changed it.
func (s *Service) approve(c *api.Call, tx *store.Tx, in approveIn) (out ShownReply, err error) {
	r, err := replies.Get(tx, c.Org, in.ID)
	if err != nil {
		return out, err
	}
	if r.Status != Pending || !r.Drafted || r.Approved {
		return out, api.ErrState
	}
	if err := r.setText(tx, c.Org, in.Body.Text); err != nil {
		return out, err
	}
	r.Approved = true
	if err := replies.Put(tx, c.Org, &r); err != nil {
		return out, err
	}
	if err := s.sendNow(tx, c.Org, &r); err != nil {
		return out, err
	}
	if err := audit.Write(tx, c, "private_reply.approved", audit.On("private_reply", r.ID, "")); err != nil {
		return out, err
	}
	out, err = showReply(tx, c.Org, &r)
	return out, err
}

// setText changes the words of a reply, nil: they stay, and refuses more than the network takes.
func (r *Reply) setText(tx *store.Tx, org string, text *string) error {
	var w words
	if err := sealed.OpenJSON(tx.DB(), org, r, &w); err != nil {
		return err
	}
	if text != nil {
		w.Text = *text
	}
	if len(w.Text) > mostText {
		return api.Wrong("text", "has %d bytes; the network takes %d", len(w.Text), mostText)
	}
	return sealed.SetJSON(tx, org, r, w)
}

// approving is the job that wakes a reply that waited for a person.
type approving struct{ replying }

// Kind implements queue.Args.
func (approving) Kind() string { return "automation.approved" }

// sendNow sends a reply that waits for its person: its own job sleeps until the comment is old.
func (s *Service) sendNow(tx *store.Tx, org string, r *Reply) error {
	_, err := queue.Add(tx, approving{replying{org, r.ID}}, time.Time{}, queue.Once(r.ID), queue.Attempts(50), queue.For(org, r.ID))
	return err
}
