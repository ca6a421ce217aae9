package source

import (
	"context"
	"math/rand/v2"
	"time"

	"svc/app/api"
	"svc/app/audit"
	"svc/app/content"
	"svc/app/notify"
	"svc/store"
	"svc/store/queue"
)

type updateIn struct {
	ID   string `path:"id" maxLength:"64"`
	Body struct {
		Title        api.Patch[string]     `json:"title" maxLength:"200"`
		Language     api.PatchNull[string] `json:"language" enum:"uz,ru,en" doc:"null: found for each chunk."`
		Text         api.Patch[string]     `json:"text" maxLength:"200000"`
		Question     api.Patch[string]     `json:"question" maxLength:"500"`
		Answer       api.Patch[string]     `json:"answer" maxLength:"4000"`
		URL          api.Patch[string]     `json:"url" maxLength:"2048"`
		RefreshHours api.Patch[int]        `json:"refresh_hours" minimum:"0" maximum:"720"`
		Status       api.Patch[Status]     `json:"status" enum:"DISABLED,PENDING,READY" doc:"DISABLED takes it out of searches; PENDING or READY brings it back: it is read anew."`
	}
}

// apply changes a source and lists the fields that changed; anew says that it has to be read
// again.
func (in *updateIn) apply(d *draft) (changed []string, anew bool) {
	p := &in.Body
	note := func(name string, did, reads bool) {
		if did {
			changed, anew = append(changed, name), anew || reads
		}
	}
	language := api.Optional(d.Language)
	note("language", p.Language.Apply(&language), true)
	d.Language = ""
	if language != nil {
		d.Language = *language
	}
	if titled := p.Title.Apply(&d.Title); titled {
		d.Untitled = false
		note("title", true, true)
	}
	note("text", p.Text.Apply(&d.text), true)
	note("question", p.Question.Apply(&d.Question), true)
	note("answer", p.Answer.Apply(&d.Answer), true)
	note("url", p.URL.Apply(&d.URL), true)
	note("refresh_hours", p.RefreshHours.Apply(&d.RefreshHours), false)
	return changed, anew
}

func (s *Service) update(c *api.Call, tx *store.Tx, in updateIn) (out Detail, err error) {
	src, err := sources.Get(tx, c.Org, in.ID)
	if err != nil {
		return out, err
	}
	d := draft{Source: src}
	if src.Type == Text {
		if d.text, err = TextOf(tx, c.Org, src.ID); err != nil {
			return out, err
		}
	}
	fields, anew, err := in.change(&d)
	if err != nil {
		return out, err
	}
	if len(fields) > 0 {
		if err := save(tx, c, &d, src, fields, anew); err != nil {
			return out, err
		}
	}
	return detail(tx, c.Org, &d.Source)
}

// change brings a draft to what a request says, checked, and gives the fields that changed, and
// whether the source is read anew.
func (in *updateIn) change(d *draft) (fields []string, anew bool, err error) {
	fields, anew = in.apply(d)
	if err := d.check(); err != nil {
		return nil, false, err
	}
	turned, err := d.turn(in.Body.Status, &anew)
	if turned {
		fields = append(fields, "status")
	}
	return fields, anew, err
}

// turn takes a source out of searches or brings it back.
func (d *draft) turn(to api.Patch[Status], anew *bool) (changed bool, err error) {
	switch {
	case !to.Set, (to.Value == Disabled) == (d.Status == Disabled):
		return false, nil
	case to.Value == Disabled:
		*anew = false
		return true, d.apply(Switched)
	}
	*anew = true
	return true, d.apply(Enabled)
}

// save stores a changed source with what follows from the change.
func save(tx *store.Tx, c *api.Call, d *draft, before Source, fields []string, anew bool) error {
	src := &d.Source
	src.UpdatedAt = c.Now
	if anew {
		src.ByItself = false
	}
	if src.URL != before.URL {
		src.ETag, src.Modified = "", ""
	}
	src.plan(c.Now)
	if d.Type == Text {
		if err := bodies.Put(tx, c.Org, &body{src.ID, d.text}); err != nil {
			return err
		}
	}
	if anew && src.Status != Disabled {
		if err := again(tx, c.Org, src); err != nil {
			return err
		}
	}
	if err := sources.Put(tx, c.Org, src); err != nil {
		return err
	}
	if (src.Status == Disabled) != (before.Status == Disabled) {
		if err := changed(tx, c.Org); err != nil {
			return err
		}
		if err := emitUpdated(tx, c.Org, src); err != nil {
			return err
		}
	}
	if src.Status == Disabled {
		if err := notify.Settle(tx, c.Org, src.ID); err != nil {
			return err
		}
	}
	return audit.Write(tx, c, "knowledge_source.updated", src.resource(), audit.Changed("title", before.Title, src.Title),
		audit.Changed("status", before.Status, src.Status), audit.Changed("fields", nil, fields))
}

