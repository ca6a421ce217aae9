package ingest

import (
	"context"
	"errors"
	"time"

	"svc/ai/chunk"
	"svc/ai/web"
	"svc/app/knowledge/source"
	"svc/store"
)

// page makes chunks of a page of the web.
func (s *Service) page(ctx context.Context, src *source.Source) (m source.Made, err error) {
	r := web.Request{URL: src.URL, Robots: src.ByItself}
	if src.Published > 0 {
		r.ETag, r.Modified = src.ETag, src.Modified
	}
	p, err := s.pages.Read(ctx, r)
	var e *web.Error
	switch {
	case errors.As(err, &e) && e.Code == web.Robots:
		// Somebody added the page by hand; the site forbids that it is read again by itself.
		return source.Made{Unchanged: true, Note: source.Code(e.Code), ETag: src.ETag, Modified: src.Modified}, nil
	case errors.As(err, &e) && e.Passing():
		return m, &Trouble{source.Code(e.Code), err}
	case errors.As(err, &e):
		return m, &Refused{source.Code(e.Code), err}
	case err != nil:
		return m, documentRefusal(err)
	case p.Unchanged:
		return source.Made{Unchanged: true, ETag: src.ETag, Modified: src.Modified}, nil
	}
	title := src.Title
	if p.Title != "" && src.Untitled {
		title = cut(p.Title)
		m.Title = title
	}
	m.ETag, m.Modified = p.ETag, p.Modified
	m.Chunks, err = chunk.Split(title, p.Text)
	return m, err
}

// maxTitle is how long the title of a page may be in characters.
const maxTitle = 200

func cut(s string) string {
	if r := []rune(s); len(r) > maxTitle {
		return string(r[:maxTitle])
	}
	return s
}

// betweenPages is how long a host is left alone after each request, by all nodes together.
const betweenPages = 2 * time.Second

// host is until when a host is left alone.
type host struct {
	ID    string    `json:"id"` // its name
	Until time.Time `json:"until"`
}

var (
	hosts   = store.NewTable("kn_host", "", func(h *host) string { return h.ID }).Global()
	byUntil = hosts.Index("until", func(h *host) store.Key { return store.Time(h.Until) })
)

// Tables are what a store that knowledge is ingested into is opened with.
func Tables() []store.AnyTable { return []store.AnyTable{hosts} }

// Pace takes the next turn of a host and waits for it.
func Pace(db *store.DB) func(ctx context.Context, name string) error {
	return func(ctx context.Context, name string) error {
		if len(name) == 0 || len(name) > 253+6 {
			return errors.New("a host without a name")
		}
		var wait time.Duration
		err := db.Update(ctx, func(tx *store.Tx) error {
			now := tx.DB().Now()
			h, err := hosts.Get(tx, store.Platform, name)
			if store.IgnoreNotFound(err) != nil {
				return err
			}
			turn := now
			if h.Until.After(now) && h.Until.Sub(now) < time.Hour { // a clock was set back otherwise
				turn = h.Until
			}
			wait = turn.Sub(now)
			return hosts.Put(tx, store.Platform, &host{name, turn.Add(betweenPages)})
		})
		if err != nil || wait <= 0 {
			return err
		}
		t := time.NewTimer(wait)
		defer t.Stop()
		select {
		case <-t.C:
			return nil
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
}

// Forget removes the turns of hosts that are over.
func Forget(tx *store.Tx, limit int) (int, error) {
	list, _, err := byUntil.Walk(tx, store.Platform, store.Range{Span: store.Between(nil, store.Time(tx.DB().Now())), Limit: limit})
	for i := range list {
		if err == nil {
			err = hosts.Delete(tx, store.Platform, list[i].ID)
		}
	}
	return len(list), err
}
