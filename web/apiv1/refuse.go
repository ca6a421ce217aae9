package apiv1

import (
	"encoding/json"
	"errors"
	"net/http"
	"runtime/debug"

	"svc/app/api"
)

// refuse answers with an error where no operation could.
func refuse(w http.ResponseWriter, err error) {
	e := api.From(err)
	h := w.Header()
	if e.RetryAfter > 0 {
		h.Set("Retry-After", api.RetryAfter(e.RetryAfter))
	}
	h.Set("Content-Type", "application/json; charset=utf-8")
	w.WriteHeader(int(e.Kind))
	_ = json.NewEncoder(w).Encode(e.Body()) // a client that left is nobody's error
}

// recover turns a panic of an operation into one internal_error, or hangs up when
// a part of an answer is out. An answer that could not be finished hangs up too.
func (a *API) recover(w http.ResponseWriter, r *http.Request) {
	p := recover()
	switch err, _ := p.(error); {
	case p == nil:
		return
	case errors.Is(err, http.ErrAbortHandler), errors.Is(err, api.ErrAborted):
		panic(http.ErrAbortHandler)
	}
	a.c.Log.ErrorContext(r.Context(), "an operation failed inside the server", "panic", p, "stack", string(debug.Stack()))
	if s, ok := w.(interface{ Status() int }); ok && s.Status() != 0 {
		panic(http.ErrAbortHandler)
	}
	refuse(w, api.ErrInternal)
}
