package sim

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"regexp"
	"slices"
	"strings"

	"svc/messenger/platform"
	"svc/messenger/platform/graph"
	"svc/messenger/platform/sim/answer"
	"svc/messenger/platform/sim/calendar"
	"svc/messenger/platform/sim/video"
)

// Consents reports whether a path is that of a consent page, which people open: all else but
// World is the interface, which asks for tokens of its own.
func Consents(path string) bool {
	return slices.ContainsFunc([]string{PhotoConsent, PageConsent, video.Consent, calendar.Consent}, func(prefix string) bool {
		return strings.HasPrefix(path, prefix+"/")
	})
}

// Handler serves the hosts, each below its prefix.
func (s *Simulator) Handler() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc(PhotoConsent+"/oauth/authorize", func(w http.ResponseWriter, r *http.Request) { s.consent(w, r, platform.Photo) })
	mux.HandleFunc(PageConsent+"/", func(w http.ResponseWriter, r *http.Request) { s.consent(w, r, platform.Page) })
	mux.HandleFunc("POST "+PhotoTokens+"/oauth/access_token", s.firstToken)
	mux.Handle(PhotoGraph+"/", http.StripPrefix(PhotoGraph, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { s.api(w, r, platform.Photo) })))
	mux.Handle(PageGraph+"/", http.StripPrefix(PageGraph, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { s.api(w, r, platform.Page) })))
	mux.HandleFunc(video.Consent+"/o/oauth2/v2/auth", func(w http.ResponseWriter, r *http.Request) { s.consent(w, r, platform.Video) })
	s.Video.Mount(mux)
	mux.HandleFunc("/files/", s.demoFile)
	s.worldPages(mux)
	s.Calendar.Mount(mux)
	mux.HandleFunc("/", func(w http.ResponseWriter, r *http.Request) { s.unmodelled(w, r.Method+" "+r.URL.Path) })
	return mux
}

func (s *Simulator) unmodelled(w http.ResponseWriter, what string) {
	s.mu.Lock()
	s.missing[what]++
	s.mu.Unlock()
	refuse(w, &fault{status: 400, code: 2500, text: "Unknown path components: " + what})
}

func refuse(w http.ResponseWriter, f *fault) {
	status := f.status
	if status == 0 {
		status = http.StatusBadRequest
	}
	answer.JSON(w, status, map[string]any{"error": map[string]any{
		"message": f.text, "type": "OAuthException", "code": f.code, "error_subcode": f.sub, "is_transient": f.transient, "fbtrace_id": "SIM",
	}})
}

var version = regexp.MustCompile(`^/v\d+\.\d+(/.*)$`)

// request is a call of the interface, by an account.
type request struct {
	w       http.ResponseWriter
	r       *http.Request
	network platform.Name
	path    []string
	token   string
	a       *account
	body    map[string]json.RawMessage
}

// bare are the paths that have no version.
var bare = []string{"access_token", "refresh_access_token"}

func (s *Simulator) api(w http.ResponseWriter, r *http.Request, network platform.Name) {
	path := r.URL.Path
	if m := version.FindStringSubmatch(path); m != nil {
		path = m[1]
	} else if network == platform.Page || !slices.Contains(bare, strings.Trim(path, "/")) {
		s.unmodelled(w, "unversioned "+r.Method+" "+path)
		return
	}
	q := &request{w: w, r: r, network: network, path: strings.Split(strings.Trim(path, "/"), "/")}
	q.token = strings.TrimPrefix(r.Header.Get("Authorization"), "Bearer ")
	if q.token == "" {
		q.token = r.URL.Query().Get("access_token")
	}
	if strings.HasPrefix(r.Header.Get("Content-Type"), "application/json") {
		data, err := io.ReadAll(io.LimitReader(r.Body, 1<<20))
		if err != nil || json.Unmarshal(data, &q.body) != nil {
			refuse(w, &fault{code: 100, text: "Invalid JSON"})
			return
		}
	}
	if f := s.serve(q); f != nil {
		if errors.Is(f, errDropped) {
			answer.HangUp(w)
			return
		}
		refuse(w, f.(*fault)) //nolint:errorlint,forcetypeassert // there are two kinds
	}
}

var errDropped = errors.New("the line is cut")

func (f *fault) Error() string { return f.text }

// proof refuses a call without the proof of the secret.
func (q *request) proof() *fault {
	secret := PageSecret
	if q.network == platform.Photo {
		secret = PhotoSecret
	}
	got := q.r.URL.Query().Get("appsecret_proof")
	if got == "" {
		got = q.r.FormValue("appsecret_proof")
	}
	if got != graph.Proof(q.token, secret) {
		return &fault{code: 100, text: "Invalid appsecret_proof provided in the API argument"}
	}
	return nil
}

func (s *Simulator) serve(q *request) error {
	last := q.path[len(q.path)-1]
	key := q.r.Method + " " + string(q.network) + " " + last
	s.mu.Lock()
	s.calls[key]++
	s.mu.Unlock()
	switch {
	case q.network == platform.Photo && (last == "access_token" || last == "refresh_access_token"):
		return s.longToken(q)
	case q.network == platform.Page && strings.Join(q.path, "/") == "oauth/access_token":
		return s.pageToken(q)
	case q.network == platform.Page && last == "debug_token":
		return s.debugToken(q)
	}
	if f := q.proof(); f != nil {
		return f
	}
	if q.network == platform.Page && q.token == userToken() {
		return s.asPerson(q)
	}
	s.mu.Lock()
	a, f := s.byToken(q.token)
	s.mu.Unlock()
	if f != nil {
		return f
	}
	q.a = a
	if a.network != q.network {
		return &fault{code: 190, text: "Invalid OAuth access token"}
	}
	s.usage(q)
	return s.asAccount(q, last)
}

