package sim

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf16"

	"svc/messenger/platform"
	"svc/messenger/platform/graph"
)

// Handler serves the hosts, each below its prefix.
func (s *Simulator) Handler() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc(PhotoConsent+"/oauth/authorize", func(w http.ResponseWriter, r *http.Request) { s.consent(w, r, platform.Photo) })
	mux.HandleFunc(PageConsent+"/", func(w http.ResponseWriter, r *http.Request) { s.consent(w, r, platform.Page) })
	mux.HandleFunc("POST "+PhotoTokens+"/oauth/access_token", s.firstToken)
	mux.Handle(PhotoGraph+"/", http.StripPrefix(PhotoGraph, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { s.api(w, r, platform.Photo) })))
	mux.Handle(PageGraph+"/", http.StripPrefix(PageGraph, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { s.api(w, r, platform.Page) })))
	mux.HandleFunc("/files/", s.demoFile)
	s.worldPages(mux)
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
	answer(w, status, map[string]any{"error": map[string]any{
		"message": f.text, "type": "OAuthException", "code": f.code, "error_subcode": f.sub, "is_transient": f.transient, "fbtrace_id": "SIM",
	}})
}

func answer(w http.ResponseWriter, status int, body any) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(body) // a client that left is nobody's error
}

// codeLife is how long a code of a consent page lives.
const codeLife = time.Hour

// take uses a code up. The lock is held.
func (s *Simulator) take(network platform.Name, text, redirect string) (*code, *fault) {
	c := s.codes[text]
	switch {
	case c == nil || c.network != network:
		return nil, &fault{code: 100, sub: 36009, text: "Invalid verification code format."}
	case c.used:
		return nil, &fault{code: 100, sub: 36009, text: "This authorization code has been used."}
	case s.o.Now().Sub(c.at) > codeLife:
		return nil, &fault{code: 100, sub: 36007, text: "This authorization code has expired."}
	case c.redirect != redirect:
		return nil, &fault{code: 100, sub: 36008, text: "Error validating verification code. Please make sure your redirect_uri is identical."}
	}
	c.used = true
	for _, a := range c.accounts {
		a.granted = slices.Clone(c.scopes)
		a.tokenFault, a.dropped = 0, nil
	}
	return c, nil
}

func (s *Simulator) firstToken(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if r.PostFormValue("client_id") != PhotoApp || r.PostFormValue("client_secret") != PhotoSecret {
		answer(w, http.StatusBadRequest, map[string]any{"error_type": "OAuthException", "code": 400, "error_message": "Invalid platform app"})
		return
	}
	c, f := s.take(platform.Photo, r.PostFormValue("code"), r.PostFormValue("redirect_uri"))
	if f != nil {
		answer(w, http.StatusBadRequest, map[string]any{"error_type": "OAuthException", "code": 400, "error_message": f.text})
		return
	}
	a := c.accounts[0]
	answer(w, http.StatusOK, map[string]any{"data": []any{map[string]any{
		"access_token": a.token(), "user_id": userID(platform.Photo), "permissions": strings.Join(c.scopes, ","),
	}}})
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
			hangUp(w)
			return
		}
		refuse(w, f.(*fault)) //nolint:errorlint,forcetypeassert // there are two kinds
	}
}

var errDropped = errors.New("the line is cut")

func (f *fault) Error() string { return f.text }

// hangUp cuts the line without an answer.
func hangUp(w http.ResponseWriter) {
	if h, ok := w.(http.Hijacker); ok {
		if conn, _, err := h.Hijack(); err == nil {
			_ = conn.Close()
			return
		}
	}
	panic(http.ErrAbortHandler)
}

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

func (s *Simulator) longToken(q *request) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	v := q.r.URL.Query()
	a, f := s.byToken(v.Get("access_token"))
	if f != nil {
		return f
	}
	if what := s.fires(a, "refreshes"); what.action == "error" {
		return &fault{code: what.code, sub: what.sub, text: "The token cannot be refreshed"}
	}
	if v.Get("grant_type") == "ig_exchange_token" && v.Get("client_secret") != PhotoSecret {
		return &fault{code: 101, text: "Error validating client secret"}
	}
	answer(q.w, http.StatusOK, map[string]any{"access_token": a.token(), "token_type": "bearer", "expires_in": 5184000})
	return nil
}

