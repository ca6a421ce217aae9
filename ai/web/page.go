package web

import (
	"context"
	"errors"
	"mime"
	"net/url"
	"strings"

	"github.com/go-shiori/go-readability"
	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"svc/ai/document"
)

const (
	// leastLetters is below which a page has no text: it builds itself in the browser.
	leastLetters = 200
	// articleShare is how much of the text of a page its article has at least: below that the
	// page is a list or a table, which no reader finds an article in.
	articleShare = 0.4
	maxElements  = 100_000
	maxLinks     = 500
)

// Page is what a page says.
type Page struct {
	Fetched
	Title, Text string
	Links       []string // of an HTML page, to pages of the web, each once
}

// Read fetches a page and makes its text. Its error is an *Error, a *document.Error, or that
// of the context.
func (c *Client) Read(ctx context.Context, r Request) (out Page, err error) {
	if out.Fetched, err = c.Fetch(ctx, r); err != nil || out.Unchanged {
		return out, err
	}
	kind, err := kindOf(&out.Fetched)
	if err != nil {
		return out, err
	}
	if kind == document.HTML {
		if err := out.article(); err != nil {
			return out, err
		}
	} else {
		text, err := document.Read(ctx, kind, out.Body)
		if err != nil {
			return out, err
		}
		out.Title, out.Text = text.Title, text.Body
	}
	if document.Letters(out.Text) < leastLetters {
		return out, &Error{Code: Empty}
	}
	return out, nil
}

// kindOf is what a page is: as its bytes say, then as its type does.
func kindOf(f *Fetched) (document.Kind, error) {
	kind, err := document.KindOf("", f.Body)
	if err != nil {
		return "", err
	}
	said, _, _ := mime.ParseMediaType(f.ContentType) // it was looked at when it came
	switch {
	case kind == document.PDF:
		return kind, nil
	case kind != document.HTML && kind != document.Plain:
		return "", &Error{Code: Unknown}
	case strings.HasSuffix(said, "html") || strings.HasSuffix(said, "xhtml+xml"):
		return document.HTML, nil
	}
	return kind, nil
}

// article makes the text of an HTML page: of its article where it is one, else of all but
// what stands around on every page of the site.
func (p *Page) article() error {
	doc, err := document.ParseHTML(p.Body, orHTML(p.ContentType))
	if err != nil {
		var e *document.Error
		if errors.As(err, &e) {
			return err
		}
		return &document.Error{Code: document.Damaged, Cause: err}
	}
	at, err := url.Parse(p.URL)
	if err != nil {
		return &Error{Code: Address, Cause: err}
	}
	p.Title = document.Clean(document.TitleOf(doc))
	p.Links = linksOf(doc, at)
	document.RemoveHidden(doc)
	removeFrame(doc)
	whole := document.Clean(document.Render(doc))
	p.Text = whole
	if article := articleOf(doc, at); float64(document.Letters(article)) >= articleShare*float64(document.Letters(whole)) && document.Letters(article) >= leastLetters {
		p.Text = article
	}
	return nil
}

func orHTML(contentType string) string {
	if contentType == "" {
		return "text/html"
	}
	return contentType
}

// articleOf is the text of what a reader takes for the article of a page.
func articleOf(doc *html.Node, at *url.URL) (text string) {
	defer func() {
		if recover() != nil {
			text = "" // then the whole page is taken
		}
	}()
	p := readability.NewParser()
	p.MaxElemsToParse, p.DisableJSONLD = maxElements, true
	a, err := p.ParseDocument(doc, at)
	if err != nil || a.Node == nil {
		return ""
	}
	return document.Clean(document.Render(a.Node))
}

// removeFrame takes away what stands on every page of a site.
func removeFrame(doc *html.Node) {
	var gone []*html.Node
	for n := range doc.Descendants() {
		switch n.DataAtom {
		case atom.Nav, atom.Footer, atom.Aside:
			gone = append(gone, n)
		}
	}
	for _, n := range gone {
		if n.Parent != nil {
			n.Parent.RemoveChild(n)
		}
	}
}

func linksOf(doc *html.Node, at *url.URL) (out []string) {
	seen := map[string]bool{}
	for n := range doc.Descendants() {
		if n.DataAtom != atom.A {
			continue
		}
		for _, a := range n.Attr {
			if a.Key != "href" || len(a.Val) > maxURL {
				continue
			}
			u, err := at.Parse(strings.TrimSpace(a.Val))
			if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.User != nil {
				continue
			}
			u.Fragment, u.RawFragment = "", ""
			if s := u.String(); !seen[s] && len(out) < maxLinks {
				seen[s] = true
				out = append(out, s)
			}
		}
	}
	return out
}
