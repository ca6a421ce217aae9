package simulator

import (
	"context"
	"net/http"
	"strconv"
	"strings"

	"svc/messenger"
	"svc/messenger/simulator/world/record"
)

var _ messenger.People = (*Simulator)(nil)

// Write implements messenger.People.
func (s *Simulator) Write(_ context.Context, account int64, from messenger.SimulatedPerson, m messenger.SimulatedMessage) (int64, []int, error) {
	id, err := s.writer(from)
	if err != nil {
		return 0, nil, err
	}
	c := record.Content{Text: m.Text, At: m.At}
	for _, f := range m.Files {
		c.Files = append(c.Files, record.Attachment{Kind: f.Kind, Name: f.Name, Mime: mimeOf(f.Content), Content: f.Content})
	}
	number, err := s.world.Number(account)
	if err != nil {
		return 0, nil, err
	}
	sent, err := s.world.SendContent(strconv.FormatInt(id, 10), number, c)
	if err != nil {
		return 0, nil, err
	}
	ids := make([]int, len(sent))
	for i, x := range sent {
		ids[i] = x.ID
	}
	return id, ids, nil
}

// mimeOf is the type of a file by its beginning.
func mimeOf(content []byte) string {
	mime, _, _ := strings.Cut(http.DetectContentType(content), ";")
	return mime
}

// writer finds who writes, or makes somebody new.
func (s *Simulator) writer(from messenger.SimulatedPerson) (int64, error) {
	name := ""
	switch {
	case from.ID != 0:
		name = strconv.FormatInt(from.ID, 10)
	case from.Username != "":
		name = "@" + strings.TrimPrefix(from.Username, "@")
	}
	if name != "" {
		if id, err := s.world.Find(name); err == nil {
			return id, nil
		}
	}
	return s.world.AddPerson(record.Person{ID: from.ID, Username: strings.TrimPrefix(from.Username, "@"), First: from.Name})
}
