package graph

import (
	"bytes"
	"fmt"
	"strings"
	"time"

	"svc/messenger/platform"
)

// History is a message as a conversation lists it.
type History struct {
	ID          string      `json:"id"`
	Created     string      `json:"created_time"`
	From        wireParty   `json:"from"`
	To          wireTo      `json:"to"`
	Message     string      `json:"message"`
	Attachments wireListed  `json:"attachments"`
	Reactions   wireReacted `json:"reactions"`
	ReplyTo     *struct {
		MID string `json:"mid"`
	} `json:"reply_to"`
	Unsupported bool `json:"is_unsupported"`
}

type (
	wireTo struct {
		Data []wireParty `json:"data"`
	}
	wireListed struct {
		Data []struct {
			Mime  string          `json:"mime_type"`
			Name  string          `json:"name"`
			Image *wireListedFile `json:"image_data"`
			Video *wireListedFile `json:"video_data"`
			File  string          `json:"file_url"`
		} `json:"data"`
	}
	wireListedFile struct {
		URL string `json:"url"`
	}
	wireReacted struct {
		Data []struct {
			Emoji string      `json:"reaction"`
			Users []wireParty `json:"users"`
		} `json:"data"`
	}
)

// Of is the message in the words of the platform.
func (h *History) Of() platform.Message {
	at, _ := ParseTime(h.Created)
	m := platform.Message{ID: h.ID, From: string(h.From.ID), At: at, Text: h.Message, Unsupported: h.Unsupported}
	if len(h.To.Data) > 0 {
		m.To = string(h.To.Data[0].ID)
	}
	if h.ReplyTo != nil {
		m.ReplyTo = h.ReplyTo.MID
	}
	for _, a := range h.Attachments.Data {
		f := platform.Attachment{Kind: "document", URL: a.File, Name: platform.Cut(a.Name)}
		switch {
		case a.Image != nil:
			f.Kind, f.URL = "photo", a.Image.URL
		case a.Video != nil:
			f.Kind, f.URL = "video", a.Video.URL
		case strings.HasPrefix(a.Mime, "audio/"):
			f.Kind = "audio"
		}
		m.Attachments = append(m.Attachments, f)
	}
	for _, r := range h.Reactions.Data {
		for _, u := range r.Users {
			m.Reactions = append(m.Reactions, platform.Reacted{Person: string(u.ID), Emoji: r.Emoji})
		}
	}
	return m
}

// ParseTime reads a time as the network writes it.
func ParseTime(s string) (time.Time, error) {
	for _, layout := range []string{"2006-01-02T15:04:05-0700", time.RFC3339} {
		if t, err := time.Parse(layout, s); err == nil {
			return t.UTC(), nil
		}
	}
	return time.Time{}, errOdd
}

// Escape writes a body as the network does: what is not ASCII as \uXXXX, and / as \/.
func Escape(body []byte) []byte {
	var b bytes.Buffer
	for _, r := range string(body) {
		switch {
		case r == '/':
			b.WriteString(`\/`)
		case r < 0x80:
			b.WriteRune(r)
		case r > 0xFFFF:
			r -= 0x10000
			fmt.Fprintf(&b, `\u%04x\u%04x`, 0xD800+(r>>10), 0xDC00+(r&0x3FF))
		default:
			fmt.Fprintf(&b, `\u%04x`, r)
		}
	}
	return b.Bytes()
}
