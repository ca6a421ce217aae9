package optout_test

import (
	"crypto/sha256"
	"encoding/base64"
	"strings"
	"testing"

	"svc/app/api"
	"svc/app/api/apitest"
	"svc/app/org"
	"svc/app/recipient/field"
	"svc/app/recipient/optout"
	"svc/app/recipient/recipienttest"
)

// link is the path of a recipient's opt-out link.
func link(h *recipienttest.Harness, id string) string {
	h.T.Helper()
	token, err := optout.Token(h.DB, h.Org, id)
	if err != nil {
		h.T.Fatal(err)
	}
	return optout.Path(token)
}

// setPage changes what the organization says on the page.
func setPage(h *recipienttest.Harness, page map[string]any) {
	h.T.Helper()
	s := apitest.New(h.T, h.DB, org.New(h.DB, h.Bus, org.Options{}))
	s.Org = h.Org
	s.Do("PATCH /organization", map[string]any{"opt_out_page": page}).Want(200)
}

func asNobody(c *api.Call) { c.Caller, c.Org = api.Caller{}, "" }

const html = "text/html,application/xhtml+xml,*/*;q=0.8"

func TestPageChangesNothingUntilConfirmed(t *testing.T) {
	h := recipienttest.New(t)
	id := h.Add(map[string]any{"messenger_id": 5, "username": "olga", "language": "ru", "consent_status": "OPTED_IN"})
	path := link(h, id)
	h.As = asNobody
	for range 3 {
		a := h.Do("GET "+path, nil, "Accept", html).Want(200)
		for _, part := range []string{`<html lang="ru">`, "Bloom &amp; Co", "<button", `<form method="post">`, "hreflang=\"uz\""} {
			if !strings.Contains(a.Body, part) {
				t.Errorf("the page lacks %s", part)
			}
		}
		if strings.Contains(a.Body, "<script") || !strings.HasPrefix(a.Header.Get("Content-Type"), "text/html") {
			t.Error("a page with scripts, or no page")
		}
		if p := a.Header.Get("Content-Security-Policy"); !strings.Contains(p, "default-src 'none'") || !strings.Contains(p, "frame-ancestors 'none'") {
			t.Errorf("policy %q", p)
		}
		_, rest, _ := strings.Cut(a.Body, "<style>")
		style, _, _ := strings.Cut(rest, "</style>")
		sum := sha256.Sum256([]byte(style))
		if want := "style-src 'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"; !strings.Contains(a.Header.Get("Content-Security-Policy"), want) {
			t.Errorf("the policy does not allow the style of the page, which has %s", want)
		}
	}
	h.As = nil
	if got := h.Find("olga")["consent_status"]; got != "OPTED_IN" {
		t.Fatalf("looking at the page changed consent to %v", got)
	}
	h.As = asNobody
	a := h.Do("POST "+path, "confirm=1", "Content-Type", "application/x-www-form-urlencoded", "Accept", html).Want(200)
	if !strings.Contains(a.Body, "Вы отписались") || strings.Contains(a.Body, "<button") {
		t.Errorf("the page after: %s", a.Body)
	}
	a = h.Do("GET "+path, nil, "Accept", html).Want(200)
	if strings.Contains(a.Body, "<button") {
		t.Error("it asks again")
	}
	h.As = nil
	h.OptedOut(id, field.ByLink)
}

func TestConfirmForPrograms(t *testing.T) {
	for name, tt := range map[string]struct {
		body    any
		headers []string
	}{
		"one click without a body": {nil, nil},
		"RFC 8058":                 {"List-Unsubscribe=One-Click", []string{"Content-Type", "application/x-www-form-urlencoded"}},
		"JSON":                     {`{"confirm":true}`, []string{"Content-Type", "application/json"}},
		"nonsense":                 {"{{{", []string{"Content-Type", "application/json"}},
	} {
		t.Run(name, func(t *testing.T) {
			h := recipienttest.New(t)
			path := link(h, h.Add(map[string]any{"username": "olga"}))
			h.As = asNobody
			for _, already := range []bool{false, true} {
				a := h.Do("POST "+path, tt.body, append(tt.headers, "Accept", "application/json")...).Want(200)
				if a.String("status") != "OPTED_OUT" || a.At("already") != already {
					t.Errorf("answer %s, want already %v", a.Body, already)
				}
			}
		})
	}
}

