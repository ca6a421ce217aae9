package sim

import (
	"net/http"
	"net/url"
	"strings"

	"maragu.dev/gomponents"
	"maragu.dev/gomponents/html"

	"svc/messenger/platform"
	"svc/messenger/platform/sim/answer"
)

func (s *Simulator) consentPage(w http.ResponseWriter, r *http.Request, network platform.Name) {
	of, which, kind := "photo network", "Account", "radio"
	switch network {
	case platform.Page:
		of, which, kind = "page network", "Pages", "checkbox"
	case platform.Video:
		of, which = "video network", "Channel"
	}
	fields := gomponents.Group{html.Legend(gomponents.Text(which))}
	for _, a := range s.State().Accounts {
		if a.Network != network {
			continue
		}
		fields = append(fields, html.Label(
			html.Input(html.Type(kind), html.Name("account"), html.Value(a.Username), gomponents.If(len(fields) == 1, html.Checked())),
			gomponents.Text(" "+a.Name+" "), html.Small(gomponents.Text("@"+a.Username)),
		))
	}
	hidden := [][2]string{{"client_id", r.FormValue("client_id")}, {"redirect_uri", r.FormValue("redirect_uri")}, {"state", r.FormValue("state")}}
	answer.Consent(w, of, hidden, html.FieldSet(fields), "scope", strings.Split(r.FormValue("scope"), ","))
}

// worldPage lists the accounts.
func worldPage(w http.ResponseWriter, accounts []AccountState) {
	answer.Page(w, "Simulated networks", nil, html.Main(
		html.H1(gomponents.Text("Simulated networks")),
		html.P(gomponents.Text("Open an account to write to it as one of its customers.")),
		html.Ul(gomponents.Map(accounts, func(a AccountState) gomponents.Node {
			about := " @" + a.Username
			if len(a.Subscribed) > 0 {
				about += ", connected"
			}
			return html.Li(html.A(html.Href("phone/"+a.Username), gomponents.Text(a.Name)), html.Small(gomponents.Text(about)))
		})),
	))
}

// phonePage is where somebody writes to an account as one of its customers.
func phonePage(w http.ResponseWriter, name, username, person string) {
	title := "A customer of " + name
	answer.Page(w, title, nil, html.Main(
		html.H1(gomponents.Text(title)),
		html.Form(html.Method("post"),
			html.Label(gomponents.Text("Who "), html.Input(html.Type("text"), html.Name("person"), html.Value(person), html.Required(), html.MaxLength("30"), html.Pattern("[a-z0-9_]+"))),
			html.Label(gomponents.Text("Text "), html.Input(html.Type("text"), html.Name("text"), html.Required(), html.MaxLength("1000"), html.AutoFocus())),
			html.P(
				html.Button(html.Class("go"), html.Type("submit"), html.Name("do"), html.Value("says"), gomponents.Text("Write")), gomponents.Text(" "),
				html.Button(html.Type("submit"), html.Name("do"), html.Value("comments"), gomponents.Text("Comment below the newest post")),
			),
		),
		html.IFrame(html.Title("Messages"), html.Src(username+"/messages?person="+url.QueryEscape(person))),
	))
}

// messagesPage shows what was written, the newest first, and loads itself again.
func messagesPage(w http.ResponseWriter, list []message) {
	body := gomponents.Map(list, func(m message) gomponents.Node {
		text := m.Text
		for _, f := range m.Files {
			text += " [" + f.Kind + "]"
		}
		return html.P(gomponents.If(m.Out, html.Class("out")), gomponents.Text(text))
	})
	if len(list) == 0 {
		body = gomponents.Group{html.P(html.Small(gomponents.Text("Nothing was written yet.")))}
	}
	answer.Page(w, "Messages", html.Meta(gomponents.Attr("http-equiv", "refresh"), html.Content("2")), body)
}

// worldPages are the pages of the world.
func (s *Simulator) worldPages(mux *http.ServeMux) {
	mux.HandleFunc("GET "+World+"/{$}", func(w http.ResponseWriter, _ *http.Request) {
		worldPage(w, s.State().Accounts)
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
	name, username := a.name, a.username
	s.mu.Unlock()
	if r.Method == http.MethodPost {
		http.Redirect(w, r, s.o.Public+World+"/phone/"+username+"?person="+url.QueryEscape(who), http.StatusSeeOther)
		return
	}
	phonePage(w, name, username, who)
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
	messagesPage(w, list)
}
