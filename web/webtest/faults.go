package webtest

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"svc/app/api"
	"svc/app/api/perm"
	"svc/store"
)

// errCause is why an operation of faults fails; no answer may say it.
var errCause = errors.New("the disk of org_01arz3ndektsv4rrffq69g5fav is on fire")

// faults are operations that fail on purpose, for stories with @faults: real ones have
// no way to.
func faults() []api.Endpoint {
	return []api.Endpoint{
		api.E("POST /faults/panic", "faults.panic", perm.RecipientsManage, "Panic.", func(*api.Call, struct{}) (api.NoContent, error) {
			panic(errCause)
		}),
		api.E("GET /faults/error", "faults.error", perm.RecipientsRead, "Fail.", func(*api.Call, struct{}) (api.NoContent, error) {
			return api.NoContent{}, fmt.Errorf("reading: %w", errCause)
		}),
	}
}

// endpoints are those of the program, with what a story asked for besides.
func (s *Server) endpoints(list []api.Endpoint) ([]api.Endpoint, error) {
	if s.o.Faults {
		list = append(list, faults()...)
	}
	if s.o.Hurry == "" {
		return list, nil
	}
	id, limit, _ := strings.Cut(s.o.Hurry, " ")
	d, err := time.ParseDuration(limit)
	if err != nil {
		return nil, err
	}
	for i := range list {
		if list[i].ID == id {
			api.Timeout(d)(&list[i])
			return list, nil
		}
	}
	return nil, fmt.Errorf("there is no operation %q", id)
}

// holding keeps every other change of the database waiting.
type holding struct {
	release chan struct{}
	ended   chan error
}

// hold begins to change the database and does not end before release.
func (h *service) hold() {
	begun := make(chan struct{}, 1)
	h.held = &holding{make(chan struct{}), make(chan error, 1)}
	go func(held *holding) {
		held.ended <- h.app.DB.Update(context.Background(), func(*store.Tx) error {
			begun <- struct{}{}
			<-held.release
			return nil
		})
	}(h.held)
	<-begun
}

// release lets the others go on.
func (h *service) release() error {
	if h.held == nil {
		return nil
	}
	close(h.held.release)
	err := <-h.held.ended
	h.held = nil
	return err
}
