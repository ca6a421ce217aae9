package campaign

import (
	"reflect"
	"slices"
	"time"

	"svc/app/api"
	"svc/app/audit"
	"svc/app/campaign/record"
	"svc/app/campaign/targeting"
	"svc/app/content"
	"svc/app/content/markup"
	"svc/app/recipient/audience"
	"svc/store"
)

type updateIn struct {
	record.IDIn
	Body struct {
		Name        api.Patch[string]            `json:"name" minLength:"1" maxLength:"120"`
		Description api.PatchNull[string]        `json:"description" maxLength:"1000"`
		Message     *messagePatch                `json:"message"`
		AccountIDs  api.Patch[[]string]          `json:"account_ids" maxItems:"50"`
		Audience    *audiencePatch               `json:"audience"`
		ScheduledAt api.PatchNull[time.Time]     `json:"scheduled_at"`
		EndAt       api.PatchNull[time.Time]     `json:"end_at"`
		Timezone    api.Patch[string]            `json:"timezone" maxLength:"64"`
		Window      api.PatchNull[record.Window] `json:"sending_window"`
		Repeat      api.PatchNull[record.Repeat] `json:"repeat"`
		MinDays     api.PatchNull[int]           `json:"min_days_between_messages" minimum:"0" maximum:"90"`
	}
}

type messagePatch struct {
	TemplateID    api.PatchNull[string]    `json:"template_id" maxLength:"64" doc:"Its text is taken over when no text is given with it."`
	Text          api.Patch[string]        `json:"text"`
	Format        api.Patch[markup.Format] `json:"format" enum:"PLAIN,MARKDOWN,HTML"`
	AttachmentIDs api.Patch[[]string]      `json:"attachment_ids" maxItems:"10"`
	LinkPreview   api.Patch[bool]          `json:"link_preview"`
}

type audiencePatch struct {
	_            struct{}                        `additionalProperties:"false"`
	Everyone     api.Patch[bool]                 `json:"everyone"`
	ListIDs      api.Patch[[]string]             `json:"list_ids" maxItems:"100"`
	Tags         api.Patch[[]string]             `json:"tags" maxItems:"100"`
	RecipientIDs api.Patch[[]string]             `json:"recipient_ids" maxItems:"5000"`
	Where        api.Patch[[]audience.Condition] `json:"where" maxItems:"20"`
	Match        api.Patch[audience.Match]       `json:"match" enum:"ALL,ANY"`
	Exclude      api.PatchNull[excludePatch]     `json:"exclude" doc:"null: nobody is left out."`
	Picked       any                             `json:"recipient_count,omitempty" doc:"Ignored: an answer may be sent back."`
	FollowUp     any                             `json:"follow_up,omitempty" doc:"Ignored: an answer may be sent back."`
}

type excludePatch struct {
	_           struct{}            `additionalProperties:"false"`
	ListIDs     api.Patch[[]string] `json:"list_ids" maxItems:"100"`
	Tags        api.Patch[[]string] `json:"tags" maxItems:"100"`
	CampaignIDs api.Patch[[]string] `json:"campaign_ids" maxItems:"20"`
}

// over is the change made to what was left out before; nil leaves nobody out.
func (p *excludePatch) over(was *record.Exclude) *record.Exclude {
	e := record.Exclude{}
	if p == nil {
		return &e
	}
	if was != nil {
		e = *was
	}
	p.ListIDs.Apply(&e.ListIDs)
	p.Tags.Apply(&e.Tags)
	p.CampaignIDs.Apply(&e.CampaignIDs)
	return &e
}

// change is what a request makes of a campaign.
type change struct {
	fields  []string // that are different now
	details []audit.Detail
	message *content.Message      // nil: as it was
	aim     *targeting.AudienceIn // nil: as it was
}

// note records a field that is different now.
func (ch *change) note(field string, from, to any) {
	if reflect.DeepEqual(from, to) {
		return
	}
	ch.fields = append(ch.fields, field)
	ch.details = append(ch.details, audit.Changed(field, from, to))
}

