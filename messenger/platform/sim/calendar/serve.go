package calendar

import (
	"encoding/json"
	"io"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	wire "svc/messenger/platform/calendar"
	"svc/messenger/platform/sim/answer"
)

// Mount adds the hosts to a server, each below its prefix.
func (w *World) Mount(mux *http.ServeMux) {
	mux.HandleFunc(Consent+"/o/oauth2/v2/auth", w.consent)
	mux.HandleFunc("POST "+Tokens+"/token", w.token)
	mux.HandleFunc("POST "+Tokens+"/revoke", w.revoked)
	api := func(pattern string, h func(http.ResponseWriter, *http.Request)) {
		method, path, _ := strings.Cut(pattern, " ")
		mux.HandleFunc(method+" "+API+path, w.signedIn(h))
	}
	api("GET /oauth2/v3/userinfo", func(rw http.ResponseWriter, _ *http.Request) {
		writeJSON(rw, http.StatusOK, map[string]any{"sub": "1", "email": Email, "email_verified": true})
	})
	api("GET /calendar/v3/users/me/calendarList", w.list)
	api("POST /calendar/v3/freeBusy", w.busy)
	api("GET /calendar/v3/calendars/{calendar}/events", w.eventList)
	api("POST /calendar/v3/calendars/{calendar}/events", w.insert)
	api("GET /calendar/v3/calendars/{calendar}/events/{id}", w.get)
	api("PATCH /calendar/v3/calendars/{calendar}/events/{id}", w.patch)
	api("DELETE /calendar/v3/calendars/{calendar}/events/{id}", w.remove)
	for _, prefix := range []string{Consent, Tokens, API} {
		mux.HandleFunc(prefix+"/", func(rw http.ResponseWriter, r *http.Request) {
			w.mu.Lock()
			w.missing[r.Method+" "+r.URL.Path]++
			w.mu.Unlock()
			refuse(rw, http.StatusNotFound, "notFound", "Not Found")
		})
	}
}

func writeJSON(rw http.ResponseWriter, status int, body any) {
	rw.Header().Set("Content-Type", "application/json; charset=UTF-8")
	rw.WriteHeader(status)
	_ = json.NewEncoder(rw).Encode(body) // a client that left is nobody's error
}

func refuse(rw http.ResponseWriter, status int, reason, text string) {
	writeJSON(rw, status, map[string]any{"error": map[string]any{
		"code": status, "message": text, "errors": []any{map[string]string{"domain": "global", "reason": reason, "message": text}},
	}})
}

// refuseToken is how the host of tokens refuses.
func refuseToken(rw http.ResponseWriter, word, text string) {
	writeJSON(rw, http.StatusBadRequest, map[string]string{"error": word, "error_description": text})
}

// fails does what a scene wants of a call before it is done, and says whether that is all. The
// lock is held.
func (w *World) fails(rw http.ResponseWriter, do []string) bool {
	switch {
	case len(do) == 2 && do[0] == "error":
		code, reason, _ := strings.Cut(do[1], "/")
		status, err := strconv.Atoi(code)
		if err != nil {
			refuseToken(rw, do[1], "a scene")
			return true
		}
		if reason == "" {
			reason = map[int]string{403: "rateLimitExceeded", 404: "notFound", 401: "authError", 400: "invalid"}[status]
		}
		refuse(rw, status, reason, "a scene")
		return true
	case does(do, "drop request"):
		answer.HangUp(rw)
		return true
	}
	return false
}

// done answers a call that was done, unless a scene cuts the line.
func done(rw http.ResponseWriter, do []string, status int, body any) {
	if does(do, "drop answer") {
		answer.HangUp(rw)
		return
	}
	if body == nil {
		rw.WriteHeader(status)
		return
	}
	writeJSON(rw, status, body)
}

// signedIn asks for an access. The handler is called with the lock held.
func (w *World) signedIn(h func(http.ResponseWriter, *http.Request)) http.HandlerFunc {
	return func(rw http.ResponseWriter, r *http.Request) {
		w.mu.Lock()
		defer w.mu.Unlock()
		if !w.goodAccess(strings.TrimPrefix(r.Header.Get("Authorization"), "Bearer ")) {
			refuse(rw, http.StatusUnauthorized, "authError", "Invalid Credentials")
			return
		}
		if w.gone && r.PathValue("calendar") != "" || r.PathValue("calendar") != "" && r.PathValue("calendar") != Email && r.PathValue("calendar") != "primary" {
			refuse(rw, http.StatusNotFound, "notFound", "Not Found")
			return
		}
		h(rw, r)
	}
}

