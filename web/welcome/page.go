package welcome

import (
	"encoding/json"
	"io"

	"maragu.dev/gomponents"
	"maragu.dev/gomponents/html"
)

// page is one of the pages: title, text and done are keys of words. One without
// fields has no form.
type page struct {
	kind, title, text, done string
	fields                  map[string]bool
}

// write writes the page in a language.
func (p page) write(w io.Writer, lang string) error {
	said := words[lang]
	return html.Doctype(html.HTML(html.Lang(lang),
		html.Head(
			html.Meta(html.Charset("utf-8")),
			html.Meta(html.Name("viewport"), html.Content("width=device-width, initial-scale=1")),
			html.Meta(html.Name("robots"), html.Content("noindex")),
			html.TitleEl(gomponents.Text(said[p.title]+" · svc")),
			html.Link(html.Rel("stylesheet"), html.Href(assetsPath+"welcome.css")),
			html.Script(html.Src(assetsPath+"welcome.js"), html.Defer()),
		),
		html.Body(html.Main(
			html.Nav(html.Aria("label", "lang"), gomponents.Map(languages, func(other string) gomponents.Node {
				return html.A(html.Href("?lang="+other), gomponents.Attr("data-lang"), html.Lang(other),
					gomponents.If(other == lang, html.Aria("current", "true")), gomponents.Text(other))
			})),
			html.H1(gomponents.Text(said[p.title])),
			html.P(html.ID("text"), gomponents.Text(said[p.text]+" "), html.Strong(html.ID("subject"))),
			gomponents.Iff(len(p.fields) > 0, func() gomponents.Node { return p.form(lang) }),
			html.P(html.Class("after"), html.A(html.Href("/console/"), gomponents.Text(said["signin"]))),
		)),
	)).Render(w)
}

// form has the fields of the page, and what its script says.
func (p page) form(lang string) gomponents.Node {
	said := words[lang]
	refusals, err := json.Marshal(errorWords[lang])
	if err != nil {
		panic(err) // of our own words
	}
	password := "password"
	if p.kind == "password-reset" {
		password = "newPassword"
	}
	known := p.kind == "invitation" || p.kind == "password-reset" // the link says whose it is
	return html.Form(
		html.Data("kind", p.kind), html.Data("wait", said["wait"]), html.Data("failed", said["failed"]), html.Data("done", said[p.done]),
		html.Data("no-token", said["noToken"]), html.Data("existing", said["existing"]), html.Data("errors", string(refusals)), gomponents.Attr("novalidate"),
		p.field("name", said["name"], nil, html.Name("name"), html.Data("wrong", said["wrongName"]), html.AutoComplete("name")),
		p.field("email", said["email"], nil, html.Name("email"), html.Data("wrong", said["wrongEmail"]), html.Type("email"), html.AutoComplete("username"),
			gomponents.If(known, html.ReadOnly())),
		p.field("password", said[password], html.Small(gomponents.Text(said["passwordHint"]+" ")), html.Name("password"), html.Data("wrong", said["wrongPassword"]),
			html.Type("password"), html.AutoComplete("new-password"), html.MinLength("10")),
		p.field("organization", said["organization"], nil, html.Name("organization_name"), html.Data("wrong", said["wrongOrganization"]), html.AutoComplete("organization")),
		html.P(html.Class("error"), html.Role("alert")),
		html.Button(gomponents.Text(said["submit"])),
	)
}

// field is an input with its label, nothing for one that the page does not have.
func (p page) field(name, label string, hint gomponents.Node, attributes ...gomponents.Node) gomponents.Node {
	if !p.fields[name] {
		return nil
	}
	return html.Label(gomponents.Text(label+" "), hint, html.Input(append(attributes, html.Required())...), html.Em())
}