// apply changes the record, but for what is kept beside it.
func (in *updateIn) apply(k *record.Campaign) (ch change) {
	was, b := *k, &in.Body
	b.Name.Apply(&k.Name)
	b.Description.Apply(&k.Description)
	if b.AccountIDs.Apply(&k.AccountIDs) {
		k.AccountIDs = record.Distinct(k.AccountIDs)
	}
	b.ScheduledAt.Apply(&k.ScheduledAt)
	b.EndAt.Apply(&k.EndAt)
	b.Timezone.Apply(&k.Timezone)
	b.Window.Apply(&k.Window)
	if b.Repeat.Apply(&k.Repeat); k.Repeat != nil {
		whole := *k.Repeat // the record's, or the request's
		whole.Fill(k.Timezone)
		k.Repeat = &whole
	}
	b.MinDays.Apply(&k.MinDays)
	k.ScheduledAt, k.EndAt = inUTC(k.ScheduledAt), inUTC(k.EndAt)
	for _, f := range []struct {
		name     string
		from, to any
	}{
		{"name", was.Name, k.Name}, {"description", was.Description, k.Description}, {"scheduled_at", was.ScheduledAt, k.ScheduledAt},
		{"end_at", was.EndAt, k.EndAt}, {"timezone", was.Timezone, k.Timezone}, {"sending_window", was.Window, k.Window},
		{"repeat", was.Repeat, k.Repeat}, {"min_days_between_messages", was.MinDays, k.MinDays},
	} {
		ch.note(f.name, f.from, f.to)
	}
	if !slices.Equal(was.AccountIDs, k.AccountIDs) {
		ch.note("account_ids", was.AccountIDs, k.AccountIDs)
	}
	return ch
}

// inUTC is a time as it is kept.
func inUTC(t *time.Time) *time.Time {
	if t == nil {
		return nil
	}
	utc := t.UTC()
	return &utc
}

// applyMessage works out the new message.
func (ch *change) applyMessage(p *messagePatch, was content.Message) {
	if p == nil {
		return
	}
	m := was
	if p.TemplateID.Apply(&m.TemplateID) {
		ch.note("message.template_id", was.TemplateID, m.TemplateID)
		if m.TemplateID != nil && !p.Text.Set {
			m.Text = "" // the template's is taken over
		}
	}
	p.Text.Apply(&m.Text)
	if m.Text = record.NormalText(m.Text); m.Text != was.Text {
		ch.fields, ch.details = append(ch.fields, "message.text"), append(ch.details, audit.Hidden("message.text"))
	}
	if p.Format.Apply(&m.Format) {
		ch.note("message.format", was.Format, m.Format)
	}
	if p.AttachmentIDs.Apply(&m.AttachmentIDs) && !slices.Equal(was.AttachmentIDs, m.AttachmentIDs) {
		ch.note("message.attachment_ids", was.AttachmentIDs, m.AttachmentIDs)
	}
	if p.LinkPreview.Apply(&m.LinkPreview) {
		ch.note("message.link_preview", was.LinkPreview, m.LinkPreview)
	}
	if !reflect.DeepEqual(m, was) {
		ch.message = &m
	}
}

// applyAudience works out the new audience. A copy may be for more people, picked, than a
// request can name and than was names: who sends back what was read does not cut off the
// others.
func (ch *change) applyAudience(p *audiencePatch, was targeting.AudienceIn, picked int) error {
	if p == nil {
		return nil
	}
	a := was
	p.ListIDs.Apply(&a.ListIDs)
	p.Tags.Apply(&a.Tags)
	p.RecipientIDs.Apply(&a.RecipientIDs)
	p.Everyone.Apply(&a.Everyone)
	p.Where.Apply(&a.Where)
	p.Match.Apply(&a.Match)
	if p.Exclude.Set {
		a.Exclude = p.Exclude.Value.over(was.Exclude)
	}
	a.Clean()
	ch.note("audience.everyone", was.Everyone, a.Everyone)
	ch.note("audience.where", was.Where, a.Where)
	ch.note("audience.match", was.Match, a.Match)
	ch.note("audience.exclude", was.Exclude, a.Exclude)
	if !slices.Equal(a.ListIDs, was.ListIDs) {
		ch.note("audience.list_ids", was.ListIDs, a.ListIDs)
	}
	if !slices.Equal(a.Tags, was.Tags) {
		ch.note("audience.tags", was.Tags, a.Tags)
	}
	if p.RecipientIDs.Set && !slices.Equal(a.RecipientIDs, was.RecipientIDs) {
		if picked > audience.MaxPicked && len(a.RecipientIDs) > 0 {
			return api.Wrong("audience.recipient_ids", "this campaign is for %d people, of whom an answer names the first %d; leave recipient_ids out to keep them all, or send [] before you name others",
				picked, audience.MaxPicked)
		}
		ch.note("audience.recipient_count", picked, len(a.RecipientIDs))
		if picked == len(a.RecipientIDs) {
			ch.fields, ch.details = append(ch.fields, "audience.recipient_ids"), append(ch.details, audit.Hidden("audience.recipient_ids"))
		}
	}
	ch.aim = &a
	return nil
}

