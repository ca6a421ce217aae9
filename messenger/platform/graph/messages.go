package graph

import (
	"context"
	"net/url"
	"strconv"

	"svc/messenger/platform"
)

// Messaging is what both networks do alike with messages. Node is the account in paths.
type Messaging struct {
	Client *Client
	Node   func(a platform.Access) string
	// Platform is the name of the network where conversations are listed.
	Platform string
	// Answers is the list of what stands below a comment.
	Answers string
	// Quotes: a text may quote an earlier message.
	Quotes bool
}

type wireRecipient struct {
	ID      string `json:"id,omitempty"`
	Comment string `json:"comment_id,omitempty"`
}

type wireOut struct {
	Recipient wireRecipient `json:"recipient"`
	Type      string        `json:"messaging_type,omitempty"`
	Tag       string        `json:"tag,omitempty"`
	Action    string        `json:"sender_action,omitempty"`
	ReplyTo   *wireQuoted   `json:"reply_to,omitempty"`
	Message   *wireOutBody  `json:"message,omitempty"`
}

type wireQuoted struct {
	MID string `json:"mid"`
}

type wireOutBody struct {
	Text       string       `json:"text,omitempty"`
	Metadata   string       `json:"metadata,omitempty"`
	Attachment *wireOutFile `json:"attachment,omitempty"`
}

type wireOutFile struct {
	Type    string `json:"type"`
	Payload struct {
		URL string `json:"url,omitempty"`
		ID  string `json:"attachment_id,omitempty"`
	} `json:"payload"`
}

type wireSent struct {
	Recipient Text   `json:"recipient_id"`
	Message   string `json:"message_id"`
}

// Send sends one part. An answer without an id is uncertain.
func (m Messaging) Send(ctx context.Context, a platform.Access, p *platform.Part, tag string) (platform.Sent, error) {
	out := wireOut{Recipient: wireRecipient{ID: p.To}, Type: "RESPONSE", Message: &wireOutBody{Text: p.Text, Metadata: tag}}
	if p.HumanAgent {
		out.Type, out.Tag = "MESSAGE_TAG", "HUMAN_AGENT"
	}
	if p.ReplyTo != "" && m.Quotes {
		out.ReplyTo = &wireQuoted{p.ReplyTo}
	}
	if f := p.File; f != nil {
		out.Message.Text = ""
		out.Message.Attachment = &wireOutFile{Type: f.Kind}
		out.Message.Attachment.Payload.URL = f.URL
		if f.URL == "" {
			id, err := m.upload(ctx, a, f)
			if err != nil {
				return platform.Sent{}, err
			}
			out.Message.Attachment.Payload.ID = id
		}
	}
	return m.send(ctx, a, &out)
}

// upload gives a file to the network first. Nothing was sent when it fails.
func (m Messaging) upload(ctx context.Context, a platform.Access, f *platform.File) (string, error) {
	var out struct {
		ID Text `json:"attachment_id"`
	}
	fields := map[string]string{"message": `{"attachment":{"type":"` + f.Kind + `","payload":{"is_reusable":false}}}`}
	err := m.Client.Upload(ctx, a, "/"+m.Node(a)+"/message_attachments", fields, f, &out)
	if e := platform.As(err); e != nil && e.Fault == platform.Uncertain {
		e.Fault = platform.Unsent
	}
	if err == nil && out.ID == "" {
		err = &platform.Error{Fault: platform.Unsent, Text: "the upload has no id"}
	}
	return string(out.ID), err
}

func (m Messaging) send(ctx context.Context, a platform.Access, out *wireOut) (platform.Sent, error) {
	var answer wireSent
	if err := m.Client.Post(ctx, a, "/"+m.Node(a)+"/messages", out, &answer); err != nil {
		return platform.Sent{}, err
	}
	if answer.Message == "" && out.Action == "" {
		return platform.Sent{}, &platform.Error{Fault: platform.Uncertain, Text: "the answer has no id"}
	}
	return platform.Sent{ID: answer.Message}, nil
}

// PrivateReply answers a comment in private.
func (m Messaging) PrivateReply(ctx context.Context, a platform.Access, comment, text string) (platform.Sent, error) {
	return m.send(ctx, a, &wireOut{Recipient: wireRecipient{Comment: comment}, Message: &wireOutBody{Text: text}})
}

