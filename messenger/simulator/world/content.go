package world

import (
	"crypto/rand"
	"encoding/binary"
	"fmt"
	"slices"

	"github.com/gotd/td/bin"
	"github.com/gotd/td/tg"

	"svc/messenger/simulator/world/record"
)

// SendContent lets a person send something to an account. from is @username or an id; the result
// are the messages as the account has them.
func (w *World) SendContent(from, number string, c record.Content) (out []*record.Message, err error) {
	bad := w.between(from, number, func(p *record.Person, a *account) { out, err = w.addContent(a, p.ID, false, c) })
	if bad != nil {
		return nil, bad
	}
	return out, err
}

// TypeContent is what the owner of an account sends to a person in the messenger's own app.
func (w *World) TypeContent(number, to string, c record.Content) (out []*record.Message, err error) {
	bad := w.between(to, number, func(p *record.Person, a *account) { out, err = w.addContent(a, p.ID, true, c) })
	if bad != nil {
		return nil, bad
	}
	return out, err
}

func (w *World) addContent(a *account, peer int64, out bool, c record.Content) ([]*record.Message, error) {
	if c.At.IsZero() {
		c.At = w.o.Now()
	}
	m := record.Message{Peer: peer, Out: out, At: c.At.Unix(), Text: c.Text, Entities: vector(c.Entities), ReplyTo: c.ReplyTo, Short: c.Short}
	if c.Place != nil || c.Card != nil || c.Forward != nil {
		m.Extra = &record.Extra{Place: c.Place, Card: c.Card, Forward: c.Forward}
	}
	if len(c.Files) > record.MaxAlbum {
		return nil, fmt.Errorf("an album has at most %d files", record.MaxAlbum)
	}
	if len(c.Files) > 1 {
		var b [8]byte
		_, _ = rand.Read(b[:]) // never fails
		m.Group = int64(binary.LittleEndian.Uint64(b[:])>>1 | 1)
	}
	var all []*record.Message
	for i := range max(len(c.Files), 1) {
		next := m
		if i > 0 {
			next.Text, next.Entities = "", nil
		}
		if len(c.Files) > 0 {
			f, err := w.keepFile(Upload{Name: c.Files[i].Name, File: fileOf(&c.Files[i])}, c.Files[i].Content)
			if err != nil {
				return all, err
			}
			next.File = f.ID
		}
		next.ID = a.lastID + 1
		w.put(&record.Record{K: record.KindMessage, Account: a.id, Message: &next, Pts: a.pts + 1})
		w.emit(a, nil)
		all = append(all, &next)
	}
	return all, nil
}

// fileOf is what the platform says about an attachment.
func fileOf(x *record.Attachment) record.File {
	f := record.File{Photo: x.Kind == "PHOTO", Mime: x.Mime, Width: x.Width, Height: x.Height}
	if f.Photo {
		return f
	}
	var list []tg.DocumentAttributeClass
	video := &tg.DocumentAttributeVideo{W: x.Width, H: x.Height, Duration: float64(x.Seconds)}
	switch x.Kind {
	case "VIDEO":
		list = append(list, video)
	case "VIDEO_NOTE":
		video.RoundMessage = true
		list = append(list, video)
	case "ANIMATION":
		list = append(list, &tg.DocumentAttributeAnimated{}, video)
	case "AUDIO":
		list = append(list, &tg.DocumentAttributeAudio{Duration: x.Seconds})
	case "VOICE":
		voice := &tg.DocumentAttributeAudio{Voice: true, Duration: x.Seconds}
		if len(x.Waveform) > 0 {
			voice.SetWaveform(x.Waveform)
		}
		list = append(list, voice)
	case "STICKER":
		list = append(list, &tg.DocumentAttributeImageSize{W: x.Width, H: x.Height},
			&tg.DocumentAttributeSticker{Alt: "🙂", Stickerset: &tg.InputStickerSetEmpty{}})
	}
	if x.Name != "" {
		list = append(list, &tg.DocumentAttributeFilename{FileName: x.Name})
	}
	f.Attributes = vector(list)
	return f
}

// vector is a list as the platform encodes it, nil for an empty one.
func vector[T bin.Encoder](in []T) []byte {
	if len(in) == 0 {
		return nil
	}
	var b bin.Buffer
	b.PutVectorHeader(len(in))
	for _, e := range in {
		if err := e.Encode(&b); err != nil {
			return nil
		}
	}
	return b.Buf
}

// React lets a person react to a message of an account, or its owner with "" for the
// person. Without an emoji the reaction is taken away.
func (w *World) React(number string, id int, person, emoji string) error {
	return w.do(func() error {
		a, err := w.account(number)
		if err != nil {
			return err
		}
		m := a.find(id)
		if m == nil {
			return fmt.Errorf("%s has no message %d", number, id)
		}
		if person != "" {
			p, err := w.who(person)
			if err != nil {
				return err
			}
			if p.ID != m.Peer {
				return fmt.Errorf("message %d of %s is not in the chat with %s", id, number, person)
			}
		}
		w.mark(a, m, person == "", emoji)
		return nil
	})
}

func (w *World) mark(a *account, m *record.Message, out bool, emoji string) {
	next, extra := *m, record.Extra{}
	if m.Extra != nil {
		extra = *m.Extra
	}
	extra.Reactions = slices.DeleteFunc(slices.Clone(extra.Reactions), func(r record.Mark) bool { return r.Out == out })
	if emoji != "" {
		extra.Reactions = append(extra.Reactions, record.Mark{Emoji: emoji, Out: out, At: w.o.Now().Unix()})
	}
	next.Extra = &extra
	w.put(&record.Record{K: record.KindReact, Account: a.id, Message: &next, Pts: a.pts + 1})
	w.emit(a, nil)
}

// ReadOwn lets the owner of an account read, in the messenger's own app, what a person
// wrote, up to a message; 0 is everything.
func (w *World) ReadOwn(number, person string, upTo int) error {
	return w.between(person, number, func(p *record.Person, a *account) {
		last := a.lastOf(p.ID, false, upTo)
		if last > a.readIn[p.ID] {
			w.put(&record.Record{K: record.KindRead, Account: a.id, Peer: p.ID, UpTo: last, Pts: a.pts + 1})
			w.emit(a, nil)
		}
	})
}

// Unread is how many messages of a person an account has not read.
func (w *World) Unread(number, person string) (n int, err error) {
	err = w.between(person, number, func(p *record.Person, a *account) { n = a.unread(p.ID) })
	return n, err
}

// Places are where the update sequences of all accounts stand, by account.
func (w *World) Places() map[int64]int {
	w.mu.Lock()
	defer w.mu.Unlock()
	out := make(map[int64]int, len(w.accounts))
	for id, a := range w.accounts {
		out[id] = a.pts
	}
	return out
}

// lastOf is the newest message of one side of a chat, up to an id (0 for all); 0 for none.
func (a *account) lastOf(peer int64, out bool, upTo int) int {
	for _, m := range slices.Backward(a.messages) {
		if m.Peer == peer && m.Out == out && (upTo == 0 || m.ID <= upTo) {
			return m.ID
		}
	}
	return 0
}