// scope refuses a call that was not allowed.
func (w *World) scope(rw http.ResponseWriter, need string) bool {
	if w.scopes != nil && !slices.Contains(w.scopes, need) {
		refuse(rw, http.StatusForbidden, "insufficientPermissions", "Request had insufficient authentication scopes.")
		return false
	}
	return true
}

func (w *World) list(rw http.ResponseWriter, _ *http.Request) {
	if !w.scope(rw, wire.ScopeList) {
		return
	}
	items := []any{
		map[string]any{"id": "holidays@group.example", "summary": "Holidays", "timeZone": Zone, "accessRole": "reader"},
		map[string]any{"id": "shifts@group.example", "summary": "Shifts", "timeZone": Zone, "accessRole": "writer"},
	}
	if !w.gone {
		items = append(items, map[string]any{"id": Email, "summary": "Demo", "timeZone": Zone, "accessRole": "owner", "primary": true})
	}
	writeJSON(rw, http.StatusOK, map[string]any{"kind": "calendar#calendarList", "items": items})
}

func (w *World) busy(rw http.ResponseWriter, r *http.Request) {
	if !w.scope(rw, wire.ScopeBusy) {
		return
	}
	do := w.fires("queries")
	w.calls["queries"]++
	if w.fails(rw, do) {
		return
	}
	var q struct {
		From  time.Time             `json:"timeMin"`
		To    time.Time             `json:"timeMax"`
		Items []struct{ ID string } `json:"items"`
	}
	if err := json.NewDecoder(io.LimitReader(r.Body, 1<<16)).Decode(&q); err != nil || !q.From.Before(q.To) || len(q.Items) == 0 {
		refuse(rw, http.StatusBadRequest, "timeRangeEmpty", "The specified time range is empty.")
		return
	}
	of := map[string]any{}
	for _, i := range q.Items {
		switch {
		case w.busyBad != "":
			of[i.ID] = map[string]any{"errors": []any{map[string]string{"domain": "global", "reason": w.busyBad}}, "busy": []any{}}
		case i.ID != Email || w.gone:
			of[i.ID] = map[string]any{"errors": []any{map[string]string{"domain": "global", "reason": "notFound"}}, "busy": []any{}}
		default:
			of[i.ID] = map[string]any{"busy": w.busyTimes(q.From, q.To)}
		}
	}
	done(rw, do, http.StatusOK, map[string]any{"kind": "calendar#freeBusy", "timeMin": q.From, "timeMax": q.To, "calendars": of})
}

// busyTimes are those within a time, as one where they touch.
func (w *World) busyTimes(from, to time.Time) []map[string]time.Time {
	var list []*event
	for _, e := range w.events {
		if e.Status != "cancelled" && !e.Free && e.Start.Before(to) && e.End.After(from) {
			list = append(list, e)
		}
	}
	slices.SortFunc(list, func(a, b *event) int { return a.Start.Compare(b.Start) })
	out := []map[string]time.Time{}
	for _, e := range list {
		if n := len(out) - 1; n >= 0 && !e.Start.After(out[n]["end"]) {
			if e.End.After(out[n]["end"]) {
				out[n]["end"] = e.End
			}
			continue
		}
		out = append(out, map[string]time.Time{"start": e.Start, "end": e.End})
	}
	return out
}

func shown(e *event) map[string]any {
	at := func(t time.Time) map[string]any {
		return map[string]any{"dateTime": t.Format(time.RFC3339), "timeZone": e.Zone}
	}
	out := map[string]any{
		"kind": "calendar#event", "id": e.ID, "etag": e.etag(), "status": e.Status, "summary": e.Title, "description": e.Note, "start": at(e.Start), "end": at(e.End),
		"created": e.Created.Format(time.RFC3339Nano), "htmlLink": "https://calendar.example/event?eid=" + url.QueryEscape(e.ID),
		"extendedProperties": map[string]any{"private": e.Private},
	}
	if e.Free {
		out["transparency"] = "transparent"
	}
	return out
}

func (w *World) eventList(rw http.ResponseWriter, r *http.Request) {
	do := w.fires("lists")
	if w.fails(rw, do) {
		return
	}
	from, err := time.Parse(time.RFC3339, r.URL.Query().Get("timeMin"))
	to, err2 := time.Parse(time.RFC3339, r.URL.Query().Get("timeMax"))
	if err != nil || err2 != nil || r.URL.Query().Get("singleEvents") != "true" {
		refuse(rw, http.StatusBadRequest, "invalid", "Bad Request")
		return
	}
	items := []any{}
	for _, e := range w.events {
		if e.Status != "cancelled" && e.Start.Before(to) && e.End.After(from) {
			items = append(items, shown(e))
		}
	}
	done(rw, do, http.StatusOK, map[string]any{"kind": "calendar#events", "items": items})
}

