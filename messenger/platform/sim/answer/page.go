package answer

import (
	"net/http"

	"maragu.dev/gomponents"
	"maragu.dev/gomponents/html"
)

// style is that of every page of the simulators.
const style = `
body{font:16px/1.5 system-ui,sans-serif;max-width:34rem;margin:2rem auto;padding:0 1rem;color:#1c1c1e;background:#f6f6f8}
main{background:#fff;border:1px solid #ddd;border-radius:12px;padding:1.5rem}
label{display:block;padding:.35rem 0}button{font:inherit;padding:.6rem 1.2rem;border-radius:8px;border:1px solid #888;background:#fff;cursor:pointer}
button.go{background:#1c6b3c;color:#fff;border-color:#1c6b3c}small{color:#666}iframe{width:100%;height:22rem;border:1px solid #ddd;border-radius:8px}
input[type=text]{font:inherit;padding:.5rem;width:100%;box-sizing:border-box}p.out{text-align:right;color:#1c6b3c}
@media(prefers-color-scheme:dark){body{background:#111;color:#eee}main{background:#1b1b1d;border-color:#333}button{background:#222;color:#eee}input{background:#222;color:#eee;border:1px solid #555}}
`

// Page writes a page of a simulator, which loads nothing and may be framed by its own server.
// head is what its head has beside the title and the style; nil for nothing.
func Page(w http.ResponseWriter, title string, head gomponents.Node, body ...gomponents.Node) {
	h := w.Header()
	h.Set("Content-Type", "text/html; charset=utf-8")
	h.Set("Cache-Control", "no-store")
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Content-Security-Policy", "default-src 'none'; style-src 'unsafe-inline'; frame-src 'self'; frame-ancestors 'self'")
	_ = html.Doctype(html.HTML(html.Lang("en"),
		html.Head(
			html.Meta(html.Charset("utf-8")),
			html.Meta(html.Name("viewport"), html.Content("width=device-width,initial-scale=1")),
			html.TitleEl(gomponents.Text(title)),
			html.StyleEl(gomponents.Raw(style)),
			head,
		),
		html.Body(body...),
	)).Render(w) // a client that left is nobody's error
}

// Consent writes the page on which somebody allows an application what it asks for: of is whose
// data it is, ask what is chosen beside the scopes, which are the values of a field.
func Consent(w http.ResponseWriter, of string, hidden [][2]string, ask gomponents.Node, field string, scopes []string) {
	Page(w, "Allow access (simulator)", nil, html.Main(
		html.H1(gomponents.Text("Allow access")),
		html.P(gomponents.Text("This is the simulator of the "+of+". It reaches nobody.")),
		html.Form(html.Method("post"),
			gomponents.Map(hidden, func(v [2]string) gomponents.Node {
				return html.Input(html.Type("hidden"), html.Name(v[0]), html.Value(v[1]))
			}),
			ask,
			html.FieldSet(html.Legend(gomponents.Text("What the service may do")), gomponents.Map(scopes, func(s string) gomponents.Node {
				return html.Label(html.Input(html.Type("checkbox"), html.Name(field), html.Value(s), html.Checked()), gomponents.Text(" "+s))
			})),
			html.P(
				html.Button(html.Class("go"), html.Type("submit"), gomponents.Text("Allow")), gomponents.Text(" "),
				html.Button(html.Type("submit"), html.Name("deny"), html.Value("1"), gomponents.Text("Refuse")),
			),
		),
	))
}
