package automation

import (
	"context"
	"strings"
	"time"

	"svc/app/api"
	"svc/app/api/perm"
	"svc/app/audit"
	"svc/app/channel"
	"svc/app/jev"
	"svc/app/module"
	"svc/app/seller"
	"svc/app/signal"
	"svc/messenger/platform"
	"svc/store"
	"svc/store/queue"
)

// Slice registers automations.
func Slice() module.Slice {
	return module.Slice{Name: "automation", Tables: Tables, New: func(e *module.Env) module.Module {
		s := &Service{db: e.DB, channels: module.Get[*channel.Service](e), jev: module.Get[*jev.Service](e), bus: e.Bus, log: e.Log, answer: module.Get[seller.AnswerComment](e)}
		signal.On(e.Bus, s.heard)
		module.Offer(e, api.NameSource{Prefix: "atm_", Perm: perm.AccountsRead, Names: func(tx *store.Tx, org string, ids []string) (map[string]string, error) {
			return api.Names(tx, org, rules, ids, func(r *Rule) string { return r.Name })
		}})
		return module.Module{
			Endpoints: s.Endpoints(),
			Workers: func(w *queue.Workers) {
				queue.Register(w, s.reply, queue.Needed())
				queue.Register(w, s.thank)
				queue.Register(w, func(ctx context.Context, j queue.Job, a approving) error { return s.reply(ctx, j, a.replying) }, queue.Needed())
			},
		}
	}}
}

// Endpoints are the operations of the slice.
func (s *Service) Endpoints() []api.Endpoint {
	read, manage := perm.AccountsRead, perm.AccountsManage
	return []api.Endpoint{
		api.E("GET /channels/automations", "automations.list", read, "List automations, the newest first.", api.Read(s.db, s.list)),
		api.E("POST /channels/automations", "automations.create", manage, "Make a rule that answers comments in private.", s.create),
		api.E("POST /channels/automations/try", "automations.try", read, "See which rule would act on a comment, and why the others do not; nothing is sent.", api.Read(s.db, s.try), api.ChangesNothing()),
		api.E("GET /channels/automations/{id}", "automations.get", read, "Read an automation.", api.Read(s.db, s.get)),
		api.E("PATCH /channels/automations/{id}", "automations.update", manage, "Change an automation.", s.update),
		api.E("DELETE /channels/automations/{id}", "automations.delete", manage, "Delete an automation; replies that wait are skipped.", s.remove),
		api.E("GET /channels/accounts/{id}/private-replies", "channels.private_replies", read, "List private replies of an account, the newest first.", api.Read(s.db, s.listReplies)),
		api.E("POST /channels/private-replies/{id}/approve", "channels.approve_private_reply", perm.AIOperate, "Send a private reply that the seller drafted.", api.Write(s.db, s.approve), api.Errors(api.ErrState)),
	}
}

// Stats are what came of an automation.
type Stats struct {
	Matched int `json:"matched"`
	Sent    int `json:"sent"`
	Failed  int `json:"failed"`
	Pending int `json:"pending"`
}

// Shown is an automation in the API (contract 16.6).
type Shown struct {
	ID         string     `json:"id"`
	AccountID  string     `json:"account_id"`
	Account    *api.Named `json:"account"`
	Name       string     `json:"name"`
	Trigger    Trigger    `json:"trigger" enum:"KEYWORDS,JEV_PURCHASE_INTEREST"`
	Keywords   []string   `json:"keywords" nullable:"false"`
	Match      Match      `json:"match" enum:"ANY,ALL,EXACT"`
	PostIDs    []string   `json:"post_ids" doc:"null: all posts."`
	ReplyMode  ReplyMode  `json:"reply_mode" enum:"TEMPLATE,SELLER"`
	Template   *string    `json:"template_text"`
	Public     *string    `json:"public_reply_text"`
	Once       bool       `json:"once_per_person"`
	ActiveFrom *time.Time `json:"active_from"`
	ActiveTo   *time.Time `json:"active_to"`
	Enabled    bool       `json:"enabled"`
	Stats      Stats      `json:"stats"`
	CreatedAt  time.Time  `json:"created_at"`
	UpdatedAt  time.Time  `json:"updated_at"`
}

