package sim

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"time"

	"svc/messenger/platform"
	"svc/messenger/platform/graph"
)

// delivery is a webhook on its way.
type delivery struct {
	field string
	item  map[string]any
	tries int
	bad   bool // its signature is wrong
	body  []byte
}

// answerTime is how long a webhook may take.
const answerTime = 5 * time.Second

// waits are those before a webhook is tried again.
var waits = []time.Duration{0, 10 * time.Second, time.Minute, 10 * time.Minute}

// needs is which subscribed field lets an item through.
func (a *account) takes(field string) bool {
	for _, f := range a.fields {
		if f == field {
			return true
		}
	}
	return false
}

// queueWebhook lets a webhook out, if the application is subscribed. The lock is held.
func (s *Simulator) queueWebhook(a *account, field string, item map[string]any) {
	if !a.takes(field) {
		return
	}
	d := delivery{field: field, item: item}
	switch what := s.fires(a, "webhooks"); what.Name {
	case "lost":
		return
	case "twice":
		a.queue = append(a.queue, d)
		s.pending++
	case "bad-signature":
		d.bad = true
	case "batch":
		for range what.Number {
			a.queue = append(a.queue, d)
			s.pending++
		}
		return
	case "reversed":
		if n := len(a.queue); n > 0 && !a.sending {
			a.queue = append(a.queue[:n-1], d, a.queue[n-1])
			s.pending++
			return
		}
		s.later(300*time.Millisecond, a, d)
		return
	}
	a.queue = append(a.queue, d)
	s.pending++
	s.start(a)
}

// later lets a webhook out after a while. The lock is held.
func (s *Simulator) later(wait time.Duration, a *account, d delivery) {
	s.pending++
	time.AfterFunc(wait, func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		if s.closed {
			return
		}
		a.queue = append(a.queue, d)
		s.start(a)
	})
}

// start sends the webhooks of an account, if nobody does. The lock is held.
func (s *Simulator) start(a *account) {
	if a.sending || s.closed {
		return
	}
	a.sending = true
	go s.send(a)
}

// send sends webhooks of an account in order, until there is none. One that is not taken goes
// to the end of its waits, and the others go on.
func (s *Simulator) send(a *account) {
	for {
		s.mu.Lock()
		if len(a.queue) == 0 || s.closed {
			a.sending = false
			s.mu.Unlock()
			return
		}
		d := a.queue[0]
		a.queue = a.queue[1:]
		if d.body == nil {
			d.body = s.body(a, &d)
		}
		s.mu.Unlock()
		taken := s.post(a, &d)
		s.mu.Lock()
		s.pending--
		if !taken && d.tries < len(waits) && !s.closed {
			wait := waits[d.tries]
			d.tries++
			d.bad = false
			if wait == 0 {
				a.queue = append([]delivery{d}, a.queue...)
				s.pending++
			} else {
				s.pending++
				s.repeat(wait, a, d)
			}
		}
		s.mu.Unlock()
	}
}

// repeat tries a webhook again after a while; it is not waited for meanwhile.
func (s *Simulator) repeat(wait time.Duration, a *account, d delivery) {
	s.pending--
	time.AfterFunc(wait, func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		if s.closed {
			return
		}
		s.pending++
		a.queue = append(a.queue, d)
		s.start(a)
	})
}

// body is the body of a webhook as the networks write it.
func (s *Simulator) body(a *account, d *delivery) []byte {
	object := "page"
	entry := map[string]any{"id": a.id, "time": s.o.Now().UnixMilli()}
	if a.network == platform.Photo {
		object = "instagram"
	}
	switch d.field {
	case "comments", "live_comments", "feed":
		entry["time"] = s.o.Now().Unix()
		entry["changes"] = []any{map[string]any{"field": d.field, "value": d.item}}
	case "standby":
		entry["standby"] = []any{d.item}
	default:
		entry["messaging"] = []any{d.item}
	}
	data, err := json.Marshal(map[string]any{"object": object, "entry": []any{entry}})
	if err != nil {
		panic(err) // made of texts and numbers
	}
	return graph.Escape(data)
}