// update changes a campaign. The new text of one that is paused was checked before.
func (s *Service) update(c *api.Call, in updateIn) (Shown, error) {
	seen, err := s.checkTextChange(c, &in)
	if err != nil {
		return Shown{}, err
	}
	return record.Update(c, s.db, func(tx *store.Tx) (out Shown, err error) {
		k, err := record.Get(tx, c.Org, in.ID)
		if err != nil {
			return out, err
		}
		ch, err := s.changeOf(tx, c.Org, &k, &in)
		switch {
		case err != nil:
			return out, err
		case ch.message != nil && k.Status != record.Draft && !k.UpdatedAt.Equal(seen):
			return out, api.ErrState
		case len(ch.fields) > 0:
			if err := s.change(tx, c, &k, ch); err != nil {
				return out, err
			}
		}
		return s.show(tx, c.Org, &k, audience.MaxPicked)
	})
}

// changeOf works out what a request changes, and refuses what the status locks.
func (s *Service) changeOf(tx *store.Tx, orgID string, k *record.Campaign, in *updateIn) (ch change, err error) {
	m, err := k.OpenMessage(tx.DB(), orgID)
	if err != nil {
		return ch, err
	}
	a := targeting.AudienceIn{Everyone: k.Everyone, ListIDs: k.ListIDs, Tags: k.Tags, Where: k.Where, Match: k.Match, Exclude: k.Exclude}
	if in.Body.Audience != nil && k.Picked > 0 {
		shown, err := targeting.Show(tx, orgID, k, audience.MaxPicked)
		if err != nil {
			return ch, err
		}
		a.RecipientIDs = shown.RecipientIDs
	}
	ch = in.apply(k)
	ch.applyMessage(in.Body.Message, m)
	if err := ch.applyAudience(in.Body.Audience, a, k.Picked); err != nil {
		return ch, err
	}
	if len(ch.fields) == 0 && !k.Status.Ended() {
		return ch, nil
	}
	return ch, checkChange(k.Status, ch.fields)
}

// change saves what changed, with what follows from it.
func (s *Service) change(tx *store.Tx, c *api.Call, k *record.Campaign, ch change) error {
	if k.Status != record.Draft && len(k.AccountIDs) == 0 && slices.Contains(ch.fields, "account_ids") {
		return api.Wrong("account_ids", "must name an account at least, now that the campaign was launched; cancel it to end it")
	}
	if err := checkFields(tx, c.Org, k); err != nil {
		return err
	}
	if ch.aim != nil {
		if err := s.reaim(tx, c.Org, k, *ch.aim, ch.fields); err != nil {
			return err
		}
	}
	if ch.message != nil {
		if err := k.WriteMessage(tx, c.Org, *ch.message); err != nil {
			return err
		}
	}
	if k.Status == record.Scheduled {
		if err := s.replan(tx, c.Org, k, ch.fields); err != nil {
			return err
		}
	}
	k.UpdatedAt = c.Now
	if err := record.Put(tx, c.Org, k); err != nil {
		return err
	}
	if err := s.follow(tx, c.Org, k); err != nil {
		return err
	}
	return audit.Write(tx, c, "campaign.updated", k.Resource(), ch.details...)
}

// reaim changes an audience; people who are kept as a set stay, unless others are
// named.
func (s *Service) reaim(tx *store.Tx, orgID string, k *record.Campaign, a targeting.AudienceIn, fields []string) error {
	named := slices.Contains(fields, "audience.recipient_count") || slices.Contains(fields, "audience.recipient_ids")
	if named {
		k.Follows = nil
	}
	if named || k.Picked == len(a.RecipientIDs) {
		return targeting.Aim(tx, orgID, k, a)
	}
	picked := k.Picked
	a.RecipientIDs = nil
	if err := targeting.Check(tx, orgID, k, &a, nil); err != nil {
		return err
	}
	targeting.Set(k, &a)
	k.Picked = picked
	return nil
}

// replan keeps the series of a scheduled campaign in step with its time and its rule.
func (s *Service) replan(tx *store.Tx, orgID string, k *record.Campaign, fields []string) error {
	if k.ScheduledAt == nil || k.ScheduledAt.Before(tx.DB().Now()) {
		now := tx.DB().Now() // it starts at once, its checks asked again
		k.ScheduledAt = &now
	}
	if k.Series == nil {
		return enroll(tx, orgID, k, *k.ScheduledAt)
	}
	r, err := record.GetRun(tx, orgID, k.Series.ID)
	if err != nil {
		return err
	}
	if slices.Contains(fields, "scheduled_at") {
		if r.At = *k.ScheduledAt; r.Number == 1 {
			r.First = r.At
		}
	}
	if slices.Contains(fields, "repeat") {
		r.Stopped = k.Repeat == nil
	}
	return record.PutRun(tx, orgID, &r)
}
