// Package content keeps what messages are made of: templates and attachments, and
// shows how a message looks to one person.
//
// It promises that a text with formatting no messenger accepts is refused when it
// is saved, not when it is sent; that preview, checks and sending render alike
// (package markup); that a file is what its content says and is served only to
// those who may (contract 6); that what something uses is not removed
// under it (Hold); and that a file on the disk without a record, or a record
// without its file, is the trace of a crash that the next cleaning removes. It
// refuses to send anything and to know what a campaign is.
package content

import (
	"log/slog"
	"time"

	"svc/app/api"
	"svc/app/content/markup"
	"svc/app/content/media"
	"svc/app/vault"
	"svc/store"
)

// Message is what a campaign or a test sends (contract 4.4). A message
// without a text takes that of its template.
type Message struct {
	TemplateID    *string       `json:"template_id" maxLength:"64"`
	Text          string        `json:"text" doc:"Up to 4096 UTF-16 units; variables as {{first_name}}, or {{first_name|friend}} with a text for people without a value." example:"Hello {{first_name}}! Stop: {{opt_out_url}}"`
	Format        markup.Format `json:"format" enum:"PLAIN,MARKDOWN,HTML" doc:"PLAIN when left out."`
	AttachmentIDs []string      `json:"attachment_ids" maxItems:"10"`
	LinkPreview   bool          `json:"link_preview"`
}

// Template is a text that is used again.
type Template struct {
	ID            string        `json:"id"`
	Name          string        `json:"name"`
	Text          string        `json:"text"`
	Format        markup.Format `json:"format"`
	AttachmentIDs []string      `json:"attachment_ids"`
	Variables     []string      `json:"variables" doc:"Found in the text."`
	Language      *string       `json:"language"`
	Category      *string       `json:"category"`
	UsesCount     int           `json:"uses_count" doc:"How many campaigns have taken it."`
	LastUsedAt    *time.Time    `json:"last_used_at"`
	CreatedBy     string        `json:"created_by"`
	CreatedAt     time.Time     `json:"created_at"`
	UpdatedAt     time.Time     `json:"updated_at"`
}

// stored is a template as it is kept: its text is sealed, and its uses are counted
// elsewhere.
type stored struct {
	Template
	Sealed store.Sealed `json:"sealed,omitzero"`
}

// Attachment is a file that messages carry.
type Attachment struct {
	ID              string     `json:"id"`
	Kind            media.Kind `json:"kind" enum:"PHOTO,VIDEO,AUDIO,VOICE,DOCUMENT,ANIMATION"`
	FileName        string     `json:"file_name"`
	MimeType        string     `json:"mime_type"`
	SizeBytes       int64      `json:"size_bytes"`
	SHA256          string     `json:"sha256"`
	Width           *int       `json:"width"`
	Height          *int       `json:"height"`
	DurationSeconds *int       `json:"duration_seconds"`
	UsedByCount     int        `json:"used_by_count" doc:"How many templates and campaigns use it. Unused for 30 days, it is removed."`
	CreatedBy       string     `json:"created_by"`
	CreatedAt       time.Time  `json:"created_at"`
}

// file is an attachment as it is kept.
type file struct {
	Attachment
	// UnusedSince is nil while something uses it.
	UnusedSince *time.Time `json:"unused_since,omitempty"`
}

// blob is the content of the attachments of an organization that are the same.
type blob struct {
	SHA256 string `json:"sha256"`
	File   string `json:"file"` // its name in the vault
	Size   int64  `json:"size"`
	// Thumb is the length of its thumbnail, 0 for none.
	Thumb int64 `json:"thumb,omitempty"`
	Refs  int   `json:"refs"`
}

// storage is how much an organization keeps.
type storage struct {
	ID    string `json:"id"`
	Bytes int64  `json:"bytes"`
}

const storageID = "storage"

var (
	templates = store.NewTable("template", "tpl", func(t *stored) string { return t.ID })
	_         = templates.Unique("name", func(t *stored) store.Key { return store.Text(store.Fold(t.Name)) })
	bySearch  = templates.Multi("search", func(t *stored) []store.Key { return SearchKeys(t.Name) })
	sorted    = map[string]*store.Index[stored]{
		"name":         templates.Index("by_name", func(t *stored) store.Key { return store.Text(store.Fold(t.Name)) }),
		"updated_at":   templates.Index("updated", func(t *stored) store.Key { return store.Time(t.UpdatedAt) }),
		"last_used_at": templates.Index("used", func(t *stored) store.Key { return optionalTime(t.LastUsedAt) }),
	}
	languageFacet = templates.Facet("language", func(t *stored) []string { return optional(t.Language) })
	categoryFacet = templates.Facet("category", func(t *stored) []string { return optional(t.Category) })
	formatFacet   = templates.Facet("format", func(t *stored) []string { return []string{string(t.Format)} })
	sealedText    = templates.Sealed("text", func(t *stored) *store.Sealed { return &t.Sealed })

	files    = store.NewTable("attachment", "att", func(f *file) string { return f.ID })
	byUnused = files.MultiAcross("unused", func(f *file) []store.Key {
		if f.UnusedSince == nil {
			return nil
		}
		return []store.Key{store.Time(*f.UnusedSince)}
	})
	blobs    = store.NewTable("blob", "", func(b *blob) string { return b.SHA256 })
	byFile   = blobs.UniqueAcross("file", func(b *blob) store.Key { return store.Text(b.File) })
	storages = store.NewTable("storage", "", func(s *storage) string { return s.ID })
)

// Tables are what a store that holds content is opened with.
func Tables() []store.AnyTable { return []store.AnyTable{templates, files, blobs, storages, holdings} }

func optionalTime(t *time.Time) store.Key {
	if t == nil {
		return nil
	}
	return store.Time(*t)
}

func optional(s *string) []string {
	if s == nil {
		return nil
	}
	return []string{*s}
}

// Options of the service.
type Options struct {
	// Vault has the files.
	Vault *vault.Vault
	// PublicURL is where people reach the service, without a slash at its end.
	PublicURL string
	// HasAttribute says whether any recipient of the organization has an attribute of
	// that key. nil: a variable that the person at hand does not have is unknown.
	HasAttribute func(tx *store.Tx, org, key string) (bool, error)
	// Log hears of files that a crash left behind. nil: nobody does.
	Log *slog.Logger
}

// Service does the operations of the slice.
type Service struct {
	db    *store.DB
	vault *vault.Vault
	o     Options
}

// New makes the service. It starts nothing; see Work.
func New(db *store.DB, o Options) *Service {
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	return &Service{db: db, vault: o.Vault, o: o}
}

// AttachmentNames are the file names of attachments by id.
func AttachmentNames(tx *store.Tx, org string, ids []string) (map[string]string, error) {
	return api.Names(tx, org, files, ids, func(f *file) string { return f.FileName })
}