func TestInvalidLink(t *testing.T) {
	h := recipienttest.New(t)
	id := h.Add(map[string]any{"username": "olga"})
	path := link(h, id)
	other := link(h, h.Add(map[string]any{"username": "ivan"}))
	bad := []string{path[:len(path)-1], path + "a", "/public/opt-out/x", path[:len(path)-13] + other[len(other)-13:], strings.ToUpper(path[:20]) + path[20:]}
	for i := len("/public/opt-out/"); i < len(path); i++ {
		c := byte('0')
		if path[i] == c {
			c = '1'
		}
		bad = append(bad, path[:i]+string(c)+path[i+1:])
	}
	h.As = asNobody
	for _, p := range bad {
		if p == path || !strings.HasPrefix(p, "/public/opt-out/") {
			continue
		}
		h.Do("GET "+p, nil).Refused(optout.ErrInvalidLink)
		h.Do("POST "+p, nil, "Accept", "application/json").Refused(optout.ErrInvalidLink)
	}
	a := h.Do("GET "+bad[0], nil, "Accept", html, "Accept-Language", "uz").Want(404)
	if !strings.Contains(a.Body, "Havola yaroqsiz") {
		t.Errorf("a browser sees %s", a.Body)
	}
	h.As = nil
	if got := h.Find("olga")["consent_status"]; got != "UNKNOWN" {
		t.Errorf("consent is %v", got)
	}
	h.Do("DELETE /recipients/"+id, nil).Want(204)
	h.As = asNobody
	h.Do("POST "+path, nil).Refused(optout.ErrInvalidLink)
}

func TestPageSpeaks(t *testing.T) {
	for name, tt := range map[string]struct{ query, recorded, accepts, organization, want string }{
		"chosen":             {"?lang=en", "uz", "ru", "ru", "en"},
		"recorded":           {"", "uz-latn", "ru", "ru", "uz"},
		"browser":            {"", "", "de;q=0.9, ru;q=0.8", "uz", "ru"},
		"unknown recorded":   {"", "tr", "uz-Cyrl", "ru", "uz"},
		"organization":       {"", "", "de", "uz", "uz"},
		"nothing":            {"", "", "", "ru", "ru"},
		"nonsense":           {"?lang=xx", "", ";;;q", "en", "en"},
		"recorded not shown": {"?lang=", "de", "", "ru", "ru"},
	} {
		t.Run(name, func(t *testing.T) {
			h := recipienttest.New(t)
			setPage(h, map[string]any{"language": tt.organization})
			path := link(h, h.Add(map[string]any{"username": "olga", "language": tt.recorded}))
			h.As = asNobody
			a := h.Do("GET "+path+tt.query, nil, "Accept", html, "Accept-Language", tt.accepts).Want(200)
			if got := a.Header.Get("Content-Language"); got != tt.want || !strings.Contains(a.Body, `<html lang="`+tt.want+`">`) {
				t.Errorf("the page speaks %s, want %s", got, tt.want)
			}
		})
	}
}

func TestPageInTheWordsOfTheOrganization(t *testing.T) {
	h := recipienttest.New(t)
	setPage(h, map[string]any{"title": "Bye <script>alert(1)</script>", "text": "Line one\nLine two"})
	path := link(h, h.Add(map[string]any{"username": "olga"}))
	h.As = asNobody
	a := h.Do("GET "+path, nil).Want(200)
	if !strings.Contains(a.Body, "Bye &lt;script&gt;") || !strings.Contains(a.Body, "Line two") || strings.Contains(a.Body, "<script>") {
		t.Errorf("the page: %s", a.Body)
	}
}

func TestOptOutWorksInMaintenance(t *testing.T) {
	for _, e := range optout.New(nil, nil).Endpoints() {
		if strings.HasPrefix(e.Path, "/public/opt-out/") && !e.WorksInMaintenance() {
			t.Errorf("%s %s does not work in maintenance mode", e.Method, e.Path)
		}
	}
}