func (s *Simulator) post(a *account, d *delivery) bool {
	to := s.o.Webhook()
	if to == "" {
		return true
	}
	ctx, cancel := context.WithTimeout(context.Background(), answerTime)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, to, bytes.NewReader(d.body))
	if err != nil {
		return false
	}
	secret := PageSecret
	if a.network == platform.Photo {
		secret = PhotoSecret
	}
	if d.bad {
		secret = "wrong"
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("X-Hub-Signature-256", graph.Sign(d.body, secret))
	resp, err := s.o.HTTP.Do(req)
	if err != nil {
		s.o.Log.Warn("platform simulator: a webhook was not taken", "error", err)
		return false
	}
	_, _ = io.Copy(io.Discard, io.LimitReader(resp.Body, 64<<10))
	_ = resp.Body.Close()
	return resp.StatusCode/100 == 2
}

// from is an item of a person, to one to them. The lock is held.
func (s *Simulator) from(a *account, p *person, more map[string]any) map[string]any {
	return s.item(idOf(a, p), a.id, more)
}

func (s *Simulator) to(a *account, p *person, more map[string]any) map[string]any {
	return s.item(a.id, idOf(a, p), more)
}

func (s *Simulator) item(sender, recipient string, more map[string]any) map[string]any {
	out := map[string]any{"sender": map[string]string{"id": sender}, "recipient": map[string]string{"id": recipient}, "timestamp": s.o.Now().UnixMilli()}
	for k, v := range more {
		out[k] = v
	}
	return out
}

// echo tells of a message that the account sent. The lock is held.
func (s *Simulator) echo(a *account, p *person, m *message) {
	body := map[string]any{"mid": m.MID, "is_echo": true}
	if m.Text != "" {
		body["text"] = m.Text
	}
	if len(m.Files) > 0 {
		body["attachments"] = attachments(m.Files)
	}
	if m.App != "" {
		body["app_id"] = m.App
	}
	if m.Metadata != "" && a.network == platform.Page {
		body["metadata"] = m.Metadata
	}
	d := delivery{field: "message_echoes", item: s.to(a, p, map[string]any{"message": body})}
	d.item["timestamp"] = m.At.UnixMilli()
	if !a.takes(d.field) {
		return
	}
	switch what := s.fires(a, "echoes"); what.Name {
	case "lost":
		return
	case "late":
		s.later(what.Wait, a, d)
		return
	case "twice":
		a.queue = append(a.queue, d)
		s.pending++
	}
	a.queue = append(a.queue, d)
	s.pending++
	s.start(a)
}

func attachments(files []file) (out []any) {
	for _, f := range files {
		out = append(out, map[string]any{"type": f.Kind, "payload": map[string]any{"url": f.URL}})
	}
	return out
}

// says lets a person write. The lock is held.
func (s *Simulator) says(a *account, p *person, text, replyTo string, files []file) *message {
	t := s.thread(a, p)
	m := &message{MID: s.next("m_"), Text: text, Files: files, At: s.o.Now(), ReplyTo: replyTo}
	t.add(m)
	s.record(a, p, m)
	p.blocks = false
	body := map[string]any{"mid": m.MID}
	if text != "" {
		body["text"] = text
	}
	if len(files) > 0 {
		body["attachments"] = attachments(files)
	}
	if replyTo != "" {
		body["reply_to"] = map[string]any{"mid": replyTo}
	}
	field := "messages"
	if a.otherApp[idOf(a, p)] {
		field = "standby"
	}
	s.queueWebhook(a, field, s.from(a, p, map[string]any{"message": body}))
	return m
}

// comments lets a person comment below a post. The lock is held.
func (s *Simulator) comments(a *account, p *person, at *post, text string) *comment {
	c := &comment{ID: s.next("c_"), Text: text, From: p, At: s.o.Now()}
	at.Comments = append(at.Comments, c)
	s.tellComment(a, at, c, "add")
	return c
}

func (s *Simulator) tellComment(a *account, at *post, c *comment, verb string) {
	from := map[string]any{"id": a.id, "username": a.username, "name": a.name}
	if c.From != nil {
		from = map[string]any{"id": idOf(a, c.From), "username": c.From.username, "name": c.From.name}
	}
	if a.network == platform.Photo {
		if verb != "add" {
			return
		}
		v := map[string]any{"id": c.ID, "text": c.Text, "from": from, "media": map[string]any{"id": at.ID, "media_product_type": "FEED"}}
		if c.Parent != "" {
			v["parent_id"] = c.Parent
		}
		s.queueWebhook(a, "comments", v)
		return
	}
	v := map[string]any{
		"item": "comment", "verb": verb, "post_id": at.ID, "comment_id": c.ID, "parent_id": at.ID, "from": from, "message": c.Text,
		"created_time": c.At.Unix(),
	}
	s.queueWebhook(a, "feed", v)
}
