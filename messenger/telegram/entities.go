package telegram

import (
	"github.com/gotd/td/tg"

	"svc/messenger"
)

// entitiesOf translates the formatted parts of a text. Types that the platform has no
// word for stay plain.
func entitiesOf(in []messenger.Entity) []tg.MessageEntityClass {
	var out []tg.MessageEntityClass
	for _, e := range in {
		if made := entityOf(e); made != nil {
			out = append(out, made)
		}
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
