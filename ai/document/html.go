package document

import (
	"bytes"
	"strings"
	"unicode/utf8"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

func readHTML(content []byte) (out Text, err error) {
	text, err := Decode(content, "text/html")
	if err != nil {
		return out, err
	}
	doc, err := html.Parse(strings.NewReader(text))
	if err != nil {
		return out, refuse(Damaged, err)
	}
	RemoveHidden(doc)
	return Text{Title: TitleOf(doc), Body: Render(doc)}, nil
}

// ParseHTML reads a page, whose character set the content type or the page itself names.
func ParseHTML(content []byte, contentType string) (doc *html.Node, err error) {
	defer func() {
		if p := recover(); p != nil { // it is nested too deep
			doc, err = nil, panicked(p)
		}
	}()
	text, err := Decode(content, contentType)
	if err != nil {
		return nil, err
	}
	return html.Parse(bytes.NewReader([]byte(text)))
}

// TitleOf is the title of a page.
func TitleOf(doc *html.Node) string {
	for n := range doc.Descendants() {
		if n.DataAtom == atom.Title && n.FirstChild != nil && n.FirstChild.Type == html.TextNode {
			return strings.Join(strings.Fields(n.FirstChild.Data), " ")
		}
	}
	return ""
}

// unseen are elements that show no text of the page.
var unseen = map[atom.Atom]bool{
	atom.Script: true, atom.Style: true, atom.Noscript: true, atom.Template: true, atom.Iframe: true, atom.Object: true, atom.Embed: true, atom.Svg: true,
	atom.Math: true, atom.Head: true, atom.Form: false, atom.Input: true, atom.Select: true, atom.Textarea: true, atom.Button: true, atom.Canvas: true,
	atom.Audio: true, atom.Video: true, atom.Dialog: true,
}

// RemoveHidden takes away what a reader of the page does not see: comments, scripts, and
// elements that are hidden by an attribute or by their own style. The head stays, for its
// title.
func RemoveHidden(doc *html.Node) {
	var gone []*html.Node
	for n := range doc.Descendants() {
		if n.Type == html.CommentNode || n.Type == html.ElementNode && n.DataAtom != atom.Head && (unseen[n.DataAtom] || hidden(n)) {
			gone = append(gone, n)
		}
	}
	for _, n := range gone {
		if n.Parent != nil {
			n.Parent.RemoveChild(n)
		}
	}
}

// hidingStyles are declarations that hide an element, without spaces and in lower case.
var hidingStyles = []string{
	"display:none", "visibility:hidden", "opacity:0;", "font-size:0;", "font-size:0p", "text-indent:-9", "left:-9", "top:-9", "max-height:0;", "width:0;",
	"height:0;", "width:0p", "height:0p", "width:1px", "height:1px", "clip:rect(0", "clip-path:inset(50", "clip-path:inset(100", "transform:scale(0",
	"color:transparent",
}

// hidingClasses are classes by which the usual style sheets hide what is there for programs.
var hidingClasses = []string{"d-none", "hidden", "visually-hidden", "sr-only", "screen-reader-text", "is-hidden", "invisible"}

func hidden(n *html.Node) bool {
	if n.DataAtom == atom.Body || n.DataAtom == atom.Html {
		return false
	}
	var foreground, background string
	for _, a := range n.Attr {
		value := strings.ToLower(strings.TrimSpace(a.Val))
		switch a.Key {
		case "hidden":
			return true
		case "aria-hidden":
			if value == "true" {
				return true
			}
		case "class":
			for _, class := range strings.Fields(value) {
				for _, h := range hidingClasses {
					if class == h {
						return true
					}
				}
			}
		case "style":
			style := strings.Join(strings.Fields(value), "") + ";"
			style = strings.ReplaceAll(style, "opacity:0.0", "opacity:0")
			for _, h := range hidingStyles {
				if strings.Contains(style, h) {
					return true
				}
			}
			for declaration := range strings.SplitSeq(style, ";") {
				name, color, _ := strings.Cut(declaration, ":")
				switch name {
				case "color":
					foreground = plainColor(color)
				case "background", "background-color":
					background = plainColor(color)
				}
			}
		}
	}
	return foreground != "" && (foreground == background || foreground == "#ffffff" && background == "" && onWhite(n))
}

// onWhite says whether nothing around an element says that it stands on another color.
func onWhite(n *html.Node) bool {
	for p := n.Parent; p != nil; p = p.Parent {
		for _, a := range p.Attr {
			if a.Key == "bgcolor" || a.Key == "style" && strings.Contains(strings.ToLower(a.Val), "background") {
				return false
			}
		}
	}
	return true
}

// plainColor is a color in one way of writing; "" for one that is not known.
func plainColor(s string) string {
	s = strings.TrimSuffix(s, "!important")
	switch s {
	case "white", "#fff", "#ffffff", "rgb(255,255,255)":
		return "#ffffff"
	case "black", "#000", "#000000", "rgb(0,0,0)":
		return "#000000"
	}
	return s
}

// blocks are elements that stand in lines of their own.
var blocks = map[atom.Atom]bool{
	atom.P: true, atom.Div: true, atom.Section: true, atom.Article: true, atom.Main: true, atom.Aside: true, atom.Header: true, atom.Footer: true,
	atom.Nav: true, atom.Ul: true, atom.Ol: true, atom.Dl: true, atom.Table: true, atom.Blockquote: true, atom.Pre: true, atom.Figure: true, atom.Address: true,
	atom.Form: true, atom.Fieldset: true, atom.Hr: true, atom.Details: true, atom.Summary: true, atom.Figcaption: true, atom.Body: true,
}

var headingLevels = map[atom.Atom]int{atom.H1: 1, atom.H2: 2, atom.H3: 3, atom.H4: 4, atom.H5: 5, atom.H6: 6}

// Render is the text of an element: headings as lines with #, rows of tables as lines.
func Render(n *html.Node) string {
	r := renderer{}
	r.node(n, 0)
	return r.text()
}

type renderer struct {
	out  strings.Builder
	line strings.Builder
}

// maxNested bounds how deep elements lie within each other.
const maxNested = 600

func (r *renderer) node(n *html.Node, depth int) {
	if depth > maxNested || r.out.Len() > MaxText {
		return
	}
	switch n.Type {
	case html.TextNode:
		r.inline(n.Data)
		return
	case html.CommentNode, html.DoctypeNode:
		return
	}
	if unseen[n.DataAtom] {
		return
	}
	level := headingLevels[n.DataAtom]
	switch {
	case level > 0:
		r.paragraph()
		r.line.WriteString(strings.Repeat("#", level) + " ")
	case n.DataAtom == atom.Tr:
		r.row(n, depth)
		return
	case n.DataAtom == atom.Br:
		r.end("\n")
		return
	case n.DataAtom == atom.Li || n.DataAtom == atom.Dt || n.DataAtom == atom.Dd:
		r.end("\n")
	case blocks[n.DataAtom]:
		r.paragraph()
	}
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		r.node(c, depth+1)
	}
	if level > 0 || blocks[n.DataAtom] {
		r.paragraph()
	}
}

