package source

import (
	"time"

	"svc/app/api"
	"svc/store"
)

// Shown is a source as the API answers it.
type Shown struct {
	ID               string     `json:"id"`
	BusinessID       string     `json:"business_id"`
	Business         *api.Named `json:"business"`
	Type             Type       `json:"type" enum:"TEXT,FAQ,OFFERS,FILE,WEB_PAGE"`
	Title            string     `json:"title"`
	Language         *string    `json:"language" enum:"uz,ru,en" doc:"null: found for each chunk."`
	Status           Status     `json:"status" enum:"PENDING,INGESTING,READY,FAILED,DISABLED" doc:"A source that is not DISABLED is searched as soon as it has a published version."`
	PublishedVersion *int       `json:"published_version"`
	LatestVersion    *int       `json:"latest_version"`
	ErrorCode        *Code      `json:"error_code" doc:"Why it could not be read last; the published version stays in use."`
	ChunksCount      int        `json:"chunks_count" doc:"Of the published version."`
	TokensCount      int64      `json:"tokens_count" doc:"About; of the published version."`
	URL              *string    `json:"url"`
	RefreshHours     *int       `json:"refresh_hours" doc:"Of web pages; 0: not read again by itself."`
	Question         *string    `json:"question"`
	Answer           *string    `json:"answer"`
	FileName         *string    `json:"file_name"`
	SizeBytes        *int64     `json:"size_bytes"`
	LastIngestedAt   *time.Time `json:"last_ingested_at"`
	CreatedBy        string     `json:"created_by"`
	Creator          *api.Named `json:"creator"`
	CreatedAt        time.Time  `json:"created_at"`
	UpdatedAt        time.Time  `json:"updated_at"`
}

// Shown is the source as the API answers it.
func (s *Source) Shown(org string) Shown {
	out := Shown{
		ID: s.ID, BusinessID: s.BusinessID, Business: api.Ref(org, s.BusinessID), Type: s.Type, Title: s.Title, Language: api.Optional(s.Language),
		Status: s.Status, PublishedVersion: api.Optional(s.Published), LatestVersion: api.Optional(s.Latest), ErrorCode: api.Optional(s.ErrorCode),
		ChunksCount: s.Chunks, TokensCount: s.Tokens, URL: api.Optional(s.URL), Question: api.Optional(s.Question), Answer: api.Optional(s.Answer),
		FileName: api.Optional(s.FileName), SizeBytes: api.Optional(s.Size), LastIngestedAt: s.LastIngestedAt,
		CreatedBy: s.CreatedBy, Creator: api.Ref(org, s.CreatedBy), CreatedAt: s.CreatedAt, UpdatedAt: s.UpdatedAt,
	}
	if s.Type == WebPage {
		out.RefreshHours = &s.RefreshHours
	}
	return out
}

// Detail is a source with what it says.
type Detail struct {
	Shown
	Text   *string      `json:"text" doc:"Of a source of the type TEXT."`
	Chunks []ShownChunk `json:"chunks" doc:"The first of the published version, as they are searched; at most 100."`
}

// ShownChunk is a chunk as people see it.
type ShownChunk struct {
	N        int     `json:"n"`
	Title    string  `json:"title"`
	Text     string  `json:"text"`
	Language *string `json:"language"`
}

const maxShownChunks = 100

func detail(tx *store.Tx, org string, s *Source) (out Detail, err error) {
	out = Detail{Shown: s.Shown(org), Chunks: []ShownChunk{}}
	if s.Type == Text {
		text, err := TextOf(tx, org, s.ID)
		if err != nil {
			return out, err
		}
		out.Text = &text
	}
	chunks, err := shownChunks(tx, org, s)
	for _, c := range chunks[:min(len(chunks), maxShownChunks)] {
		out.Chunks = append(out.Chunks, ShownChunk{c.N, c.Title, c.Text, api.Optional(c.Lang)})
	}
	return out, err
}

func shownChunks(tx *store.Tx, org string, s *Source) ([]Chunk, error) {
	switch {
	case s.Published == 0:
		return nil, nil
	case s.Type == Offers:
		list, err := OffersNow(tx, org, s)
		return list, err
	}
	chunks, _, err := ChunksFrom(tx, org, s.Version, 0)
	return chunks, err
}

type listIn struct {
	api.PageIn
	BusinessID string `query:"business_id" maxLength:"64"`
	Type       Type   `query:"type" enum:"TEXT,FAQ,OFFERS,FILE,WEB_PAGE"`
	Status     Status `query:"status" enum:"PENDING,INGESTING,READY,FAILED,DISABLED"`
	Sort       string `query:"sort" enum:"created_at,-created_at,title,-title" default:"-created_at"`
}

func (s *Service) list(c *api.Call, in listIn) (out api.Page[Shown], err error) {
	q := store.Query[Source]{Offset: in.Offset, Limit: in.Limit, After: in.Behind(), Reverse: in.Sort[0] == '-'}
	if in.Sort == "title" || in.Sort == "-title" {
		q.Sort = byTitle
	}
	for _, f := range []struct {
		facet *store.Facet[Source]
		value string
	}{{ofBusiness, in.BusinessID}, {typeFacet, string(in.Type)}, {statusFacet, string(in.Status)}} {
		if f.value != "" {
			q.Where = append(q.Where, f.facet.Any(f.value))
		}
	}
	return api.ListOf(c, s.db, sources, q, in.PageIn, func(_ *store.Tx, x *Source) (Shown, error) { return x.Shown(c.Org), nil })
}

type idIn struct {
	ID string `path:"id" maxLength:"64"`
}

func (s *Service) get(c *api.Call, in idIn) (out Detail, err error) {
	err = s.db.View(c, func(tx *store.Tx) error {
		src, err := sources.Get(tx, c.Org, in.ID)
		if err != nil {
			return err
		}
		out, err = detail(tx, c.Org, &src)
		return err
	})
	return out, err
}