func show(tx *store.Tx, org string, r *Rule) (out Shown, err error) {
	out = Shown{
		ID: r.ID, AccountID: r.Account, Account: api.Ref(org, r.Account), Name: r.Name, Trigger: r.Trigger, Keywords: append([]string{}, r.Words...),
		Match: r.Match, ReplyMode: r.Mode, Template: api.Optional(r.Template), Public: api.Optional(r.Public), Once: r.Once,
		ActiveFrom: api.Optional(r.From), ActiveTo: api.Optional(r.To), Enabled: r.Enabled, CreatedAt: r.CreatedAt, UpdatedAt: r.UpdatedAt,
	}
	if !r.AllPosts {
		out.PostIDs = append([]string{}, r.Posts...)
	}
	for s, to := range map[Status]*int{Sent: &out.Stats.Sent, Failed: &out.Stats.Failed, Pending: &out.Stats.Pending, Skipped: new(int)} {
		if *to, err = figures.Count(tx, org, figure(r.ID, s)); err != nil {
			return out, err
		}
		out.Stats.Matched += *to
	}
	return out, nil
}

type listIn struct {
	api.PageIn
	AccountID string `query:"account_id" maxLength:"64"`
}

func (s *Service) list(c *api.Call, tx *store.Tx, in listIn) (out api.Page[Shown], err error) {
	q := store.Query[Rule]{Reverse: true, Offset: in.Offset, Limit: in.Limit, After: in.Behind()}
	if in.AccountID != "" {
		q.Where = append(q.Where, byAccount.Any(in.AccountID))
	}
	page, err := rules.Page(tx, c.Org, q)
	if err != nil {
		return out, err
	}
	return api.ShowPage(page, in.PageIn, func(r *Rule) (Shown, error) { return show(tx, c.Org, r) })
}

// IDIn is the path of one record.
type IDIn struct {
	ID string `path:"id" maxLength:"64"`
}

func (s *Service) get(c *api.Call, tx *store.Tx, in IDIn) (out Shown, err error) {
	r, err := rules.Get(tx, c.Org, in.ID)
	if err == nil {
		out, err = show(tx, c.Org, &r)
	}
	return out, err
}

// Fields are what an automation is made of.
type Fields struct {
	Name       api.Patch[string]        `json:"name" maxLength:"100" example:"Narx so'raganlar"`
	Trigger    api.Patch[Trigger]       `json:"trigger" enum:"KEYWORDS,JEV_PURCHASE_INTEREST"`
	Keywords   api.Patch[[]string]      `json:"keywords" maxItems:"50"`
	Match      api.Patch[Match]         `json:"match" enum:"ANY,ALL,EXACT"`
	PostIDs    api.PatchNull[[]string]  `json:"post_ids" doc:"null: all posts."`
	ReplyMode  api.Patch[ReplyMode]     `json:"reply_mode" enum:"TEMPLATE,SELLER"`
	Template   api.PatchNull[string]    `json:"template_text"`
	Public     api.PatchNull[string]    `json:"public_reply_text"`
	Once       api.Patch[bool]          `json:"once_per_person" doc:"true when left out."`
	ActiveFrom api.PatchNull[time.Time] `json:"active_from"`
	ActiveTo   api.PatchNull[time.Time] `json:"active_to"`
	Enabled    api.Patch[bool]          `json:"enabled" doc:"true when left out."`
}

type createIn struct {
	Body struct {
		AccountID string `json:"account_id" required:"true" maxLength:"64"`
		Fields
	}
}

// apply puts fields into a rule, and says what is wrong with it then.
func (f *Fields) apply(r *Rule) error {
	f.Name.Apply(&r.Name)
	f.Trigger.Apply(&r.Trigger)
	f.Match.Apply(&r.Match)
	f.ReplyMode.Apply(&r.Mode)
	f.Once.Apply(&r.Once)
	f.Enabled.Apply(&r.Enabled)
	if f.Keywords.Set {
		r.Words = nil
		for _, w := range f.Keywords.Value {
			if w = strings.TrimSpace(w); w != "" {
				r.Words = append(r.Words, w)
			}
		}
	}
	if f.PostIDs.Set {
		r.AllPosts, r.Posts = f.PostIDs.Value == nil, nil
		if f.PostIDs.Value != nil {
			r.Posts = *f.PostIDs.Value
		}
	}
	clear(&r.Template, f.Template)
	clear(&r.Public, f.Public)
	clear(&r.From, f.ActiveFrom)
	clear(&r.To, f.ActiveTo)
	return r.check()
}