// row writes the cells of a row into one line.
func (r *renderer) row(n *html.Node, depth int) {
	r.end("\n")
	var cells []string
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		if c.DataAtom == atom.Td || c.DataAtom == atom.Th {
			inner := renderer{}
			inner.node(c, depth+1)
			cells = append(cells, strings.Join(strings.Fields(inner.text()), " "))
		}
	}
	r.line.WriteString(strings.Trim(strings.Join(cells, " | "), " |"))
	r.end("\n")
}

func (r *renderer) inline(s string) {
	for i, f := range strings.Fields(s) {
		first, _ := utf8.DecodeRuneInString(s)
		if i > 0 || strings.ContainsRune(" \t\r\n\f", first) {
			r.space()
		}
		r.line.WriteString(f)
	}
	if last, _ := utf8.DecodeLastRuneInString(s); strings.ContainsRune(" \t\r\n\f", last) {
		r.space()
	}
}

func (r *renderer) space() {
	if s := r.line.String(); s != "" && !strings.HasSuffix(s, " ") {
		r.line.WriteByte(' ')
	}
}

// end ends a line.
func (r *renderer) end(with string) {
	text := strings.TrimSpace(r.line.String())
	r.line.Reset()
	if text == "" || strings.Trim(text, "# ") == "" {
		return
	}
	r.out.WriteString(text + with)
}

// paragraph ends a paragraph.
func (r *renderer) paragraph() {
	r.end("\n")
	if s := r.out.String(); s != "" && !strings.HasSuffix(s, "\n\n") {
		r.out.WriteByte('\n')
	}
}

func (r *renderer) text() string {
	r.end("\n")
	return strings.TrimSpace(r.out.String())
}
