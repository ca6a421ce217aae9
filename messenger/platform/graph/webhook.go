package graph

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"time"

	"svc/messenger/platform"
)

// ErrNoWebhook is the error of a body that is no webhook.
var ErrNoWebhook = errors.New("platform: the body is no webhook")

// Parse reads the body of a webhook. Entries and items that are not understood are left out
// and counted: a signed body with one odd item has others that are needed.
func Parse(body []byte) (updates []platform.Update, odd int, err error) {
	var w struct {
		Object string            `json:"object"`
		Entry  []json.RawMessage `json:"entry"`
	}
	if err := json.Unmarshal(body, &w); err != nil {
		return nil, 0, ErrNoWebhook
	}
	var network platform.Name
	switch w.Object {
	case "instagram":
		network = platform.Photo
	case "page":
		network = platform.Page
	default:
		return nil, 0, ErrNoWebhook
	}
	for _, raw := range w.Entry {
		list, wrong := entry(network, raw)
		updates, odd = append(updates, list...), odd+wrong
	}
	return updates, odd, nil
}

func entry(network platform.Name, raw json.RawMessage) (out []platform.Update, odd int) {
	var e struct {
		ID        Text              `json:"id"`
		Time      json.Number       `json:"time"`
		Messaging []json.RawMessage `json:"messaging"`
		Standby   []json.RawMessage `json:"standby"`
		Changes   []change          `json:"changes"`
		change
	}
	if json.Unmarshal(raw, &e) != nil {
		return nil, 1
	}
	if e.ID == "" || e.ID == "0" {
		return nil, 0 // the test button of the network's own pages
	}
	if e.Field != "" {
		e.Changes = append(e.Changes, e.change)
	}
	at := TimeOf(e.Time)
	add := func(u platform.Update, err error) {
		if err != nil {
			odd++
			return
		}
		u.Network, u.Account = network, string(e.ID)
		if u.At.IsZero() {
			u.At = at
		}
		out = append(out, u)
	}
	for _, m := range e.Messaging {
		add(messaging(string(e.ID), m))
	}
	for _, m := range e.Standby {
		u, err := messaging(string(e.ID), m)
		u.Standby = true
		add(u, err)
	}
	for _, c := range e.Changes {
		if c.Field == "messages" || c.Field == "message_edit" || c.Field == "message_reactions" {
			add(messaging(string(e.ID), c.Value))
			continue
		}
		add(changed(network, c, at))
	}
	return out, odd
}

// TimeOf reads seconds or milliseconds since 1970; zero where it is no time up to the year 2200.
func TimeOf(n json.Number) time.Time {
	v, err := strconv.ParseInt(n.String(), 10, 64)
	switch {
	case err != nil || v <= 0 || v > latest.UnixMilli():
		return time.Time{}
	case v > 1e11:
		return time.UnixMilli(v).UTC()
	}
	return time.Unix(v, 0).UTC()
}

// latest is a time behind which none that a network tells is believed.
var latest = time.Date(2200, 1, 1, 0, 0, 0, 0, time.UTC)

var errOdd = errors.New("platform: an item of a webhook was not understood")

// messaging reads one item of a conversation.
func messaging(account string, raw json.RawMessage) (u platform.Update, err error) {
	var w wireMessaging
	if json.Unmarshal(raw, &w) != nil {
		return u, errOdd
	}
	u.At, u.Person = TimeOf(w.Timestamp), string(w.Sender.ID)
	if u.Person == account {
		u.Person = string(w.Recipient.ID)
	}
	switch {
	case w.Message != nil:
		err = w.message(account, &u)
	case w.Edit != nil:
		u.Kind, u.Edits = platform.MessageEdited, w.Edit.N
		u.Message = platform.Message{ID: w.Edit.MID, Text: w.Edit.Text, At: u.At, From: string(w.Sender.ID), Echo: string(w.Sender.ID) == account}
		err = need(w.Edit.MID)
	case w.Reaction != nil:
		u.Kind, u.Off, u.Emoji = platform.ReactionChanged, w.Reaction.Action == "unreact", emojiOf(w.Reaction)
		u.Message = platform.Message{ID: w.Reaction.MID, From: string(w.Sender.ID), Echo: string(w.Sender.ID) == account}
		err = need(w.Reaction.MID)
	case w.Read != nil:
		u.Kind = platform.WasRead
		marks(&u, w.Read)
	case w.Delivery != nil:
		u.Kind = platform.WasDelivered
		marks(&u, w.Delivery)
	case w.Postback != nil:
		u.Kind, u.Payload = platform.PostbackCame, w.Postback.Payload
		u.Message = platform.Message{
			ID: w.Postback.MID, Text: w.Postback.Title, From: u.Person, To: account, At: u.At, Referral: w.Postback.Referral.of(),
		}
		if u.Message.ID == "" { // it has none: the moment and what was pressed tell it apart
			u.Message.ID = fmt.Sprintf("p:%s:%d:%s", u.Person, u.At.UnixMilli(), digest(w.Postback.Payload+"\x00"+w.Postback.Title))
		}
	case w.Referral != nil:
		u.Kind, u.Message.Referral = platform.ReferralCame, w.Referral.of()
	case w.OptIn != nil:
		u.Kind = platform.OptInCame
		u.OptIn = platform.OptIn{Topic: w.OptIn.Title, Token: w.OptIn.Token, Status: w.OptIn.Status, Expires: TimeOf(w.OptIn.Expires)}
	case w.Pass != nil, w.Take != nil, w.Request != nil:
		u.Kind = platform.ControlChanged
		for _, c := range []*wireControl{w.Pass, w.Take, w.Request} {
			if c != nil {
				u.NewOwner = string(c.NewOwner)
			}
		}
	case w.Policy != nil:
		u.Kind, u.Action, u.Reason = platform.PolicyEnforced, w.Policy.Action, platform.Cut(w.Policy.Reason)
		return u, nil
	default:
		u.Kind = platform.Nothing
	}
	if err == nil && u.Person == "" && u.Kind != platform.Nothing {
		err = errOdd
	}
	return u, err
}

