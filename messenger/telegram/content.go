package telegram

import (
	"cmp"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"svc/messenger/telegram/entity"

	"github.com/gotd/td/bin"
	"github.com/gotd/td/tg"

	"svc/messenger"
)

// Bounds of what strangers write beside the text of a message, in characters.
const (
	maxFileName = 255
	maxPlace    = 255
	maxWaveform = 256 // bytes
)

// incoming is a message as the caller of the driver gets it. who are the people that came
// with it, self is the account.
func incoming(m *tg.Message, p messenger.Peer, who people, self int64) (messenger.Incoming, error) {
	var raw bin.Buffer
	if err := m.Encode(&raw); err != nil {
		return messenger.Incoming{}, err
	}
	in := messenger.Incoming{
		ID: m.ID, Peer: p, Out: m.Out, At: unix(m.Date), Text: m.Message, Entities: entity.Formatted(m.Entities),
		Album: m.GroupedID, EditedAt: unix(m.EditDate), Reactions: reactionsOf(m.Reactions, self), Raw: raw.Raw(),
	}
	if r, ok := m.ReplyTo.(*tg.MessageReplyHeader); ok && r.ReplyToPeerID == nil {
		in.ReplyTo = r.ReplyToMsgID // one of another chat has an id of that chat
	}
	if f, ok := m.GetFwdFrom(); ok {
		in.Forward = &messenger.Forward{Name: origin(f, who), At: unix(f.Date)}
	}
	switch media := m.Media.(type) {
	case *tg.MessageMediaPhoto, *tg.MessageMediaDocument:
		in.Media = fileOf(media)
	case *tg.MessageMediaGeo:
		in.Location = locationOf(media.Geo, "", "")
	case *tg.MessageMediaGeoLive:
		in.Location = locationOf(media.Geo, "", "")
	case *tg.MessageMediaVenue:
		in.Location = locationOf(media.Geo, media.Title, media.Address)
	case *tg.MessageMediaContact:
		in.Contact = &messenger.ContactCard{
			Phone: short(media.PhoneNumber, maxPlace), FirstName: short(media.FirstName, maxPlace),
			LastName: short(media.LastName, maxPlace), UserID: media.UserID,
		}
	}
	return in, nil
}

// unix is a time of the platform, zero for 0.
func unix(seconds int) time.Time {
	if seconds == 0 {
		return time.Time{}
	}
	return time.Unix(int64(seconds), 0).UTC()
}

// short is at most n characters of a text that somebody chose, valid as UTF-8.
func short(s string, n int) string {
	s = strings.ToValidUTF8(s, "�")
	if utf8.RuneCountInString(s) <= n {
		return s
	}
	return string([]rune(s)[:n])
}

// origin is the name of who wrote a forwarded message first, "" when it is hidden.
func origin(f tg.MessageFwdHeader, who people) string {
	name := cmp.Or(f.FromName, f.PostAuthor)
	if from, ok := f.FromID.(*tg.PeerUser); ok && who[from.UserID] != nil {
		u := who[from.UserID]
		name = cmp.Or(strings.TrimSpace(u.FirstName+" "+u.LastName), name)
	}
	return short(name, maxPlace)
}

func locationOf(g tg.GeoPointClass, title, address string) *messenger.Location {
	at, ok := g.(*tg.GeoPoint)
	if !ok {
		return nil
	}
	return &messenger.Location{Lat: at.Lat, Lon: at.Long, Title: short(title, maxPlace), Address: short(address, maxPlace)}
}

