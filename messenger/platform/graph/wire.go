package graph

import (
	"encoding/json"
	"time"

	"svc/messenger/platform"
)

// change is a field that changed, with its value.
type change struct {
	Field string          `json:"field"`
	Value json.RawMessage `json:"value"`
}

type wireParty struct {
	ID       Text   `json:"id"`
	Username string `json:"username"`
	Name     string `json:"name"`
}

type wireReferral struct {
	Ref    string `json:"ref"`
	Source string `json:"source"`
	Type   string `json:"type"`
	AdID   Text   `json:"ad_id"`
}

func (r *wireReferral) of() *platform.Referral {
	if r == nil {
		return nil
	}
	return &platform.Referral{Ref: r.Ref, Source: r.Source, Type: r.Type, AdID: string(r.AdID)}
}

type wireAttachment struct {
	Type    string `json:"type"`
	Payload struct {
		URL     string `json:"url"`
		Title   string `json:"title"`
		Sticker Text   `json:"sticker_id"`
	} `json:"payload"`
}

type wireMessage struct {
	MID     string `json:"mid"`
	Text    string `json:"text"`
	ReplyTo *struct {
		MID   string `json:"mid"`
		Story *struct {
			ID  Text   `json:"id"`
			URL string `json:"url"`
		} `json:"story"`
	} `json:"reply_to"`
	Attachments []wireAttachment `json:"attachments"`
	Unsupported bool             `json:"is_unsupported"`
	Deleted     bool             `json:"is_deleted"`
	Echo        bool             `json:"is_echo"`
	App         Text             `json:"app_id"`
	Metadata    string           `json:"metadata"`
	Referral    *wireReferral    `json:"referral"`
}

type wireMessaging struct {
	Sender    wireParty     `json:"sender"`
	Recipient wireParty     `json:"recipient"`
	Timestamp json.Number   `json:"timestamp"`
	Message   *wireMessage  `json:"message"`
	Edit      *wireEdit     `json:"message_edit"`
	Reaction  *wireReact    `json:"reaction"`
	Read      *wireMarks    `json:"read"`
	Delivery  *wireMarks    `json:"delivery"`
	Postback  *wirePostback `json:"postback"`
	Referral  *wireReferral `json:"referral"`
	OptIn     *wireOptIn    `json:"optin"`
	Pass      *wireControl  `json:"pass_thread_control"`
	Take      *wireControl  `json:"take_thread_control"`
	Request   *wireControl  `json:"request_thread_control"`
	Policy    *wirePolicy   `json:"policy_enforcement"`
}

type (
	wireEdit struct {
		MID  string `json:"mid"`
		Text string `json:"text"`
		N    int    `json:"num_edit"`
	}
	wireReact struct {
		MID      string `json:"mid"`
		Action   string `json:"action"`
		Reaction string `json:"reaction"`
		Emoji    string `json:"emoji"`
	}
	wireMarks struct {
		MID       string      `json:"mid"`
		MIDs      []string    `json:"mids"`
		Watermark json.Number `json:"watermark"`
	}
	wirePostback struct {
		MID      string        `json:"mid"`
		Title    string        `json:"title"`
		Payload  string        `json:"payload"`
		Referral *wireReferral `json:"referral"`
	}
	wireOptIn struct {
		Type    string      `json:"type"`
		Title   string      `json:"title"`
		Token   string      `json:"notification_messages_token"`
		Expires json.Number `json:"token_expiry_timestamp"`
		Status  string      `json:"notification_messages_status"`
		User    string      `json:"user_token_status"`
	}
	wireControl struct {
		NewOwner Text `json:"new_owner_app_id"`
	}
	wirePolicy struct {
		Action string `json:"action"`
		Reason string `json:"reason"`
	}
)

func emojiOf(r *wireReact) string {
	if r.Emoji != "" {
		return r.Emoji
	}
	switch r.Reaction {
	case "love", "":
		return "❤"
	case "like":
		return "👍"
	case "dislike":
		return "👎"
	case "haha", "smile":
		return "😆"
	case "wow":
		return "😮"
	case "sad":
		return "😢"
	case "angry":
		return "😠"
	}
	return "❤"
}

// of is a message in the words of the platform.
func (m *wireMessage) of(from, to string, at time.Time) platform.Message {
	out := platform.Message{
		ID: m.MID, From: from, To: to, At: at, Text: m.Text, Unsupported: m.Unsupported, Deleted: m.Deleted, Echo: m.Echo,
		App: string(m.App), Tag: m.Metadata, Referral: m.Referral.of(),
	}
	if r := m.ReplyTo; r != nil {
		out.ReplyTo = r.MID
		if r.Story != nil {
			out.Story = string(r.Story.ID)
			out.Attachments = append(out.Attachments, platform.Attachment{Kind: "story", URL: r.Story.URL})
		}
	}
	sticker := ""
	for i := range m.Attachments {
		a := &m.Attachments[i]
		if a.Payload.Sticker != "" { // until a date one sticker came twice, as an image too
			if sticker == string(a.Payload.Sticker) {
				continue
			}
			sticker = string(a.Payload.Sticker)
		}
		out.Attachments = append(out.Attachments, a.of())
	}
	return out
}

// kinds are what attachments are to us; others are shared things.
var kinds = map[string]string{
	"image": "photo", "video": "video", "audio": "audio", "file": "document", "sticker": "sticker", "story_mention": "story_mention",
	"animated_image": "animation",
}

func (a *wireAttachment) of() platform.Attachment {
	kind := kinds[a.Type]
	switch {
	case a.Payload.Sticker != "":
		kind = "sticker"
	case kind == "":
		kind = "share"
	}
	return platform.Attachment{Kind: kind, URL: a.Payload.URL, Name: platform.Cut(a.Payload.Title)}
}