func (s *Simulator) pageToken(q *request) error {
	v := q.r.URL.Query()
	if v.Get("client_id") != PageApp || v.Get("client_secret") != PageSecret {
		return &fault{code: 101, text: "Error validating application"}
	}
	if v.Get("grant_type") != "fb_exchange_token" {
		s.mu.Lock()
		defer s.mu.Unlock()
		c, f := s.take(platform.Page, v.Get("code"), v.Get("redirect_uri"))
		if f != nil {
			return f
		}
		s.lastGrant(c)
	}
	answer(q.w, http.StatusOK, map[string]any{"access_token": userToken(), "token_type": "bearer", "expires_in": 5184000})
	return nil
}

// lastGrant is what the person allowed last: it replaces what stood before. The lock is held.
func (s *Simulator) lastGrant(c *code) {
	for _, a := range s.accounts {
		if a.network == platform.Page && !slices.Contains(c.accounts, a) && a.fields == nil {
			a.granted = nil
		}
	}
}

func (s *Simulator) debugToken(q *request) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	a, f := s.byToken(q.r.URL.Query().Get("input_token"))
	data := map[string]any{"is_valid": f == nil, "app_id": PageApp}
	if f == nil {
		data["scopes"] = a.scopes()
		data["data_access_expires_at"] = s.o.Now().Add(90 * 24 * time.Hour).Unix()
	}
	answer(q.w, http.StatusOK, map[string]any{"data": data})
	return nil
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
		answer(q.w, http.StatusOK, map[string]any{"id": userID(platform.Page)})
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
		answer(q.w, http.StatusOK, map[string]any{"data": list})
	case path == "me/accounts":
		list := []any{}
		for _, a := range s.accounts {
			if a.network == platform.Page && len(a.granted) > 0 {
				list = append(list, map[string]any{"id": a.id, "name": a.name, "access_token": a.token(), "tasks": a.tasks})
			}
		}
		answer(q.w, http.StatusOK, map[string]any{"data": list})
	case q.r.Method == http.MethodDelete && len(q.path) == 2 && q.path[1] == "permissions":
		answer(q.w, http.StatusOK, map[string]any{"success": true})
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
	switch {
	case last == "subscribed_apps":
		s.subscription(q)
	case last == "permissions" && !post:
		list := []any{}
		for _, x := range q.a.scopes() {
			list = append(list, map[string]string{"permission": x, "status": "granted"})
		}
		answer(q.w, http.StatusOK, map[string]any{"data": list})
	case post && last == "take_thread_control":
		var to struct{ ID string }
		_ = json.Unmarshal(q.body["recipient"], &to)
		delete(q.a.otherApp, to.ID)
		answer(q.w, http.StatusOK, map[string]any{"success": true})
	case post && (last == "replies" || last == "comments"):
		return s.publicReply(q)
	case !post && one && (last == "me" || last == q.a.id):
		answer(q.w, http.StatusOK, q.a.self())
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
		return map[string]any{"id": a.id, "name": a.name, "is_published": !a.unpublish}
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
		answer(q.w, http.StatusOK, map[string]any{"data": list})
		return
	}
	answer(q.w, http.StatusOK, map[string]any{"success": true})
}