// marks reads up to where something was read or delivered.
func marks(u *platform.Update, w *wireMarks) {
	u.Watermark, u.MIDs = TimeOf(w.Watermark), w.MIDs
	if w.MID != "" {
		u.MIDs = append(u.MIDs, w.MID)
	}
}

// digest is a short name of a text.
func digest(s string) string {
	sum := sha256.Sum256([]byte(s))
	return hex.EncodeToString(sum[:8])
}

func need(mid string) error {
	if mid == "" {
		return errOdd
	}
	return nil
}

func (w *wireMessaging) message(account string, u *platform.Update) error {
	m := w.Message
	if m.MID == "" {
		return errOdd
	}
	u.Message = m.of(string(w.Sender.ID), string(w.Recipient.ID), u.At)
	u.Message.Echo = m.Echo || string(w.Sender.ID) == account
	if m.Deleted {
		u.Kind = platform.MessageUnsent
	}
	return nil
}

// changed reads a field that changed.
func changed(network platform.Name, c change, at time.Time) (u platform.Update, err error) {
	u.Kind = platform.CommentChanged
	switch {
	case network == platform.Photo && (c.Field == "comments" || c.Field == "live_comments"):
		var w struct {
			ID     Text      `json:"id"`
			From   wireParty `json:"from"`
			Text   string    `json:"text"`
			Parent Text      `json:"parent_id"`
			Media  struct {
				ID       Text `json:"id"`
				Original Text `json:"original_media_id"`
			} `json:"media"`
		}
		if json.Unmarshal(c.Value, &w) != nil || w.ID == "" {
			return u, errOdd
		}
		post := w.Media.ID
		if w.Media.Original != "" { // a boosted post may notify twice
			post = w.Media.Original
		}
		u.Comment = platform.Comment{
			ID: string(w.ID), Post: string(post), Parent: string(w.Parent), From: string(w.From.ID), FromName: w.From.Username, Text: w.Text,
			At: at, Verb: "add", Live: c.Field == "live_comments",
		}
	case network == platform.Page && c.Field == "feed":
		var w struct {
			Item    string      `json:"item"`
			Verb    string      `json:"verb"`
			Post    Text        `json:"post_id"`
			ID      Text        `json:"comment_id"`
			Parent  Text        `json:"parent_id"`
			From    wireParty   `json:"from"`
			Message string      `json:"message"`
			Created json.Number `json:"created_time"`
		}
		if json.Unmarshal(c.Value, &w) != nil {
			return u, errOdd
		}
		if w.Item != "comment" || w.ID == "" {
			u.Kind = platform.Nothing
			return u, nil
		}
		u.Comment = platform.Comment{
			ID: string(w.ID), Post: string(w.Post), Parent: string(w.Parent), From: string(w.From.ID), FromName: w.From.Name, Text: w.Message,
			At: TimeOf(w.Created), Verb: w.Verb,
		}
		if u.Comment.At.IsZero() {
			u.Comment.At = at
		}
	default:
		u.Kind = platform.Nothing
		return u, nil
	}
	u.Person, u.At = u.Comment.From, at
	if u.Comment.Verb == "" {
		u.Comment.Verb = "add"
	}
	return u, nil
}
