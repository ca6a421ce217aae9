// Package entity translates formatted text between the messenger and this service.
//
// It promises that what comes back is what was sent, position by position. It refuses kinds
// of formatting that the service does not know: they are left out, and their text stays.
package entity

import (
	"github.com/gotd/td/tg"

	"svc/messenger"
)

// Of translates the formatted parts of a text. Types that the platform has no
// word for stay plain.
func Of(in []messenger.Entity) []tg.MessageEntityClass {
	var out []tg.MessageEntityClass
	for _, e := range in {
		if made := entityOf(e); made != nil {
			out = append(out, made)
		}
	}
	return out
}

// Formatted are the parts of a text that package messenger has words for. The platform
// also marks links, mentions and the like, which anybody finds in the text.
func Formatted(in []tg.MessageEntityClass) []messenger.Entity {
	var out []messenger.Entity
	for _, e := range in {
		made := messenger.Entity{Offset: e.GetOffset(), Length: e.GetLength()}
		switch e := e.(type) {
		case *tg.MessageEntityBold:
			made.Type = "bold"
		case *tg.MessageEntityItalic:
			made.Type = "italic"
		case *tg.MessageEntityUnderline:
			made.Type = "underline"
		case *tg.MessageEntityStrike:
			made.Type = "strikethrough"
		case *tg.MessageEntitySpoiler:
			made.Type = "spoiler"
		case *tg.MessageEntityCode:
			made.Type = "code"
		case *tg.MessageEntityPre:
			made.Type, made.Language = "pre", e.Language
		case *tg.MessageEntityBlockquote:
			made.Type, made.Collapsed = "blockquote", e.Collapsed
		case *tg.MessageEntityTextURL:
			made.Type, made.URL = "text_url", e.URL
		default:
			continue
		}
		out = append(out, made)
	}
	return out
}

func entityOf(e messenger.Entity) tg.MessageEntityClass {
	switch e.Type {
	case "bold":
		return &tg.MessageEntityBold{Offset: e.Offset, Length: e.Length}
	case "italic":
		return &tg.MessageEntityItalic{Offset: e.Offset, Length: e.Length}
	case "underline":
		return &tg.MessageEntityUnderline{Offset: e.Offset, Length: e.Length}
	case "strikethrough":
		return &tg.MessageEntityStrike{Offset: e.Offset, Length: e.Length}
	case "spoiler":
		return &tg.MessageEntitySpoiler{Offset: e.Offset, Length: e.Length}
	case "code":
		return &tg.MessageEntityCode{Offset: e.Offset, Length: e.Length}
	case "pre":
		return &tg.MessageEntityPre{Offset: e.Offset, Length: e.Length, Language: e.Language}
	case "blockquote":
		return &tg.MessageEntityBlockquote{Collapsed: e.Collapsed, Offset: e.Offset, Length: e.Length}
	case "text_url":
		return &tg.MessageEntityTextURL{Offset: e.Offset, Length: e.Length, URL: e.URL}
	default:
		return nil
	}
}
