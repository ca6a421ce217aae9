// Package ingest reads sources of knowledge into chunks, in the background: one source of an
// organization at a time.
//
// It promises that a source which cannot be read says why (contract 13.21) and keeps the
// version that it had, that trouble of a network is tried again before, and that nothing of
// a file or page takes more time and memory than the bounds of the packages that read it.
package ingest

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"svc/ai/chunk"
	"svc/ai/web"
	"svc/app/knowledge/source"
	"svc/store"
	"svc/store/queue"
)

// Refused says that a source cannot be read, however often it is tried.
type Refused struct {
	Code  source.Code
	Cause error
}

// Error implements error.
func (r *Refused) Error() string { return string(r.Code) }

// Unwrap gives the cause.
func (r *Refused) Unwrap() error { return r.Cause }

// Codes of package chunk.
const (
	TooLong source.Code = "TOO_LARGE"
	TooMany source.Code = "TOO_MANY_CHUNKS"
	Empty   source.Code = "EMPTY_TEXT"
	Failed  source.Code = "INTERNAL_ERROR"
)

// Service reads sources.
type Service struct {
	db      *store.DB
	sources *source.Service
	pages   *web.Client
	log     *slog.Logger
}

// New makes the service. It starts nothing; see Work. pages fetches pages of the web.
func New(db *store.DB, sources *source.Service, pages *web.Client, log *slog.Logger) *Service {
	if log == nil {
		log = slog.New(slog.DiscardHandler)
	}
	return &Service{db: db, sources: sources, pages: pages, log: log}
}

// tryTime bounds one try.
const tryTime = 5 * time.Minute

// Work registers the job.
func (s *Service) Work(w *queue.Workers) {
	queue.Register(w, s.run, queue.WithTimeout(tryTime), queue.WithBackoff(func(failures int) time.Duration {
		return 5 * time.Second << (2 * min(failures-1, 3)) // 5 s, 20 s, 80 s
	}))
}

// run reads a source until nothing is to be read any more: it may change meanwhile.
func (s *Service) run(ctx context.Context, j queue.Job, a source.Ingest) error {
	for {
		src, ok, err := s.sources.Begin(ctx, j, a)
		if err != nil || !ok {
			return err
		}
		err = s.publish(ctx, a.Org, &src)
		var refused *Refused
		switch {
		case err == nil:
			continue
		case ctx.Err() != nil && j.Attempts < j.MaxAttempts:
			return err
		case errors.As(err, &refused):
		case j.Attempts < j.MaxAttempts:
			return err
		default:
			s.log.Warn("a source of knowledge could not be read", "source", src.ID, "error", err)
			refused = &Refused{Failed, err}
			if errors.As(err, new(*Trouble)) {
				refused.Code = troubleCode(err)
			}
		}
		if _, err := s.sources.Fail(context.WithoutCancel(ctx), a.Org, src, refused.Code); err != nil {
			return err
		}
	}
}

// Trouble is what may pass: it is tried again, and the code is that of the last try.
type Trouble struct {
	Code  source.Code
	Cause error
}

// Error implements error.
func (t *Trouble) Error() string { return fmt.Sprintf("%s: %v", t.Code, t.Cause) }

// Unwrap gives the cause.
func (t *Trouble) Unwrap() error { return t.Cause }

func troubleCode(err error) source.Code {
	var t *Trouble
	if errors.As(err, &t) {
		return t.Code
	}
	return Failed
}

// publish reads a source and publishes what it says.
func (s *Service) publish(ctx context.Context, org string, src *source.Source) error {
	if src.Type == source.Offers {
		_, err := s.sources.PublishOffers(ctx, org, *src)
		return err
	}
	made, err := s.read(ctx, org, src)
	if err != nil {
		return refusal(err)
	}
	_, err = s.sources.Publish(ctx, org, *src, made)
	return err
}

// refusal names what package chunk refuses.
func refusal(err error) error {
	switch {
	case errors.Is(err, chunk.ErrTooLong):
		return &Refused{TooLong, err}
	case errors.Is(err, chunk.ErrTooMany):
		return &Refused{TooMany, err}
	case errors.Is(err, chunk.ErrEmpty):
		return &Refused{Empty, err}
	}
	return err
}

// read makes chunks of what a source says.
func (s *Service) read(ctx context.Context, org string, src *source.Source) (m source.Made, err error) {
	switch src.Type {
	case source.Text:
		var text string
		err := s.db.View(ctx, func(tx *store.Tx) error {
			text, err = source.TextOf(tx, org, src.ID)
			return err
		})
		if err != nil {
			return m, err
		}
		m.Chunks, err = chunk.Split(src.Title, text)
		return m, err
	case source.FAQ:
		title := src.Title
		if title == src.Question {
			title = ""
		}
		m.Chunks, err = chunk.FAQ(title, []chunk.Entry{{Question: src.Question, Answer: src.Answer}})
		return m, err
	case source.File:
		return s.file(ctx, src)
	case source.WebPage:
		return s.page(ctx, src)
	}
	return m, fmt.Errorf("nobody reads a source of the type %s", src.Type)
}
