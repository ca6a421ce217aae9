package sim

import (
	"html/template"
	"net/http"
	"net/url"
	"strings"

	"svc/messenger/platform"
	"svc/messenger/platform/sim/answer"
)

// style is that of every page here.
const style = `<style>
body{font:16px/1.5 system-ui,sans-serif;max-width:34rem;margin:2rem auto;padding:0 1rem;color:#1c1c1e;background:#f6f6f8}
main{background:#fff;border:1px solid #ddd;border-radius:12px;padding:1.5rem}
label{display:block;padding:.35rem 0}button{font:inherit;padding:.6rem 1.2rem;border-radius:8px;border:1px solid #888;background:#fff;cursor:pointer}
button.go{background:#1c6b3c;color:#fff;border-color:#1c6b3c}small{color:#666}iframe{width:100%;height:22rem;border:1px solid #ddd;border-radius:8px}
input[type=text]{font:inherit;padding:.5rem;width:100%;box-sizing:border-box}p.out{text-align:right;color:#1c6b3c}
@media(prefers-color-scheme:dark){body{background:#111;color:#eee}main{background:#1b1b1d;border-color:#333}button{background:#222;color:#eee}input{background:#222;color:#eee;border:1px solid #555}}
</style>`

var consentTemplate = template.Must(template.New("consent").Parse(`<!doctype html><html lang="en"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1"><title>Allow access (simulator)</title>` + style + `</head><body><main>
<h1>Allow access</h1><p>This is the simulator of the {{.Network}}. It reaches nobody.</p>
<form method="post"><input type="hidden" name="client_id" value="{{.Client}}"><input type="hidden" name="redirect_uri" value="{{.Redirect}}">
<input type="hidden" name="state" value="{{.State}}">
<fieldset><legend>{{.Which}}</legend>{{range $i, $a := .Accounts}}<label><input type="{{$.Input}}" name="account" value="{{$a.Username}}"{{if eq $i 0}} checked{{end}}> {{$a.Name}} <small>@{{$a.Username}}</small></label>{{end}}</fieldset>
<fieldset><legend>What the service may do</legend>{{range .Scopes}}<label><input type="checkbox" name="scope" value="{{.}}" checked> {{.}}</label>{{end}}</fieldset>
<p><button class="go" type="submit">Allow</button> <button type="submit" name="deny" value="1">Refuse</button></p></form></main></body></html>`))

type consentView struct {
	Network, Client, Redirect, State, Which, Input string
	Accounts                                       []AccountState
	Scopes                                         []string
}

func page(w http.ResponseWriter) {
	h := w.Header()
	h.Set("Content-Type", "text/html; charset=utf-8")
	h.Set("Cache-Control", "no-store")
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Content-Security-Policy", "default-src 'none'; style-src 'unsafe-inline'; frame-src 'self'; frame-ancestors 'self'")
}

func (s *Simulator) consentPage(w http.ResponseWriter, r *http.Request, network platform.Name) {
	v := consentView{
		Network: "photo network", Client: r.FormValue("client_id"), Redirect: r.FormValue("redirect_uri"), State: r.FormValue("state"),
		Which: "Account", Input: "radio", Scopes: strings.Split(r.FormValue("scope"), ","),
	}
	switch network {
	case platform.Page:
		v.Network, v.Which, v.Input = "page network", "Pages", "checkbox"
	case platform.Video:
		v.Network, v.Which = "video network", "Channel"
	}
	for _, a := range s.State().Accounts {
		if a.Network == network {
			v.Accounts = append(v.Accounts, a)
		}
	}
	page(w)
	_ = consentTemplate.Execute(w, v) // a client that left is nobody's error
}

var worldTemplate = template.Must(template.New("world").Parse(`<!doctype html><html lang="en"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1"><title>Simulated networks</title>` + style + `</head><body><main><h1>Simulated networks</h1>
<p>Open an account to write to it as one of its customers.</p>
<ul>{{range .Accounts}}<li><a href="phone/{{.Username}}">{{.Name}}</a> <small>@{{.Username}}{{if .Subscribed}}, connected{{end}}</small></li>{{end}}</ul></main></body></html>`))

var phoneTemplate = template.Must(template.New("phone").Parse(`<!doctype html><html lang="en"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1"><title>A customer of {{.Name}}</title>` + style + `</head><body><main>
<h1>A customer of {{.Name}}</h1><form method="post"><label>Who <input type="text" name="person" value="{{.Person}}" required maxlength="30" pattern="[a-z0-9_]+"></label>
<label>Text <input type="text" name="text" required maxlength="1000" autofocus></label>
<p><button class="go" type="submit" name="do" value="says">Write</button> <button type="submit" name="do" value="comments">Comment below the newest post</button></p></form>
<iframe title="Messages" src="{{.Username}}/messages?person={{.Person}}"></iframe></main></body></html>`))

var messagesTemplate = template.Must(template.New("messages").Parse(`<!doctype html><html lang="en"><head><meta charset="utf-8"><meta http-equiv="refresh" content="2">
<title>Messages</title>` + style + `</head><body>{{range .}}<p{{if .Out}} class="out"{{end}}>{{.Text}}{{range .Files}} [{{.Kind}}]{{end}}</p>{{else}}<p><small>Nothing was written yet.</small></p>{{end}}</body></html>`))

// worldPages are the pages of the world.
func (s *Simulator) worldPages(mux *http.ServeMux) {
	mux.HandleFunc("GET "+World+"/{$}", func(w http.ResponseWriter, _ *http.Request) {
		page(w)
		_ = worldTemplate.Execute(w, s.State())
	})
	mux.HandleFunc("GET "+World+"/state", func(w http.ResponseWriter, _ *http.Request) { answer.JSON(w, http.StatusOK, s.State()) })
	mux.HandleFunc(World+"/phone/{account}", s.phone)
	mux.HandleFunc("GET "+World+"/phone/{account}/messages", s.phoneMessages)
}

func (s *Simulator) phone(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	a := s.find(r.PathValue("account"))
	if a == nil {
		s.mu.Unlock()
		http.NotFound(w, r)
		return
	}
	who := r.FormValue("person")
	if slug(who) != who || who == "" || len(who) > 30 {
		who = "nodira"
	}
	if text := r.PostFormValue("text"); r.Method == http.MethodPost && text != "" && len(text) <= 2000 {
		p := s.person(a.network, who)
		if r.PostFormValue("do") == "comments" && len(a.posts) > 0 {
			s.comments(a, p, a.posts[0], text)
		} else {
			s.says(a, p, text, "", nil)
		}
	}
	view := map[string]string{"Name": a.name, "Username": a.username, "Person": who}
	s.mu.Unlock()
	if r.Method == http.MethodPost {
		http.Redirect(w, r, s.o.Public+World+"/phone/"+view["Username"]+"?person="+url.QueryEscape(who), http.StatusSeeOther)
		return
	}
	page(w)
	_ = phoneTemplate.Execute(w, view)
}

func (s *Simulator) phoneMessages(w http.ResponseWriter, r *http.Request) {
	var list []message
	s.mu.Lock()
	if a := s.find(r.PathValue("account")); a != nil {
		for _, t := range a.threads {
			if t.person.username != r.FormValue("person") {
				continue
			}
			for i := len(t.messages) - 1; i >= 0; i-- {
				list = append(list, *t.messages[i])
			}
		}
	}
	s.mu.Unlock()
	page(w)
	_ = messagesTemplate.Execute(w, list)
}
