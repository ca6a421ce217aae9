// Package source keeps the sources of knowledge of businesses: texts, questions with their
// answers, offers, files and web pages, in versions of chunks.
//
// It promises that readers see versions whole: a version is written beside the one that is
// published, and one transaction moves what is published (contract 13.20); that a source
// whose ingestion fails keeps the version that it has; that the version of offers changes in
// the transaction in which an offer does; and that every change of what can be found raises
// the generation of its organization, which nodes compare before they search.
//
// It refuses to read files and pages (package ingest does) and to search (package index).
package source

import (
	"time"

	"svc/app/api"
	"svc/app/audit"
	"svc/store"
	"svc/store/queue"
)

// Type says where the text of a source comes from.
type Type string

// The types.
const (
	Text    Type = "TEXT"
	FAQ     Type = "FAQ"
	Offers  Type = "OFFERS"
	File    Type = "FILE"
	WebPage Type = "WEB_PAGE"
)

// Source is a source as it is kept.
type Source struct {
	ID         string `json:"id"`
	BusinessID string `json:"business_id"`
	Type       Type   `json:"type"`
	Title      string `json:"title"`
	Language   string `json:"language,omitempty"` // "": found for each chunk
	Status     Status `json:"status"`
	// Published is the number of the version that is read, 0 for none, and Version its id, ""
	// for offers, which are read where they are kept.
	Published int    `json:"published,omitempty"`
	Version   string `json:"version,omitempty"`
	// Latest is the number of the newest version, and Building the id of one that is written.
	Latest    int    `json:"latest,omitempty"`
	Building  string `json:"building,omitempty"`
	ErrorCode Code   `json:"error_code,omitempty"`
	Chunks    int    `json:"chunks,omitempty"`
	Tokens    int64  `json:"tokens,omitempty"`
	Hash      string `json:"hash,omitempty"` // of the chunks that are published
	// Revision grows with each change of what is to be ingested.
	Revision int `json:"revision,omitempty"`
	// Question and Answer are those of FAQ; texts are records of their own.
	Question string `json:"question,omitempty"`
	Answer   string `json:"answer,omitempty"`
	// Of files.
	FileName string `json:"file_name,omitempty"`
	Size     int64  `json:"size,omitempty"`
	Vault    string `json:"vault,omitempty"` // where the file lies
	// Of web pages.
	URL          string    `json:"url,omitempty"`
	RefreshHours int       `json:"refresh_hours,omitempty"`
	RefreshAt    time.Time `json:"refresh_at,omitzero"`
	// ByItself: nobody asked for the reading that is due. Untitled: its title is that of the page.
	ByItself bool   `json:"by_itself,omitempty"`
	Untitled bool   `json:"untitled,omitempty"`
	ETag     string `json:"etag,omitempty"`
	Modified string `json:"modified,omitempty"`

	LastIngestedAt *time.Time `json:"last_ingested_at,omitempty"`
	CreatedBy      string     `json:"created_by"`
	CreatedAt      time.Time  `json:"created_at"`
	UpdatedAt      time.Time  `json:"updated_at"`
}

// body is the text of a source, apart from its record because lists do not show it.
type body struct {
	ID   string `json:"id"` // of the source
	Text string `json:"text"`
}

// Version is one ingestion of a source. What it says is in pages.
type Version struct {
	ID        string    `json:"id"`
	SourceID  string    `json:"source_id"`
	N         int       `json:"n"`
	Hash      string    `json:"hash"`
	Chunks    int       `json:"chunks"`
	Tokens    int64     `json:"tokens"`
	CreatedAt time.Time `json:"created_at"`
}

// Chunk is a piece of a version.
type Chunk struct {
	N     int    `json:"n"`
	Title string `json:"title"`
	Text  string `json:"text"`
	Lang  string `json:"lang,omitempty"`
}

// page is some chunks of a version in a row.
type page struct {
	ID     string  `json:"id"` // see pageID
	Chunks []Chunk `json:"chunks"`
}

// generation says how often what can be found in an organization has changed.
type generation struct {
	ID string `json:"id"`
	N  int64  `json:"n"`
	// Vectors: a build of vectors was asked for once, so that what is new needs them.
	Vectors bool `json:"vectors,omitempty"`
}

// generationID is the id of the one record of its table.
const generationID = "knowledge"

var (
	sources     = store.NewTable("kn_source", "kns", func(s *Source) string { return s.ID })
	ofBusiness  = sources.Facet("business", func(s *Source) []string { return []string{s.BusinessID} })
	typeFacet   = sources.Facet("type", func(s *Source) []string { return []string{string(s.Type)} })
	statusFacet = sources.Facet("status", func(s *Source) []string { return []string{string(s.Status)} })
	// live are the sources that are searched.
	live    = sources.Facet("live", liveOf)
	byTitle = sources.Index("title", func(s *Source) store.Key { return store.Text(store.Fold(s.Title)) })
	// offersOf is the source of offers of a business.
	offersOf = sources.Unique("offers", func(s *Source) store.Key {
		if s.Type != Offers {
			return nil
		}
		return store.Text(s.BusinessID)
	})
	byVault = sources.UniqueAcross("vault", func(s *Source) store.Key {
		if s.Vault == "" {
			return nil
		}
		return store.Text(s.Vault)
	})
	byRefresh = sources.MultiAcross("refresh", func(s *Source) []store.Key {
		if s.RefreshAt.IsZero() || s.Status == Disabled {
			return nil
		}
		return []store.Key{store.Time(s.RefreshAt)}
	})

	bodies      = store.NewTable("kn_text", "kns", func(b *body) string { return b.ID })
	versions    = store.NewTable("kn_version", "knv", func(v *Version) string { return v.ID })
	pages       = store.NewTable("kn_chunk", "", func(p *page) string { return p.ID })
	generations = store.NewTable("kn_generation", "", func(g *generation) string { return g.ID })
)