// reactionsOf are the emoji of both sides. The platform lists who reacted, or, where it
// does not, how many did and whether the account is one of them. A custom emoji has no
// character and is left out.
func reactionsOf(r tg.MessageReactions, self int64) []messenger.Reaction {
	var out []messenger.Reaction
	for _, one := range r.RecentReactions {
		if e, ok := one.Reaction.(*tg.ReactionEmoji); ok {
			by, _ := one.PeerID.(*tg.PeerUser)
			out = append(out, messenger.Reaction{Emoji: e.Emoticon, Out: one.My || by != nil && by.UserID == self, At: unix(one.Date)})
		}
	}
	if len(r.RecentReactions) > 0 {
		return out
	}
	for _, n := range r.Results {
		e, ok := n.Reaction.(*tg.ReactionEmoji)
		if !ok {
			continue
		}
		_, mine := n.GetChosenOrder()
		if mine {
			out = append(out, messenger.Reaction{Emoji: e.Emoticon, Out: true})
		}
		if !mine && n.Count > 0 || n.Count > 1 {
			out = append(out, messenger.Reaction{Emoji: e.Emoticon})
		}
	}
	return out
}

// fileOf describes the file of a message. One that vanishes after it was seen is never
// fetched, and one that the platform no longer has cannot be: both have no reference.
func fileOf(m tg.MessageMediaClass) *messenger.Media {
	switch m := m.(type) {
	case *tg.MessageMediaPhoto:
		out := &messenger.Media{Kind: "PHOTO", MimeType: "image/jpeg"}
		if p, ok := m.Photo.(*tg.Photo); ok {
			t := largest(p.Sizes)
			out.Width, out.Height, out.Size = t.w, t.h, t.size
			if m.TTLSeconds == 0 {
				out.Ref = filePlace{Photo: true, ID: p.ID, Hash: p.AccessHash, Reference: p.FileReference, Type: t.kind, Size: t.size}.encode()
			}
		}
		return out
	case *tg.MessageMediaDocument:
		out := &messenger.Media{Kind: "DOCUMENT"}
		if d, ok := m.Document.(*tg.Document); ok {
			describe(out, d)
			if m.TTLSeconds == 0 {
				out.Ref = filePlace{ID: d.ID, Hash: d.AccessHash, Reference: d.FileReference, Size: d.Size}.encode()
			}
		}
		return out
	}
	return nil
}

// picture is one size of a photo.
type picture struct {
	kind string
	w, h int
	size int64
}

func largest(sizes []tg.PhotoSizeClass) (best picture) {
	for _, s := range sizes {
		var p picture
		switch s := s.(type) {
		case *tg.PhotoSize:
			p = picture{s.Type, s.W, s.H, int64(s.Size)}
		case *tg.PhotoSizeProgressive:
			p = picture{s.Type, s.W, s.H, 0}
			if len(s.Sizes) > 0 {
				p.size = int64(slices.Max(s.Sizes))
			}
		}
		if p.w*p.h > best.w*best.h || best.kind == "" {
			best = p
		}
	}
	return best
}

// describe reads what a document says about itself.
func describe(out *messenger.Media, d *tg.Document) {
	out.MimeType, out.Size = short(d.MimeType, maxFileName), d.Size
	rank := 0 // a sticker may be a video too, an animation always is
	is := func(n int, kind string) {
		if n > rank {
			rank, out.Kind = n, kind
		}
	}
	for _, a := range d.Attributes {
		switch a := a.(type) {
		case *tg.DocumentAttributeFilename:
			out.Name = short(a.FileName, maxFileName)
		case *tg.DocumentAttributeImageSize:
			out.Width, out.Height = a.W, a.H
		case *tg.DocumentAttributeSticker:
			is(3, "STICKER")
		case *tg.DocumentAttributeAnimated:
			is(2, "ANIMATION")
		case *tg.DocumentAttributeVideo:
			out.Width, out.Height, out.Seconds = a.W, a.H, int(min(max(a.Duration, 0), maxSeconds))
			if is(1, "VIDEO"); a.RoundMessage {
				is(2, "VIDEO_NOTE")
			}
		case *tg.DocumentAttributeAudio:
			out.Seconds = min(max(a.Duration, 0), maxSeconds)
			if is(1, "AUDIO"); a.Voice {
				is(2, "VOICE")
				out.Waveform = slices.Clone(a.Waveform[:min(len(a.Waveform), maxWaveform)])
			}
		}
	}
}
