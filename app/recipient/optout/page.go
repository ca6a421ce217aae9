package optout

import (
	"crypto/sha256"
	_ "embed" // the style
	"encoding/base64"
	"io"
	"strings"

	"golang.org/x/text/language"
	"maragu.dev/gomponents"
	"maragu.dev/gomponents/html"

	"svc/app/org"
)

// The public page that ends messages: no script, nothing loaded from anywhere, one
// button.
var (
	//go:embed page.css
	pageStyle string

	pagePolicy = contentPolicy(pageStyle)
)

// contentPolicy lets a page have that style and send its form to itself, and
// nothing else.
func contentPolicy(style string) string {
	sum := sha256.Sum256([]byte(style))
	return "default-src 'none'; style-src 'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
}

// moment of the page: what it has to say.
type stage int

const (
	asking stage = iota
	done
	invalid
)

// pageText is the page in one language.
type pageText struct {
	name      string
	title     [3]string
	text      [3]string
	confirm   string
	note      string
	languages string
}

var pageTexts = map[org.Language]pageText{
	org.Uzbek: {
		name:  "Oʻzbekcha",
		title: [...]string{"Xabarlardan voz kechish", "Bajarildi", "Havola yaroqsiz"},
		text: [...]string{
			"Bizdan boshqa xabar olmaslikni xohlaysizmi?",
			"Siz voz kechdingiz. Endi sizga xabar yubormaymiz.",
			"Bu havola toʻliq emas yoki oʻzgartirilgan. Uni xabardan qayta oching.",
		},
		confirm:   "Xabarlardan voz kechish",
		note:      "Tugmani bosmaguningizcha hech narsa oʻzgarmaydi.",
		languages: "Tillar",
	},
	org.Russian: {
		name:  "Русский",
		title: [...]string{"Отписаться от сообщений", "Готово", "Ссылка недействительна"},
		text: [...]string{
			"Больше не получать наши сообщения?",
			"Вы отписались. Мы больше не будем вам писать.",
			"Ссылка неполная или была изменена. Откройте её ещё раз из сообщения.",
		},
		confirm:   "Отписаться",
		note:      "Пока вы не нажмёте кнопку, ничего не изменится.",
		languages: "Языки",
	},
	org.English: {
		name:  "English",
		title: [...]string{"Opt out of messages", "Done", "This link is not valid"},
		text: [...]string{
			"Do you want to receive no more messages from us?",
			"You have opted out. We will not write to you again.",
			"The link is not complete or was changed. Open it again from the message.",
		},
		confirm:   "Opt out",
		note:      "Nothing changes until you press the button.",
		languages: "Languages",
	},
}

// speak chooses the language of the page: what the reader chose, what is recorded
// of the person, what the browser asks for, what the organization speaks.
func speak(chosen, recorded, acceptLanguage string, own org.Language) org.Language {
	for _, code := range []string{chosen, recorded} {
		base, _, _ := strings.Cut(strings.ToLower(code), "-")
		if _, ok := pageTexts[org.Language(base)]; ok {
			return org.Language(base)
		}
	}
	const longest = 500
	tags, _, err := language.ParseAcceptLanguage(acceptLanguage[:min(len(acceptLanguage), longest)])
	for i := range tags {
		base, _ := tags[i].Base()
		if _, ok := pageTexts[org.Language(base.String())]; ok && err == nil {
			return org.Language(base.String())
		}
	}
	if _, ok := pageTexts[own]; ok {
		return own
	}
	return org.English
}

// page is what is shown.
type page struct {
	Lang         org.Language
	Organization string
	Title, Text  string
	Confirm      string
	Note         string
	Languages    string
	Others       []other
}

type other struct {
	Code org.Language
	Name string
}

// newPage words the page. What the organization wrote itself goes before the words
// of the service, on the page that asks.
func newPage(at stage, lang org.Language, o *org.Organization) page {
	w := pageTexts[lang]
	p := page{Lang: lang, Title: w.title[at], Text: w.text[at], Languages: w.languages}
	if o != nil {
		p.Organization = o.Name
	}
	if at != asking {
		return p
	}
	p.Confirm, p.Note = w.confirm, w.note
	if o != nil {
		p.Title, p.Text = own(o.OptOutPage.Title, p.Title), own(o.OptOutPage.Text, p.Text)
	}
	for _, code := range []org.Language{org.Uzbek, org.Russian, org.English} {
		if code != lang {
			p.Others = append(p.Others, other{code, pageTexts[code].name})
		}
	}
	return p
}

func own(text *string, ours string) string {
	if text == nil || strings.TrimSpace(*text) == "" {
		return ours
	}
	return *text
}

func (p page) write(w io.Writer) error {
	var who, ask, others gomponents.Node
	if p.Organization != "" {
		who = html.P(html.Class("who"), gomponents.Text(p.Organization))
	}
	if p.Confirm != "" {
		ask = gomponents.Group{
			html.Form(html.Method("post"), html.Button(html.Type("submit"), gomponents.Text(p.Confirm))),
			html.P(html.Class("note"), gomponents.Text(p.Note)),
		}
	}
	if len(p.Others) > 0 {
		others = html.Nav(html.Aria("label", p.Languages), gomponents.Map(p.Others, other.link))
	}
	return html.Doctype(html.HTML(html.Lang(string(p.Lang)),
		html.Head(
			html.Meta(html.Charset("utf-8")),
			html.Meta(html.Name("viewport"), html.Content("width=device-width, initial-scale=1")),
			html.Meta(html.Name("robots"), html.Content("noindex, nofollow")),
			html.TitleEl(gomponents.Text(p.Title)),
			html.StyleEl(gomponents.Raw(pageStyle)),
		),
		html.Body(html.Main(who,
			html.H1(gomponents.Text(p.Title)),
			html.P(html.Class("text"), gomponents.Text(p.Text)),
			ask, others,
		)),
	)).Render(w)
}

// link is the page in another language.
func (o other) link() gomponents.Node {
	code := string(o.Code)
	return html.A(html.Href("?lang="+code), html.Lang(code), gomponents.Attr("hreflang", code), gomponents.Text(o.Name))
}