// body is an event as it is sent.
type body struct {
	ID          string
	Summary     *string
	Description *string
	Start, End  *struct {
		At   time.Time `json:"dateTime"`
		Zone string    `json:"timeZone"`
	}
	Properties struct {
		Private map[string]string `json:"private"`
	} `json:"extendedProperties"`
}

func (w *World) read(rw http.ResponseWriter, r *http.Request) (b body, ok bool) {
	if !w.scope(rw, wire.ScopeEvents) {
		return b, false
	}
	err := json.NewDecoder(io.LimitReader(r.Body, 1<<18)).Decode(&b)
	if err != nil || (b.Start == nil) != (b.End == nil) || b.Start != nil && !b.Start.At.Before(b.End.At) {
		refuse(rw, http.StatusBadRequest, "timeRangeEmpty", "The specified time range is empty.")
		return b, false
	}
	return b, true
}

func (b *body) onto(e *event) {
	if b.Summary != nil {
		e.Title = *b.Summary
	}
	if b.Description != nil {
		e.Note = *b.Description
	}
	if b.Start != nil {
		e.Start, e.End, e.Zone = b.Start.At.UTC(), b.End.At.UTC(), b.Start.Zone
	}
	private := map[string]string{}
	for k, v := range e.Private {
		private[k] = v
	}
	for k, v := range b.Properties.Private {
		private[k] = v
	}
	e.Private = private
}

// chosen is the form of ids that may be chosen.
var chosen = regexp.MustCompile(`^[a-v0-9]{5,}$`)

func (w *World) insert(rw http.ResponseWriter, r *http.Request) {
	b, ok := w.read(rw, r)
	if !ok {
		return
	}
	do := w.fires("inserts")
	w.calls["inserts"]++
	switch {
	case w.fails(rw, do):
		return
	case b.Start == nil, b.ID != "" && !chosen.MatchString(b.ID):
		refuse(rw, http.StatusBadRequest, "invalid", "Invalid resource id value.")
		return
	case b.ID != "" && w.events[b.ID] != nil:
		refuse(rw, http.StatusConflict, "duplicate", "The requested identifier already exists.")
		return
	case does(do, "taken"): // somebody was quicker by a moment
		w.put(&event{Title: "Somebody else", Start: b.Start.At.UTC(), End: b.End.At.UTC(), Created: w.o.Now().UTC().Add(-time.Second)})
	}
	e := &event{ID: b.ID, ByAPI: true}
	b.onto(e)
	w.put(e)
	done(rw, do, http.StatusOK, shown(e))
}

// find is the event of a path, with a scene for the call.
func (w *World) find(rw http.ResponseWriter, r *http.Request, what string) (e *event, do []string) {
	do = w.fires(what)
	w.calls[what]++
	if w.fails(rw, do) {
		return nil, nil
	}
	if e = w.events[r.PathValue("id")]; e == nil {
		refuse(rw, http.StatusNotFound, "notFound", "Not Found")
		return nil, nil
	}
	return e, do
}

func (w *World) get(rw http.ResponseWriter, r *http.Request) {
	if e, do := w.find(rw, r, "gets"); e != nil {
		done(rw, do, http.StatusOK, shown(e))
	}
}

// current refuses a change of another version than it names.
func current(rw http.ResponseWriter, r *http.Request, e *event) bool {
	if tag := r.Header.Get("If-Match"); tag != "" && tag != "*" && tag != e.etag() {
		refuse(rw, http.StatusPreconditionFailed, "conditionNotMet", "Precondition Failed")
		return false
	}
	return true
}

func (w *World) patch(rw http.ResponseWriter, r *http.Request) {
	b, ok := w.read(rw, r)
	if !ok {
		return
	}
	e, do := w.find(rw, r, "patches")
	if e == nil || !current(rw, r, e) {
		return
	}
	x := *e
	b.onto(&x)
	w.put(&x)
	done(rw, do, http.StatusOK, shown(&x))
}

func (w *World) remove(rw http.ResponseWriter, r *http.Request) {
	if !w.scope(rw, wire.ScopeEvents) {
		return
	}
	e, do := w.find(rw, r, "deletes")
	switch {
	case e == nil:
		return
	case e.Status == "cancelled":
		refuse(rw, http.StatusGone, "deleted", "Resource has been deleted")
		return
	case !current(rw, r, e):
		return
	}
	x := *e
	x.Status = "cancelled"
	w.put(&x)
	done(rw, do, http.StatusNoContent, nil)
}
