package research

import (
	"context"
	"errors"
	"net/url"

	"svc/ai/document"
	"svc/ai/search"
	"svc/ai/web"
)

// gather reads pages: those that were named, those of the site of the business, those that
// were found. code says why there are none.
func (s *Service) gather(ctx context.Context, r *record, site string) (pages []web.Page, code string) {
	ctx, cancel := context.WithTimeout(ctx, readTime)
	defer cancel()
	g := gathering{s: s, seen: map[string]bool{}, code: noPages}
	for _, u := range r.URLs {
		g.read(ctx, u)
	}
	if site != "" {
		if home := g.read(ctx, site); home != nil {
			g.links(ctx, home)
		}
	}
	found, err := s.search(ctx, r)
	for _, x := range found {
		g.read(ctx, x.URL)
	}
	switch {
	case len(g.pages) > 0, err == nil:
	case errors.Is(err, search.ErrNotConfigured) && g.code == noPages:
		g.code = noSearch
	case g.code == noPages:
		g.code = noSearchAnswer
	}
	return g.pages, g.code
}

// gathering is the pages that were read until now.
type gathering struct {
	s     *Service
	seen  map[string]bool
	pages []web.Page
	code  string // why the last one was not read
}

// read reads a page, unless it was read; nil when it cannot be.
func (g *gathering) read(ctx context.Context, address string) *web.Page {
	if g.seen[address] || len(g.pages) >= maxPages || ctx.Err() != nil {
		return nil
	}
	g.seen[address] = true
	p, err := g.s.o.Pages.Read(ctx, web.Request{URL: address, Robots: true})
	var (
		notRead *web.Error
		noText  *document.Error
	)
	switch {
	case errors.As(err, &notRead):
		g.code = string(notRead.Code)
		return nil
	case errors.As(err, &noText):
		g.code = string(noText.Code)
		return nil
	case err != nil:
		return nil
	}
	g.pages = append(g.pages, p)
	return &g.pages[len(g.pages)-1]
}

// links reads some pages that a page of the same site names.
func (g *gathering) links(ctx context.Context, home *web.Page) {
	at, err := url.Parse(home.URL)
	if err != nil {
		return
	}
	n := 0
	for _, l := range home.Links {
		u, err := url.Parse(l)
		if err != nil || u.Host != at.Host || g.seen[l] || l == home.URL {
			continue
		}
		if n++; n > maxOwn {
			return
		}
		g.read(ctx, l)
	}
}

// search asks the engine about the topic and each question.
func (s *Service) search(ctx context.Context, r *record) (out []search.Result, err error) {
	asked := []string{r.Topic}
	for _, q := range r.Questions {
		asked = append(asked, r.Topic+" "+q)
	}
	for _, q := range asked[:min(len(asked), maxSearches)] {
		list, failed := s.o.Searcher.Search(ctx, q, r.Language, perSearch)
		if failed != nil {
			if err = failed; !errors.Is(err, search.ErrNotConfigured) {
				s.o.Log.Warn("a search of the web failed", "error", err)
			}
			break
		}
		out = append(out, list...)
	}
	return out, err
}
