package content

import (
	"errors"
	"path"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"svc/app/api"
	"svc/app/content/markup"
	"svc/app/content/media"
	"svc/store"
)

// Bounds (contract 47, 4.4 and 6).
const (
	MaxFile        = 20 << 20
	MaxPhoto       = 10 << 20
	MaxAttachments = 10
	maxName        = 120
	maxFileName    = 200
	megabyte       = 1 << 20
)

// MaxLength is how long the text of a message may be in UTF-16 units when it is
// sent (contract 5: message_length).
func MaxLength(attachments int) int {
	if attachments > 0 {
		return markup.MaxCaption
	}
	return markup.MaxLength
}

// Parse reads the text of a message. Its error is a *markup.SyntaxError: what no messenger
// takes, and a default for the opt-out link, which everybody has and nothing replaces
// (contract 21.2, Variables).
func Parse(text string, f markup.Format) (*markup.Text, error) {
	t, err := markup.Parse(text, f)
	if err == nil && slices.Contains(t.WithDefault(), OptOutVariable) {
		return nil, &markup.SyntaxError{Problem: "{{" + OptOutVariable + "}} is the personal link to opt out, which everybody has; write it without a text behind |"}
	}
	return t, err
}

// read reads the text of a field of a request. Its error names the field.
func read(field, text string, f markup.Format) (*markup.Text, error) {
	t, err := Parse(text, f)
	if err != nil {
		return nil, api.Wrong(field, "%v", err)
	}
	return t, nil
}

// formatOr is the format, or PLAIN when there is none.
func formatOr(f markup.Format) markup.Format {
	if f == "" {
		return markup.Plain
	}
	return f
}

// fits says what is wrong with a file of that kind and size.
func fits(kind media.Kind, size int64) error {
	switch {
	case size > MaxFile:
		return errTooLarge
	case kind == media.Photo && size > MaxPhoto:
		return errPhotoLarge
	}
	return nil
}

// CheckAlbum says what is wrong with sending attachments as one message, as
// validation_failed for that field. Several become an album, and the messenger takes
// pictures with videos, documents among themselves, and music among itself; a voice
// message and an animation go alone.
func CheckAlbum(field string, list []Attachment) error {
	if len(list) < 2 {
		return nil
	}
	first := albumOf(list[0].Kind)
	for i := range list {
		if of := albumOf(list[i].Kind); of == "" || of != first {
			return api.Wrong(field, "these files cannot go in one message: pictures and videos go together, documents only with documents, "+
				"music only with music, a voice message or an animation alone; leave some out")
		}
	}
	return nil
}

// albumOf is the kind of album that takes such a file, "" for none.
func albumOf(k media.Kind) media.Kind {
	switch k {
	case media.Photo, media.Video:
		return media.Photo
	case media.Document, media.Audio:
		return k
	}
	return ""
}

// FileName makes what a client calls its file a name that is safe to show and to
// save: no folders, no characters that are not seen or that turn the direction of
// writing around.
func FileName(s string) string {
	s = path.Base(strings.ReplaceAll(strings.ToValidUTF8(s, ""), `\`, "/"))
	s = strings.Map(func(r rune) rune {
		if !unicode.IsGraphic(r) || unicode.Is(unicode.Cf, r) || strings.ContainsRune(`<>:"|?*/`, r) {
			return -1
		}
		return r
	}, s)
	s = strings.Trim(s, ". ")
	if s == "" {
		return "file"
	}
	return shorten(s)
}

// shorten keeps the ending of a long name.
func shorten(name string) string {
	ending := path.Ext(name)
	if len(ending) > 20 {
		ending = ""
	}
	stem := strings.TrimSuffix(name, ending)
	for len(stem)+len(ending) > maxFileName {
		_, n := utf8.DecodeLastRuneInString(stem)
		stem = stem[:len(stem)-n]
	}
	return stem + ending
}

// megabytes is how many the plan counts for that many bytes: what has begun.
func megabytes(bytes int64) int { return int((bytes + megabyte - 1) / megabyte) }

// SearchKeys are the beginnings of the words of a name, each with what follows: what a
// search by name (q) finds.
func SearchKeys(name string) (out []store.Key) {
	const most = 20
	rest := store.Fold(name)
	for range most {
		rest = strings.TrimLeftFunc(rest, unicode.IsSpace)
		if rest == "" {
			break
		}
		if k := store.Text(rest); !slices.ContainsFunc(out, func(o store.Key) bool { return string(o) == string(k) }) {
			out = append(out, k)
		}
		i := strings.IndexFunc(rest, unicode.IsSpace)
		if i < 0 {
			break
		}
		rest = rest[i:]
	}
	return out
}

// wrongTemplate is validation_failed for a template that is not there.
func wrongTemplate(at string, err error) error {
	if errors.Is(err, store.ErrNotFound) {
		return api.Wrong(at+".template_id", "there is no such template")
	}
	return err
}