func clear[T any](to *T, from api.PatchNull[T]) {
	var none T
	if !from.Set {
		return
	}
	if *to = none; from.Value != nil {
		*to = *from.Value
	}
}

// check says what is wrong with a rule.
func (r *Rule) check() error {
	var wrong []error
	r.Name = strings.TrimSpace(r.Name)
	add := func(bad bool, field, text string) {
		if bad {
			wrong = append(wrong, api.Wrong(field, "%s", text))
		}
	}
	add(r.Name == "", "name", "is needed")
	add(r.Trigger == Keywords && len(r.Words) == 0, "keywords", "are needed: a comment must have one of them")
	for _, w := range r.Words {
		add(len(wordsOf(w)) == 0 || len(w) > 100, "keywords", "must be words of at most 100 bytes")
	}
	add(r.Mode == Template && strings.TrimSpace(r.Template) == "", "template_text", "is needed, or reply_mode SELLER")
	add(len(r.Template) > mostText, "template_text", "has more than 1000 bytes, which the network does not take")
	add(len(r.Public) > mostText, "public_reply_text", "has more than 1000 bytes")
	add(len(r.Posts) > 200, "post_ids", "are more than 200")
	add(!r.To.IsZero() && !r.To.After(r.From), "active_to", "must be later than active_from")
	return api.AllWrong(wrong...)
}

func (r *Rule) resource() audit.Resource { return audit.On("automation", r.ID, r.Name) }

// checkAccount refuses an account that cannot have another rule.
func checkAccount(tx *store.Tx, org, id string) error {
	a, err := channel.Named(tx, org, id)
	if err != nil {
		return err
	}
	if a.Platform == platform.Video {
		return api.Wrong("account_id", "is of a network without private replies; choose an account of the photo or page network")
	}
	if n, err := byAccount.Count(tx, org, id); err != nil || n >= mostRules {
		return firstOf(err, api.Wrong("account_id", "has %d automations already", mostRules))
	}
	return nil
}

func (s *Service) create(c *api.Call, in createIn) (out api.Created[Shown], err error) {
	r := Rule{
		ID: s.db.NewID("atm"), Account: in.Body.AccountID, Trigger: Keywords, Match: MatchAny, Mode: Template, Once: true, Enabled: true, AllPosts: true,
		CreatedAt: c.Now, UpdatedAt: c.Now,
	}
	if err := in.Body.Fields.apply(&r); err != nil {
		return out, err
	}
	err = s.db.Update(c, func(tx *store.Tx) error {
		if err := checkAccount(tx, c.Org, r.Account); err != nil {
			return err
		}
		if err := rules.Insert(tx, c.Org, &r); err != nil {
			return err
		}
		if err := audit.Write(tx, c, "automation.created", r.resource()); err != nil {
			return err
		}
		out.Value, err = show(tx, c.Org, &r)
		return err
	})
	return out, err
}

func firstOf(err, otherwise error) error {
	if err != nil {
		return err
	}
	return otherwise
}

type updateIn struct {
	IDIn
	Body Fields
}

func (s *Service) update(c *api.Call, in updateIn) (out Shown, err error) {
	err = s.db.Update(c, func(tx *store.Tx) error {
		r, err := rules.Get(tx, c.Org, in.ID)
		if err != nil {
			return err
		}
		was := r.Enabled
		if err := in.Body.apply(&r); err != nil {
			return err
		}
		r.UpdatedAt = c.Now
		if err := rules.Put(tx, c.Org, &r); err != nil {
			return err
		}
		if err := audit.Write(tx, c, "automation.updated", r.resource(), audit.Changed("enabled", was, r.Enabled)); err != nil {
			return err
		}
		out, err = show(tx, c.Org, &r)
		return err
	})
	return out, err
}

func (s *Service) remove(c *api.Call, in IDIn) (out api.NoContent, err error) {
	return out, s.db.Update(c, func(tx *store.Tx) error {
		r, err := rules.Get(tx, c.Org, in.ID)
		if err != nil {
			return err
		}
		if err := rules.Delete(tx, c.Org, r.ID); err != nil {
			return err
		}
		return audit.Write(tx, c, "automation.deleted", r.resource())
	})
}