func (s *Simulator) profile(q *request, id string) error {
	t := q.a.threads[id]
	if t == nil {
		return &fault{code: 100, sub: 33, text: "Object does not exist"}
	}
	if t.person.noProfile || t.lastIn.IsZero() {
		return &fault{code: 230, text: "User consent is required to access user profile"}
	}
	first, family, _ := strings.Cut(t.person.name, " ")
	answer(q.w, http.StatusOK, map[string]any{
		"id": id, "name": t.person.name, "username": t.person.username, "first_name": first, "last_name": family,
	})
	return nil
}

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
	what := action{}
	if in.Action == "" {
		kind := "sends"
		if in.Recipient.Comment != "" {
			kind = "private"
		}
		what = s.fires(q.a, kind)
	}
	switch what.action {
	case "error":
		return &fault{code: what.code, sub: what.sub, text: "(#" + strconv.Itoa(what.code) + ") An error of a scene"}
	case "drop request":
		return errDropped
	case "status":
		return &fault{status: what.number, code: 1, text: "An unknown error occurred"}
	}
	m, p, f := s.accept(q, &in, got)
	if f != nil {
		return f
	}
	if m == nil {
		answer(q.w, http.StatusOK, map[string]any{"recipient_id": in.Recipient.ID})
		return nil
	}
	if what.action == "slow" {
		s.mu.Unlock()
		select {
		case <-time.After(what.wait):
		case <-q.r.Context().Done():
		}
		s.mu.Lock()
	}
	switch what.action {
	case "drop answer":
		return errDropped
	case "empty":
		answer(q.w, http.StatusOK, map[string]any{})
		return nil
	}
	answer(q.w, http.StatusOK, map[string]any{"recipient_id": idOf(q.a, p), "message_id": m.MID})
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
		s.tell(a, "message_deliveries", s.from(a, t.person, map[string]any{"delivery": map[string]any{"watermark": m.At.UnixMilli()}}))
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
	answer(q.w, http.StatusOK, map[string]any{"attachment_id": id})
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
	answer(q.w, http.StatusOK, out)
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
	answer(q.w, http.StatusOK, map[string]any{"id": t.id, "messages": map[string]any{"data": list}})
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
			answer(q.w, http.StatusOK, map[string]any{"id": r.ID})
			return nil
		}
	}
	return &fault{code: 100, sub: 33, text: "Object does not exist"}
}

// consent is the page on which a person allows accounts.
func (s *Simulator) consent(w http.ResponseWriter, r *http.Request, network platform.Name) {
	if network == platform.Page && !strings.HasSuffix(r.URL.Path, "/dialog/oauth") {
		s.unmodelled(w, r.Method+" "+r.URL.Path)
		return
	}
	back, err := url.Parse(r.FormValue("redirect_uri"))
	app := map[platform.Name]string{platform.Photo: PhotoApp, platform.Page: PageApp}[network]
	if err != nil || r.FormValue("client_id") != app || back.Host == "" {
		http.Error(w, "The application or the address to return to is not known.", http.StatusBadRequest)
		return
	}
	if r.Method != http.MethodPost {
		s.consentPage(w, r, network)
		return
	}
	q := back.Query()
	q.Set("state", r.FormValue("state"))
	if r.FormValue("deny") != "" {
		q.Set("error", "access_denied")
		q.Set("error_reason", "user_denied")
	} else {
		text, ok := s.grant(network, r.FormValue("redirect_uri"), r.Form["account"], r.Form["scope"])
		if !ok {
			http.Error(w, "Choose an account.", http.StatusBadRequest)
			return
		}
		q.Set("code", text)
	}
	back.RawQuery = q.Encode()
	if network == platform.Photo {
		back.Fragment = "_"
	}
	http.Redirect(w, r, back.String(), http.StatusFound)
}

// Allow is the consent page answered: it gives the code that the callback gets.
func (s *Simulator) Allow(network platform.Name, redirect string, usernames, scopes []string) (string, bool) {
	return s.grant(network, redirect, usernames, scopes)
}

// AllowAs is Allow with a code that the caller chooses.
func (s *Simulator) AllowAs(text string, network platform.Name, redirect string, usernames, scopes []string) error {
	given, ok := s.grant(network, redirect, usernames, scopes)
	if !ok {
		return errScene
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.codes[text] = s.codes[given]
	return nil
}

func (s *Simulator) grant(network platform.Name, redirect string, usernames, scopes []string) (string, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	c := &code{network: network, redirect: redirect, scopes: scopes, at: s.o.Now()}
	for _, name := range usernames {
		if a := s.account(network, name); a != nil {
			c.accounts = append(c.accounts, a)
		}
	}
	if len(c.accounts) == 0 {
		return "", false
	}
	text := s.next("code")
	s.codes[text] = c
	return text, true
}
