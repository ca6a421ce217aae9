package webtest

import (
	"fmt"
	"regexp"
	"strings"
	"time"

	"svc/app/session/passkeytest"
	"svc/web/webtest/compare"
)

// names gives what differs from run to run a name that does not: the first
// recipient of a story is #rcp1, its first key #svck1. A request writes {rcp1}.
type names struct {
	of    map[string]string // what was seen, to its name
	value map[string]string // back
	next  map[string]int
	now   func() time.Time // the clock of the story, for codes
	// device is the authenticator of the story, for passkeys; origin is where its browser is.
	device *passkeytest.Authenticator
	origin func() string
	// link is the signed address of a file of the inbox.
	link func(id string) (string, error)
}

func newNames(now func() time.Time) *names {
	return &names{of: map[string]string{}, value: map[string]string{}, next: map[string]int{}, now: now}
}

// shapes are what gets a name: ids (the prefix names them), keys, access tokens,
// keys of the map and their beginnings, secrets of webhooks, tokens of links, hashes of the audit chain, cursors of lists.
var shapes = []struct {
	name string // "" takes the prefix
	re   *regexp.Regexp
}{
	{"cur", regexp.MustCompile(`\bcur_[A-Za-z0-9_-]{18,}`)},
	{"svck", regexp.MustCompile(`svck_[A-Za-z0-9]{12}_[A-Za-z0-9_-]{16,}`)},
	{"svcat", regexp.MustCompile(`svcat_[A-Za-z0-9_-]{16,}`)},
	{"whsec", regexp.MustCompile(`whsec_[A-Za-z0-9+/=]{20,}`)},
	{"host", regexp.MustCompile(`\b127\.0\.0\.1:[0-9]{2,5}\b`)},
	{"event", regexp.MustCompile(`\bsvc[0-9a-f]{32}\b`)}, // of the calendar
	{"hash", regexp.MustCompile(`\b[0-9a-f]{64}\b`)},
	{"mkey", regexp.MustCompile(`\b[0-9a-f]{32}\b`)},
	{"start", regexp.MustCompile(`\b[0-9a-f]{8}…`)},
	{"totp", regexp.MustCompile(`\b[A-Z2-7]{32}\b`)},
	{"code", regexp.MustCompile(`\b[a-z2-7]{24}\b`)},
	{"token", regexp.MustCompile(`[A-Za-z0-9_-]{40,}(?:\.[A-Za-z0-9_-]+)*`)},
	{"", regexp.MustCompile(`\b[a-z]{3}_[0-9a-hjkmnp-tv-z]{26}\b`)},
}

// hide replaces what differs in a text by its names.
func (n *names) hide(text string) string {
	for i := range shapes {
		s := &shapes[i]
		text = s.re.ReplaceAllStringFunc(text, func(seen string) string {
			return "#" + n.name(s.name, seen)
		})
	}
	return text
}

func (n *names) name(kind, seen string) string {
	if name, ok := n.of[seen]; ok {
		return name
	}
	if kind == "" {
		kind = seen[:3]
	}
	n.next[kind]++
	name := fmt.Sprintf("%s%d", kind, n.next[kind])
	n.of[seen], n.value[name] = name, seen
	return name
}

var mention = regexp.MustCompile(`\{(code )?([a-z]{3,5}[0-9]+)(?: ([+-][0-9]+[smh]))?\}`)

// linked is {link fil1}: the signed address of a file of the inbox.
var linked = regexp.MustCompile(`\{link (fil[0-9]+)\}`)

// reveal fills what names stand for into a request, and codes of secrets.
func (n *names) reveal(text string) (out string, unknown string) {
	out = presented.ReplaceAllStringFunc(text, func(ref string) string {
		part := presented.FindStringSubmatch(ref)
		challenge, ok := n.value[part[2]]
		if !ok {
			unknown = ref
		}
		return n.passkey(part[1], challenge, n.value[part[3]])
	})
	out = linked.ReplaceAllStringFunc(out, func(ref string) string {
		address, err := n.link(n.value[linked.FindStringSubmatch(ref)[1]])
		if err != nil {
			unknown = ref
		}
		return address
	})
	out = mention.ReplaceAllStringFunc(out, func(ref string) string {
		part := mention.FindStringSubmatch(ref)
		value, ok := n.value[part[2]]
		if ok && part[1] != "" {
			value, ok = n.code(value, part[3])
		}
		if !ok {
			unknown = ref
		}
		return value
	})
	return out, unknown
}

// named gives names to what differs in an answer, also when only a part of it is
// compared: later requests may need the rest.
func (r *runner) named(n *compare.Node) {
	if n.Kind == compare.Scalar && strings.HasPrefix(n.Text, `"`) {
		n.Text = r.names.hide(n.Text)
	} else if port := r.names.of["port "+n.Text]; n.Kind == compare.Scalar && port != "" {
		n.Text = compare.Quote("#" + port)
	}
	for _, item := range n.Items {
		r.named(item)
	}
}