// Tables are what a store that holds knowledge is opened with.
func Tables() []store.AnyTable {
	return []store.AnyTable{sources, bodies, versions, pages, generations}
}

const isLive = "live"

func liveOf(s *Source) []string {
	if s.Published == 0 || s.Status == Disabled {
		return nil
	}
	return []string{isLive}
}

// Get reads a source.
func Get(tx *store.Tx, org, id string) (Source, error) { return sources.Get(tx, org, id) }

// Count is how many sources an organization has: those that are disabled too.
func Count(tx *store.Tx, org string) (int, error) { return sources.Count(tx, org) }

// NamesOf are the titles of sources by id.
func NamesOf(tx *store.Tx, org string, ids []string) (map[string]string, error) {
	return api.Names(tx, org, sources, ids, func(s *Source) string { return s.Title })
}

// TextOf is the text of a source of the type Text.
func TextOf(tx *store.Tx, org, id string) (string, error) {
	b, err := bodies.Get(tx, org, id)
	return b.Text, err
}

// Generation says how often what can be found in an organization has changed.
func Generation(tx *store.Tx, org string) (int64, error) {
	g, err := generations.Get(tx, org, generationID)
	return g.N, store.IgnoreNotFound(err)
}

// changed raises the generation of an organization, and asks for the vectors of what is new.
func changed(tx *store.Tx, org string) error {
	g, err := raise(tx, org, func(g *generation) { g.N++ })
	if err != nil || !g.Vectors {
		return err
	}
	return askEmbed(tx, org)
}

// raise changes the generation of an organization.
func raise(tx *store.Tx, org string, change func(*generation)) (generation, error) {
	g, err := generations.Get(tx, org, generationID)
	if store.IgnoreNotFound(err) != nil {
		return g, err
	}
	g.ID = generationID
	change(&g)
	return g, generations.Put(tx, org, &g)
}

// Raise raises the generation of an organization: searches read anew what they search.
func Raise(tx *store.Tx, org string) (int64, error) {
	g, err := raise(tx, org, func(g *generation) { g.N++ })
	return g.N, err
}

// Embed is the job that makes the vectors of an organization (package vector).
type Embed struct {
	Org string `json:"org"`
}

// Kind names the job on disk.
func (Embed) Kind() string { return "knowledge.embed" }

// Queue is where it waits.
func (Embed) Queue() queue.Name { return queue.Imports }

// embedDelay lets what is published together be one build.
const embedDelay = 2 * time.Second

// AskEmbed asks for the vectors of an organization, now and whenever something is published.
func AskEmbed(tx *store.Tx, org string) error {
	if _, err := raise(tx, org, func(g *generation) { g.Vectors = true }); err != nil {
		return err
	}
	return askEmbed(tx, org)
}

func askEmbed(tx *store.Tx, org string) error {
	_, err := queue.Add(tx, Embed{org}, tx.DB().Now().Add(embedDelay), queue.Coalesced(org), queue.For(org, org))
	return err
}

// Read reads some chunks of what is published of a source, from a number on, and says with
// which to go on; 0: there are no more.
func Read(tx *store.Tx, org string, src *Source, n int) (list []Chunk, next int, err error) {
	if src.Type == Offers {
		list, err = OffersNow(tx, org, src)
		return list, 0, err
	}
	return ChunksFrom(tx, org, src.Version, n)
}

// maxListed bounds one read of many sources.
const maxListed = 1000

// Live are the sources of an organization that are searched.
func Live(tx *store.Tx, org string) ([]Source, error) { return all(tx, org, live.Any(isLive)) }

// Answers are the questions of a business with approved answers that are searched, newest
// last, at most limit.
func Answers(tx *store.Tx, org, business string, limit int) ([]Source, error) {
	p, err := sources.Page(tx, org, store.Query[Source]{
		Where: []store.Cond[Source]{ofBusiness.Any(business), live.Any(isLive), typeFacet.Any(string(FAQ))}, Limit: limit,
	})
	return p.Data, err
}

// all are the sources for which conditions hold.
func all(tx *store.Tx, org string, where ...store.Cond[Source]) (out []Source, err error) {
	q := store.Query[Source]{Where: where, Limit: maxListed}
	for {
		p, err := sources.Page(tx, org, q)
		if err != nil {
			return nil, err
		}
		out = append(out, p.Data...)
		if q.After = p.Next; p.Next == nil {
			return out, nil
		}
	}
}

func (s *Source) resource() audit.Resource { return audit.On("knowledge_source", s.ID, s.Title) }