// PublicReply answers below a comment, and answers the id of the answer.
func (m Messaging) PublicReply(ctx context.Context, a platform.Access, comment, text string) (string, error) {
	var out struct {
		ID Text `json:"id"`
	}
	err := m.Client.Post(ctx, a, "/"+url.PathEscape(comment)+"/"+m.Answers, map[string]string{"message": text}, &out)
	return string(out.ID), err
}

// MarkSeen shows the person that what they wrote was read.
func (m Messaging) MarkSeen(ctx context.Context, a platform.Access, person string) error {
	return m.action(ctx, a, person, "mark_seen")
}

// Typing shows the person that somebody writes.
func (m Messaging) Typing(ctx context.Context, a platform.Access, person string) error {
	return m.action(ctx, a, person, "typing_on")
}

// action tells the person something without a message.
func (m Messaging) action(ctx context.Context, a platform.Access, person, action string) error {
	_, err := m.send(ctx, a, &wireOut{Recipient: wireRecipient{ID: person}, Action: action})
	return err
}

// TakeThread takes the conversation from another application.
func (m Messaging) TakeThread(ctx context.Context, a platform.Access, person string) error {
	return m.Client.Post(ctx, a, "/"+m.Node(a)+"/take_thread_control", map[string]any{"recipient": map[string]string{"id": person}}, nil)
}

// Unsubscribe ends the webhooks of an account.
func (m Messaging) Unsubscribe(ctx context.Context, a platform.Access) error {
	return m.Client.Delete(ctx, a, "/"+m.Node(a)+"/subscribed_apps")
}

// Threads lists conversations.
func (m Messaging) Threads(ctx context.Context, a platform.Access, after string) (out platform.Threads, err error) {
	return m.threads(ctx, a, url.Values{"platform": {m.Platform}, "fields": {"id,updated_time,participants"}, "limit": {"50"}, "after": nonEmpty(after)})
}

// ThreadWith finds the conversation with a person.
func (m Messaging) ThreadWith(ctx context.Context, a platform.Access, person string) (platform.Thread, error) {
	list, err := m.threads(ctx, a, url.Values{"platform": {m.Platform}, "fields": {"id,updated_time,participants"}, "user_id": {person}})
	if err != nil {
		return platform.Thread{}, err
	}
	if len(list.Data) == 0 {
		return platform.Thread{}, &platform.Error{Fault: platform.Gone}
	}
	return list.Data[0], nil
}

func nonEmpty(s string) []string {
	if s == "" {
		return nil
	}
	return []string{s}
}

func (m Messaging) threads(ctx context.Context, a platform.Access, query url.Values) (out platform.Threads, err error) {
	var w struct {
		Data []struct {
			ID      string `json:"id"`
			Updated string `json:"updated_time"`
			People  wireTo `json:"participants"`
		} `json:"data"`
		Paging struct {
			Cursors struct {
				After string `json:"after"`
			} `json:"cursors"`
			Next string `json:"next"`
		} `json:"paging"`
	}
	if err := m.Client.Get(ctx, a, "/"+m.Node(a)+"/conversations", query, &w); err != nil {
		return out, err
	}
	for _, t := range w.Data {
		x := platform.Thread{ID: t.ID}
		x.Updated, _ = ParseTime(t.Updated)
		for _, p := range t.People.Data {
			if string(p.ID) != a.ExternalID {
				x.Person = platform.Person{ID: string(p.ID), Name: p.Name, Username: p.Username}
			}
		}
		if x.Person.ID != "" {
			out.Data = append(out.Data, x)
		}
	}
	if w.Paging.Next != "" {
		out.Next = w.Paging.Cursors.After
	}
	return out, nil
}

// Messages are the newest messages of a conversation, the newest first.
func (m Messaging) Messages(ctx context.Context, a platform.Access, thread string, limit int) ([]platform.Message, error) {
	var w struct {
		Messages struct {
			Data []History `json:"data"`
		} `json:"messages"`
	}
	fields := "messages.limit(" + strconv.Itoa(limit) + "){id,created_time,from,to,message,attachments,reactions,reply_to,is_unsupported}"
	if err := m.Client.Get(ctx, a, "/"+url.PathEscape(thread), url.Values{"fields": {fields}}, &w); err != nil {
		return nil, err
	}
	out := make([]platform.Message, 0, len(w.Messages.Data))
	for i := range w.Messages.Data {
		x := w.Messages.Data[i].Of()
		x.Echo = x.From == a.ExternalID
		out = append(out, x)
	}
	return out, nil
}
