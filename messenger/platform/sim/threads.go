package sim

import (
	"encoding/json"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"svc/messenger/platform/sim/answer"
	"time"
)

func (s *Simulator) profile(q *request, id string) error {
	t := q.a.threads[id]
	if t == nil {
		return &fault{code: 100, sub: 33, text: "Object does not exist"}
	}
	if t.person.noProfile || t.lastIn.IsZero() {
		return &fault{code: 230, text: "User consent is required to access user profile"}
	}
	first, family, _ := strings.Cut(t.person.name, " ")
	answer.JSON(q.w, http.StatusOK, map[string]any{
		"id": id, "name": t.person.name, "username": t.person.username, "first_name": first, "last_name": family,
	})
	return nil
}

func (s *Simulator) conversations(q *request) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	who := q.r.URL.Query().Get("user_id")
	var ids []string
	for id, t := range q.a.threads {
		if (who == "" || id == who) && len(t.messages) > 0 {
			ids = append(ids, id)
		}
	}
	slices.Sort(ids)
	const page = 25
	from := 0
	if after := q.r.URL.Query().Get("after"); after != "" {
		from, _ = strconv.Atoi(after)
	}
	list := []any{}
	for i := from; i < min(from+page, len(ids)); i++ {
		t := q.a.threads[ids[i]]
		list = append(list, map[string]any{
			"id": t.id, "updated_time": stamp(t.messages[len(t.messages)-1].At),
			"participants": map[string]any{"data": []any{
				map[string]any{"id": ids[i], "username": t.person.username, "name": t.person.name},
				map[string]any{"id": q.a.id, "username": q.a.username, "name": q.a.name},
			}},
		})
	}
	out := map[string]any{"data": list}
	if from+page < len(ids) {
		next := strconv.Itoa(from + page)
		out["paging"] = map[string]any{"next": "more", "cursors": map[string]any{"after": next}}
	}
	answer.JSON(q.w, http.StatusOK, out)
	return nil
}

func stamp(t time.Time) string { return t.UTC().Format("2006-01-02T15:04:05-0700") }

// details is how many messages of a thread have details.
const details = 20

func (s *Simulator) conversation(q *request) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	id := strings.TrimPrefix(q.path[0], "t_")
	t := q.a.threads[id]
	if t == nil {
		return &fault{code: 100, sub: 33, text: "Object does not exist"}
	}
	list := []any{}
	for i := len(t.messages) - 1; i >= 0 && len(list) < details; i-- {
		m := t.messages[i]
		if m.Deleted {
			continue
		}
		from, to := id, q.a.id
		if m.Out {
			from, to = to, from
		}
		x := map[string]any{
			"id": m.MID, "created_time": stamp(m.At), "message": m.Text, "from": map[string]any{"id": from},
			"to": map[string]any{"data": []any{map[string]any{"id": to}}},
		}
		var files []any
		for _, f := range m.Files {
			switch f.Kind {
			case "image":
				files = append(files, map[string]any{"image_data": map[string]any{"url": f.URL}})
			case "video":
				files = append(files, map[string]any{"video_data": map[string]any{"url": f.URL}})
			default:
				files = append(files, map[string]any{"file_url": f.URL, "mime_type": f.Type})
			}
		}
		if files != nil {
			x["attachments"] = map[string]any{"data": files}
		}
		list = append(list, x)
	}
	answer.JSON(q.w, http.StatusOK, map[string]any{"id": t.id, "messages": map[string]any{"data": list}})
	return nil
}

// publicReply answers a comment below it. The lock is held.
func (s *Simulator) publicReply(q *request) error {
	var text string
	_ = json.Unmarshal(q.body["message"], &text)
	if !q.a.may("comments") && !q.a.may("engagement") {
		return &fault{code: 200, text: "Requires permission to manage comments"}
	}
	for _, at := range q.a.posts {
		for _, c := range at.Comments {
			if c.ID != q.path[0] || c.Deleted {
				continue
			}
			r := &comment{ID: s.next("c_"), Text: text, Parent: c.ID, FromAccount: true, At: s.o.Now()}
			at.Comments = append(at.Comments, r)
			s.tellComment(q.a, at, r, "add")
			answer.JSON(q.w, http.StatusOK, map[string]any{"id": r.ID})
			return nil
		}
	}
	return &fault{code: 100, sub: 33, text: "Object does not exist"}
}
