package sim

import (
	"encoding/json"
	"io"
	"net/http"
	"slices"
	"strconv"
	"time"
	"unicode/utf16"

	"svc/messenger/platform"
	"svc/messenger/platform/sim/answer"
	"svc/messenger/platform/sim/rule"
)

// wanted is what a send asks for.
type wanted struct {
	Recipient struct {
		ID      string `json:"id"`
		Comment string `json:"comment_id"`
	} `json:"recipient"`
	Type    string `json:"messaging_type"`
	Tag     string `json:"tag"`
	Action  string `json:"sender_action"`
	ReplyTo struct {
		MID string `json:"mid"`
	} `json:"reply_to"`
	Message *struct {
		Text       string `json:"text"`
		Metadata   string `json:"metadata"`
		Attachment *struct {
			Type    string `json:"type"`
			Payload struct {
				URL string `json:"url"`
				ID  string `json:"attachment_id"`
			} `json:"payload"`
		} `json:"attachment"`
	} `json:"message"`
}

func (s *Simulator) messages(q *request) error {
	data, err := json.Marshal(q.body)
	var in wanted
	if err != nil || json.Unmarshal(data, &in) != nil {
		return &fault{code: 100, text: "Invalid parameter"}
	}
	var got *file
	if in.Message != nil && in.Message.Attachment != nil && in.Message.Attachment.Payload.URL != "" {
		f, bad := s.fetch(q, in.Message.Attachment.Type, in.Message.Attachment.Payload.URL)
		if bad != nil {
			return bad
		}
		got = f
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	what := rule.Action{}
	if in.Action == "" {
		kind := "sends"
		if in.Recipient.Comment != "" {
			kind = "private"
		}
		what = s.fires(q.a, kind)
	}
	switch what.Name {
	case "error":
		return &fault{code: what.Code, sub: what.Sub, text: "(#" + strconv.Itoa(what.Code) + ") An error of a scene"}
	case "drop request":
		return errDropped
	case "status":
		return &fault{status: what.Number, code: 1, text: "An unknown error occurred"}
	}
	m, p, f := s.accept(q, &in, got)
	if f != nil {
		return f
	}
	if m == nil {
		answer.JSON(q.w, http.StatusOK, map[string]any{"recipient_id": in.Recipient.ID})
		return nil
	}
	if what.Name == "slow" {
		s.mu.Unlock()
		select {
		case <-time.After(what.Wait):
		case <-q.r.Context().Done():
		}
		s.mu.Lock()
	}
	switch what.Name {
	case "drop answer":
		return errDropped
	case "empty":
		answer.JSON(q.w, http.StatusOK, map[string]any{})
		return nil
	}
	answer.JSON(q.w, http.StatusOK, map[string]any{"recipient_id": idOf(q.a, p), "message_id": m.MID})
	return nil
}

// accept takes a message, if everything allows it. The lock is held.
func (s *Simulator) accept(q *request, in *wanted, got *file) (*message, *person, *fault) {
	a := q.a
	if !a.may("messag") {
		return nil, nil, &fault{code: 10, text: "Application does not have permission for this action"}
	}
	var t *thread
	if in.Recipient.Comment != "" {
		var f *fault
		if t, f = s.privately(a, in.Recipient.Comment); f != nil {
			return nil, nil, f
		}
	} else if t = a.threads[in.Recipient.ID]; t == nil {
		sub := 2018001
		if a.network == platform.Photo {
			sub = 2534014
		}
		return nil, nil, &fault{code: 100, sub: sub, text: "No matching user found"}
	}
	if in.Action != "" {
		return nil, t.person, nil
	}
	if f := a.allows(s.o.Now(), t, in); f != nil {
		return nil, nil, f
	}
	m := &message{
		MID: s.next("m_"), Out: true, Text: in.Message.Text, At: s.o.Now(), Metadata: in.Message.Metadata, App: PageApp, ReplyTo: in.ReplyTo.MID,
		Tag: in.Tag, Comment: in.Recipient.Comment,
	}
	if x := in.Message.Attachment; x != nil {
		if got == nil {
			up, ok := a.uploads[x.Payload.ID]
			if !ok {
				return nil, nil, &fault{code: 100, sub: 2018074, text: "The attachment is not known"}
			}
			got = &file{Kind: up.kind, Type: up.mime, Size: up.size}
		}
		m.Files = []file{*got}
	}
	t.add(m)
	s.record(a, t.person, m)
	s.echo(a, t.person, m)
	if a.network == platform.Page {
		s.queueWebhook(a, "message_deliveries", s.from(a, t.person, map[string]any{"delivery": map[string]any{"watermark": m.At.UnixMilli()}}))
	}
	s.demoAnswers(a, t.person, m)
	return m, t.person, nil
}

// privateWithin and hourly bound private replies.
const (
	privateWithin = 7 * 24 * time.Hour
	hourly        = 750
)

// privately finds whom a private reply to a comment reaches. The lock is held.
func (s *Simulator) privately(a *account, id string) (*thread, *fault) {
	now := s.o.Now()
	a.replies = slices.DeleteFunc(a.replies, func(t time.Time) bool { return now.Sub(t) >= time.Hour })
	if len(a.replies) >= hourly {
		return nil, &fault{code: 613, text: "Calls to this api have exceeded the rate limit."}
	}
	for _, at := range a.posts {
		for _, c := range at.Comments {
			switch {
			case c.ID != id:
				continue
			case c.Deleted:
				return nil, &fault{code: 100, sub: 33, text: "Object does not exist"}
			case c.Answered:
				return nil, &fault{code: 10900, text: "Activity already replied to"}
			case now.Sub(c.At) > privateWithin || c.From == nil:
				return nil, &fault{code: 10903, text: "The user cannot reply to this activity"}
			}
			c.Answered = true
			a.replies = append(a.replies, now)
			return s.thread(a, c.From), nil
		}
	}
	return nil, &fault{code: 100, sub: 33, text: "Object does not exist"}
}

// Bounds of texts, and of windows.
const (
	photoBytes  = 1000
	pageUnits   = 2000
	window      = 24 * time.Hour
	humanWindow = 7 * 24 * time.Hour
)

// allows says whether a message may go out on a thread.
func (a *account) allows(now time.Time, t *thread, in *wanted) *fault {
	if in.Message == nil || in.Message.Text == "" && in.Message.Attachment == nil {
		return &fault{code: 100, sub: 2018034, text: "Message cannot be empty"}
	}
	if a.network == platform.Photo && len(in.Message.Text) > photoBytes || a.network == platform.Page && len(utf16.Encode([]rune(in.Message.Text))) > pageUnits {
		return &fault{code: 100, text: "(#100) Length of param message[text] must be less than or equal to the limit"}
	}
	if t.person.blocks {
		return &fault{code: 551, sub: 1545041, text: "This person isn't available right now."}
	}
	if a.otherApp[idOf(a, t.person)] {
		return &fault{code: 10, sub: 2018300, text: "The thread is controlled by another application"}
	}
	if in.Recipient.Comment != "" {
		return nil
	}
	age := now.Sub(t.lastIn)
	human := in.Type == "MESSAGE_TAG" && in.Tag == "HUMAN_AGENT"
	if t.lastIn.IsZero() || age > window && !(human && a.humanAgent && age <= humanWindow) {
		sub := 2018278
		if a.network == platform.Photo {
			sub = 2534022
		}
		return &fault{code: 10, sub: sub, text: "This message is sent outside of allowed window."}
	}
	return nil
}

// sizes are the bounds of files: bytes.
var sizes = map[string]int64{"image": 8 << 20, "video": 25 << 20, "audio": 25 << 20, "file": 25 << 20}

// fetch gets a file as the networks do, before they answer.
func (s *Simulator) fetch(q *request, kind, address string) (*file, *fault) {
	bad := &fault{code: 100, sub: 2018007, text: "Failed to fetch the file from the url"}
	req, err := http.NewRequestWithContext(q.r.Context(), http.MethodGet, address, nil)
	if err != nil {
		return nil, bad
	}
	resp, err := s.o.HTTP.Do(req)
	if err != nil {
		return nil, bad
	}
	defer func() { _ = resp.Body.Close() }()
	n, err := io.Copy(io.Discard, io.LimitReader(resp.Body, sizes[kind]+1))
	if err != nil || resp.StatusCode != http.StatusOK || n > sizes[kind] || n == 0 {
		return nil, bad
	}
	return &file{Kind: kind, Size: int(n), Type: resp.Header.Get("Content-Type")}, nil
}

func (s *Simulator) attachment(q *request) error {
	if q.network != platform.Page {
		return &fault{code: 2500, text: "Unknown path components"}
	}
	in, head, err := q.r.FormFile("filedata")
	if err != nil {
		return &fault{code: 100, text: "No file"}
	}
	n, err := io.Copy(io.Discard, in)
	if err != nil || n > sizes["file"] {
		return &fault{code: 100, sub: 2018047, text: "Upload attachment failure."}
	}
	var said struct {
		Attachment struct {
			Type string `json:"type"`
		} `json:"attachment"`
	}
	_ = json.Unmarshal([]byte(q.r.FormValue("message")), &said)
	s.mu.Lock()
	defer s.mu.Unlock()
	id := s.next("a")
	q.a.uploads[id] = upload{kind: said.Attachment.Type, mime: head.Header.Get("Content-Type"), size: int(n)}
	answer.JSON(q.w, http.StatusOK, map[string]any{"attachment_id": id})
	return nil
}