func (s *Simulator) usage(q *request) {
	if q.a.usage == 0 {
		return
	}
	q.w.Header().Set("X-App-Usage", fmt.Sprintf(`{"call_count":%d,"total_cputime":1,"total_time":1}`, min(q.a.usage, 20)))
	q.w.Header().Set("X-Business-Use-Case-Usage", fmt.Sprintf(
		`{"%s":[{"type":"messenger","call_count":%d,"total_cputime":1,"total_time":1,"estimated_time_to_regain_access":%d}]}`, q.a.id, q.a.usage, q.a.regain))
}

// scopes are those that are left to an account.
func (a *account) scopes() []string {
	out := []string{}
	for _, x := range a.granted {
		if !slices.ContainsFunc(a.dropped, func(d string) bool { return strings.Contains(x, d) }) {
			out = append(out, x)
		}
	}
	return out
}

func (a *account) may(part string) bool {
	return slices.ContainsFunc(a.scopes(), func(x string) bool { return strings.Contains(x, part) })
}

// asPerson serves the person who connects pages.
func (s *Simulator) asPerson(q *request) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch path := strings.Join(q.path, "/"); {
	case path == "me":
		answer.JSON(q.w, http.StatusOK, map[string]any{"id": userID(platform.Page)})
	case path == "me/permissions":
		list := []any{}
		var seen []string
		for _, a := range s.accounts {
			for _, x := range a.granted {
				if a.network == platform.Page && !slices.Contains(seen, x) {
					seen = append(seen, x)
					list = append(list, map[string]string{"permission": x, "status": "granted"})
				}
			}
		}
		answer.JSON(q.w, http.StatusOK, map[string]any{"data": list})
	case path == "me/accounts":
		list := []any{}
		for _, a := range s.accounts {
			if a.network == platform.Page && len(a.granted) > 0 {
				list = append(list, map[string]any{"id": a.id, "name": a.name, "access_token": a.token(), "tasks": a.tasks})
			}
		}
		answer.JSON(q.w, http.StatusOK, map[string]any{"data": list})
	case q.r.Method == http.MethodDelete && len(q.path) == 2 && q.path[1] == "permissions":
		answer.JSON(q.w, http.StatusOK, map[string]any{"success": true})
	default:
		s.missing[q.r.Method+" "+path]++
		return &fault{code: 2500, text: "Unknown path components"}
	}
	return nil
}

// asAccount serves an account.
func (s *Simulator) asAccount(q *request, last string) error {
	post, one := q.r.Method == http.MethodPost, len(q.path) == 1
	switch {
	case post && last == "messages":
		return s.messages(q)
	case post && last == "message_attachments":
		return s.attachment(q)
	case !post && last == "conversations":
		return s.conversations(q)
	case !post && one && strings.HasPrefix(last, "t_"):
		return s.conversation(q)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if ok, err := s.content(q, last); ok {
		return err
	}
	switch {
	case last == "subscribed_apps":
		s.subscription(q)
	case last == "permissions" && !post:
		list := []any{}
		for _, x := range q.a.scopes() {
			list = append(list, map[string]string{"permission": x, "status": "granted"})
		}
		answer.JSON(q.w, http.StatusOK, map[string]any{"data": list})
	case post && last == "take_thread_control":
		var to struct{ ID string }
		_ = json.Unmarshal(q.body["recipient"], &to)
		delete(q.a.otherApp, to.ID)
		answer.JSON(q.w, http.StatusOK, map[string]any{"success": true})
	case post && (last == "replies" || last == "comments"):
		return s.publicReply(q)
	case !post && one && (last == "me" || last == q.a.id):
		answer.JSON(q.w, http.StatusOK, q.a.self())
	case !post && one:
		return s.profile(q, last)
	default:
		s.missing[q.r.Method+" "+strings.Join(q.path, "/")]++
		return &fault{code: 2500, text: "Unknown path components: /" + strings.Join(q.path, "/")}
	}
	return nil
}

func (a *account) self() map[string]any {
	if a.network == platform.Page {
		return map[string]any{"id": a.id, "name": a.name, "is_published": !a.unpublish, "followers_count": a.followers}
	}
	return map[string]any{
		"id": a.scoped, "user_id": a.id, "username": a.username, "name": a.name, "account_type": "BUSINESS", "followers_count": a.followers,
	}
}

func (s *Simulator) subscription(q *request) {
	app := PageApp
	if q.network == platform.Photo {
		app = PhotoApp
	}
	switch q.r.Method {
	case http.MethodPost:
		q.a.fields = strings.Split(q.r.FormValue("subscribed_fields"), ",")
		s.connected(q.a)
	case http.MethodDelete:
		q.a.fields = nil
	default:
		list := []any{}
		if q.a.fields != nil {
			list = append(list, map[string]any{"id": app, "subscribed_fields": q.a.fields})
		}
		answer.JSON(q.w, http.StatusOK, map[string]any{"data": list})
		return
	}
	answer.JSON(q.w, http.StatusOK, map[string]any{"success": true})
}
