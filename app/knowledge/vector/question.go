package vector

import (
	"context"
	"strings"
	"sync"
	"time"

	"svc/app/engine/agent"
	"svc/app/engine/execution"
	"svc/app/knowledge/source"
	"svc/store"
)

// Embedder makes the vectors of questions, such as an execution that runs anyway.
type Embedder interface {
	Embed(ctx context.Context, of execution.Texts) (execution.Vectors, error)
}

// questions are the vectors of questions that were asked lately.
type questions struct {
	mu    sync.Mutex
	known map[string][]float32
	asked map[string]time.Time // by organization: when a build was asked for
}

const (
	// answerTime is how long a search waits for the vector of its question.
	answerTime = 400 * time.Millisecond
	// maxKnown bounds the questions that are remembered.
	maxKnown = 10_000
	// maxQuestion is how much of a question is read, in bytes.
	maxQuestion = 2 << 10
	// askEvery is how often a build is asked for by searches.
	askEvery = time.Minute
)

// Of is the vector of a question and the space that it is in, nil where there is none in
// time: then only words are searched for. While vectors of another model are made, it is of the
// model whose vectors are whole. by makes it; nil: an execution of its own.
func (s *Service) Of(ctx context.Context, org, question string, by Embedder) (v []float32, space string) {
	if s.runs == nil {
		return nil, ""
	}
	var now Space
	var makes, missing bool
	err := s.db.View(ctx, func(tx *store.Tx) (err error) {
		if now, err = SpaceOf(tx, org); err != nil {
			return err
		}
		var model string
		model, makes, err = s.runs.Embeds(tx, org)
		missing = makes && !strings.HasPrefix(now.Name, model)
		return err
	})
	if err != nil {
		return nil, ""
	}
	if missing {
		s.ask(ctx, org)
	}
	if now.Name == "" || !makes {
		return nil, ""
	}
	return s.made(ctx, org, now.Name, question, by), now.Name
}

// made is a vector that is remembered, or is made now.
func (s *Service) made(ctx context.Context, org, space, question string, by Embedder) []float32 {
	text := strings.ToValidUTF8(question[:min(len(question), maxQuestion)], "")
	id := org + "\n" + space + "\n" + text
	s.mu.Lock()
	v := s.known[id]
	s.mu.Unlock()
	if v != nil {
		return v
	}
	ctx, cancel := context.WithTimeout(ctx, answerTime)
	defer cancel()
	if by == nil {
		by = alone{s.runs, org}
	}
	out, err := by.Embed(ctx, execution.Texts{Texts: []string{text}, Query: true, Space: space})
	if err != nil || out.Space != space {
		return nil
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.known) >= maxKnown {
		clear(s.known)
	}
	s.known[id] = out.Values[0]
	return out.Values[0]
}

// ask asks for a build, not more often than askEvery.
func (s *Service) ask(ctx context.Context, org string) {
	now := s.db.Now()
	s.mu.Lock()
	again := now.Sub(s.asked[org]) >= askEvery
	if again {
		if len(s.asked) >= maxKnown || s.asked == nil {
			s.asked = map[string]time.Time{}
		}
		s.asked[org] = now
	}
	s.mu.Unlock()
	if !again {
		return
	}
	if err := s.db.Update(ctx, func(tx *store.Tx) error { return source.AskEmbed(tx, org) }); err != nil {
		s.log.Warn("vectors of knowledge cannot be asked for", "error", err)
	}
}

// alone makes a vector with an execution of its own.
type alone struct {
	runs *execution.Service
	org  string
}

// Embed implements Embedder.
func (a alone) Embed(ctx context.Context, of execution.Texts) (execution.Vectors, error) {
	return a.runs.Embed(ctx, execution.EmbedJob{Org: a.org, Agent: agent.Research, Texts: of})
}