// again asks for the ingestion of a source that its caller saves.
func again(tx *store.Tx, org string, src *Source) error {
	src.Revision++
	if src.Status != Pending {
		if err := src.apply(Asked); err != nil {
			return err
		}
	}
	return ask(tx, org, src.ID)
}

func (s *Service) reindex(c *api.Call, in idIn) (out Shown, err error) {
	err = s.db.Update(c, func(tx *store.Tx) error {
		src, err := sources.Get(tx, c.Org, in.ID)
		if err != nil {
			return err
		}
		if src.Status == Disabled {
			return api.ErrState.WithMessage("A source that is DISABLED is not read; bring it back first.")
		}
		src.ETag, src.Modified, src.ByItself = "", "", false // read all of it
		if err := again(tx, c.Org, &src); err != nil {
			return err
		}
		if err := sources.Put(tx, c.Org, &src); err != nil {
			return err
		}
		out = src.Shown(c.Org)
		return audit.Write(tx, c, "knowledge_source.reindexed", src.resource())
	})
	return out, err
}

func (s *Service) remove(c *api.Call, in idIn) (out api.NoContent, err error) {
	err = s.db.Update(c, func(tx *store.Tx) error {
		src, err := sources.Get(tx, c.Org, in.ID)
		if err != nil {
			return err
		}
		if err := forget(tx, c.Org, &src); err != nil {
			return err
		}
		return audit.Write(tx, c, "knowledge_source.deleted", src.resource())
	})
	return out, err
}

// forget removes a source; its versions and its file go once the transaction is durable.
func forget(tx *store.Tx, org string, src *Source) error {
	if err := sources.Delete(tx, org, src.ID); err != nil {
		return err
	}
	if err := store.IgnoreNotFound(bodies.Delete(tx, org, src.ID)); err != nil {
		return err
	}
	for _, v := range []string{src.Version, src.Building} {
		if v == "" {
			continue
		}
		if err := drop(tx, org, v, kept); err != nil {
			return err
		}
	}
	if src.Vault != "" {
		if err := content.AddStorage(tx, org, -src.Size); err != nil {
			return err
		}
		if _, err := queue.Add(tx, droppingFile{src.Vault}, time.Time{}, queue.For(org, src.ID)); err != nil {
			return err
		}
	}
	if err := notify.Settle(tx, org, src.ID); err != nil {
		return err
	}
	return changed(tx, org)
}

// forgetting is the job that removes the sources of a business that is gone.
type forgetting struct {
	Org      string `json:"org"`
	Business string `json:"business"`
}

func (forgetting) Kind() string      { return "knowledge.forget" }
func (forgetting) Queue() queue.Name { return queue.Maintenance }

func (s *Service) runForget(ctx context.Context, _ queue.Job, f forgetting) error {
	for more := true; more; {
		err := s.db.Update(ctx, func(tx *store.Tx) error {
			p, err := sources.Page(tx, f.Org, store.Query[Source]{Where: []store.Cond[Source]{ofBusiness.Any(f.Business)}, Limit: 100})
			if err != nil {
				return err
			}
			more = p.Total > len(p.Data)
			for i := range p.Data {
				if err := forget(tx, f.Org, &p.Data[i]); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// refreshing is the job that asks for pages to be read again. It runs for ever.
type refreshing struct{}

func (refreshing) Kind() string      { return "knowledge.refresh" }
func (refreshing) Queue() queue.Name { return queue.Maintenance }

// refreshEvery is how often it looks.
const refreshEvery = time.Minute

// plan says when a page is read again by itself: its hours, a tenth more or less.
func (s *Source) plan(now time.Time) {
	s.RefreshAt = time.Time{}
	if s.Type == WebPage && s.RefreshHours > 0 {
		wait := time.Duration(s.RefreshHours) * time.Hour
		s.RefreshAt = now.Add(wait - wait/10 + rand.N(wait/5))
	}
}

func (s *Service) runRefresh(ctx context.Context, _ queue.Job, _ refreshing) error {
	for more := true; more; {
		err := s.db.Update(ctx, func(tx *store.Tx) (err error) {
			more, err = Refresh(tx, 100)
			return err
		})
		if err != nil {
			return err
		}
	}
	return queue.Snooze(refreshEvery)
}

// Refresh asks for pages to be read again whose time has come, at most limit of them, and
// says whether there are more.
func Refresh(tx *store.Tx, limit int) (more bool, err error) {
	now := tx.DB().Now()
	due, next, err := byRefresh.Walk(tx, store.Range{Span: store.Between(nil, store.Time(now)), Limit: limit})
	if err != nil {
		return false, err
	}
	for i := range due {
		src := &due[i].Record
		if src.Status != Ingesting && src.Status != Pending {
			src.ByItself = true
			if err := again(tx, due[i].Org, src); err != nil {
				return false, err
			}
		}
		src.plan(now)
		if err := sources.Put(tx, due[i].Org, src); err != nil {
			return false, err
		}
	}
	return next != nil, nil
}
