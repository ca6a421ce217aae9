package acceptance

import (
	"bytes"
	"fmt"
	"mime/multipart"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/pquerna/otp/totp"
)

// TestAStrangerComes is the story of the messaging core against the real program: a
// stranger signs up, turns on two-factor, invites a colleague who may not manage
// recipients, imports 10,000 people from a messy file with a key; one of them opts
// out by link and a webhook hears of it; the receiver and the server die and come
// back, and nothing is lost.
func TestAStrangerComes(t *testing.T) {
	t.Parallel()
	in := install(t)
	in.start()
	token := setupToken(t, in)
	olga := in.signUp("olga", map[string]any{"setup_token": token})
	again := map[string]any{"email": "eve@example.uz", "password": password, "organization_name": "Eve", "setup_token": token}
	(&caller{in: in}).do("POST", "/auth/signup", again).want(422) // it works once
	olga.do("GET", "/me", nil).want(200).says("role", "OWNER").says("user.is_platform_admin", true)
	turnOnTwoFactor(olga)
	inviteOperator(olga)

	receiver := newReceiver(t)
	hook := olga.do("POST", "/webhooks", map[string]any{"url": receiver.url(), "events": []string{"recipient.*"}}).want(201)
	receiver.secret(hook.text("signing_secret"))

	crm := olga.newKey("crm")
	importPeople(crm)
	receiver.until("recipient.imported", 1)
	first := optOutByLink(crm, "user_00011")
	receiver.until("recipient.opted_out", 1)
	in.auditIsWhole(2) // the organization's and the platform's, while it serves

	receiver.die()
	second := optOutByLink(crm, "user_00012")
	deliveries := "/webhooks/" + hook.text("id") + "/deliveries"
	wait(t, "a first attempt that fails", func() bool {
		return crm.do("GET", deliveries, nil).want(200).text("data.0.status") == "RETRYING"
	})
	crm.do("GET", deliveries, nil).says("data.0.error", "CONNECT").says("data.0.attempts", 1)
	in.kill()
	receiver.comeBack()
	in.start()
	if strings.Contains(in.stdout.String(), "setup_token") {
		t.Errorf("the link of the first person is shown again: %s", in.stdout)
	}
	third := optOutByLink(crm, "user_00013")

	// The second opt-out comes by itself, after the wait that was decided.
	receiver.until("recipient.opted_out", 3)
	for _, id := range []string{first, second, third} {
		crm.do("GET", "/recipients/"+id, nil).want(200).says("consent_status", "OPTED_OUT").says("opt_out_source", "OPT_OUT_LINK")
		if receiver.about(id) == 0 {
			t.Errorf("the receiver never heard of %s", id)
		}
	}
	const heard = "/events?type=recipient.opted_out&type=recipient.imported"
	wait(t, "the deliveries to be counted", func() bool {
		return crm.do("GET", heard, nil).want(200).int("data.1.deliveries.pending") == 0
	})
	events := crm.do("GET", heard, nil).says("total", 4)
	for i := range 4 {
		events.says(fmt.Sprintf("data.%d.deliveries.succeeded", i), 1)
	}
	crm.do("GET", "/recipients?limit=1", nil).want(200).says("total", people)
	crm.do("GET", "/suppressions", nil).want(200).says("total", 3)
	olga.do("GET", "/me", nil).want(200).says("mfa_verified", true) // the session outlived the kill
	in.auditIsWhole(2)
	in.stop()
	in.auditIsWhole(2)
}

var setupLink = regexp.MustCompile(`http://\S+/console/signup\?setup_token=(\S+)`)

// setupToken is that of the link that the server prints once.
func setupToken(t testing.TB, in *installation) string {
	t.Helper()
	var found [][]string
	wait(t, "the link of the first person", func() bool {
		found = setupLink.FindAllStringSubmatch(in.stdout.String(), -1)
		return len(found) > 0
	})
	if len(found) != 1 || strings.Contains(in.stderr.String(), found[0][1]) {
		t.Fatalf("the link stands %d times on the output, and must not be in the log:\n%s", len(found), in.stdout)
	}
	return found[0][1]
}

// turnOnTwoFactor enrols, signs out and comes back with a code, which works once.
func turnOnTwoFactor(c *caller) {
	t := c.in.t
	t.Helper()
	setup := c.do("POST", "/me/mfa/setup", nil).want(200)
	if u, err := url.Parse(setup.text("otpauth_url")); err != nil || u.Query().Get("secret") != setup.text("secret") {
		t.Errorf("the address for the app says another secret: %v, %v", u, err)
	}
	code := func(at time.Time) map[string]any {
		s, err := totp.GenerateCode(setup.text("secret"), at)
		if err != nil {
			t.Fatal(err)
		}
		return map[string]any{"code": s}
	}
	first := time.Now()
	c.signedIn(c.do("POST", "/me/mfa/enable", code(first)).want(200).says("user.mfa_enabled", true))
	c.do("POST", "/auth/logout", nil).want(204)
	c.do("GET", "/me", nil).want(401)
	c.cookie = ""
	login := c.do("POST", "/auth/login", map[string]any{"email": "olga@example.uz", "password": password}).want(200).says("mfa_required", true)
	c.signedIn(login)
	c.do("GET", "/recipients", nil).want(401).says("error.code", "mfa_required")
	c.do("POST", "/auth/mfa/verify", code(first)).want(401).says("error.code", "invalid_credentials") // it was used
	c.signedIn(c.do("POST", "/auth/mfa/verify", code(first.Add(30*time.Second))).want(200).says("mfa_verified", true))
}

// inviteOperator brings in a colleague who reads recipients and may not change them.
func inviteOperator(c *caller) {
	c.in.t.Helper()
	link := c.do("POST", "/invitations", map[string]any{"email": "ivan@example.uz", "role": "OPERATOR"}).want(201).text("url")
	_, token, _ := strings.Cut(link, "token=")
	ivan := &caller{in: c.in}
	ivan.do("GET", "/invitations/lookup?token="+url.QueryEscape(token), nil).want(200).says("organization.name", "House of olga").says("existing_user", false)
	ivan.signedIn(ivan.do("POST", "/invitations/accept", map[string]any{"token": token, "name": "Ivan", "password": password}).want(200))
	ivan.do("GET", "/me", nil).want(200).says("role", "OPERATOR")
	ivan.do("GET", "/recipients", nil).want(200).says("total", 0)
	refused := ivan.do("POST", "/recipients", map[string]any{"username": "somebody"}).want(403).says("error.code", "forbidden")
	if !strings.Contains(refused.text("error.message"), "recipients:manage") {
		c.in.t.Errorf("the refusal does not name the permission: %s", refused.body)
	}
}

// How many rows of each kind the messy file has.
const (
	people     = 10_000
	unknown    = people / 100 // without a recorded basis
	doubles    = 40
	scientific = 30
	nonsense   = 20 // consent that nobody knows
	early      = 10 // consent in the future
)

// messyFile is a file as it comes from a spreadsheet in Tashkent: a byte-order mark,
// semicolons, headers in other words, quoted line breaks, Cyrillic, emoji, people
// who stand twice, numbers as a spreadsheet rounds them.
func messyFile() []byte {
	var b bytes.Buffer
	b.WriteString("\ufeffTG_ID;UserName;Name;Surname;Lang;Consent;consent_timestamp;Tags;Город;Note\r\n")
	row := func(i int, id, consent, when string) {
		note := "plain"
		switch i % 4 {
		case 1:
			note = "\"two\r\nlines; and a \"\"quote\"\"\""
		case 2:
			note = "🎉 Нон ва чой 👩‍👩‍👧"
		case 3:
			note = ""
		}
		fmt.Fprintf(&b, "%s;@User_%05d;Ольга %d;O‘g‘li;uz;%s;%s;\"vip;ташкент\";Тошкент;%s\r\n", id, i, i, consent, when, note)
	}
	for i := range people {
		consent := "opted_in"
		if i%100 == 99 {
			consent = ""
		}
		row(i, fmt.Sprint(7_000_000_000+i), consent, "2026-01-31")
	}
	b.WriteString("\r\n;;;;;;;;;\r\n") // nobody
	for i := range doubles {
		row(i, fmt.Sprint(7_000_000_000+i), "AUTHORIZED", "2026-01-31")
	}
	for i := range scientific {
		row(people+i, "7,00000E+09", "OPTED_IN", "")
	}
	for i := range nonsense {
		row(people+100+i, fmt.Sprint(8_000_000_000+i), "probably", "")
	}
	for i := range early {
		row(people+200+i, fmt.Sprint(8_100_000_000+i), "OPTED_IN", "2999-01-01")
	}
	return b.Bytes()
}

// form is a request of multipart/form-data.
type form struct {
	kind    string
	content []byte
}

func newForm(fields map[string]string, name string, file []byte) form {
	var b bytes.Buffer
	w := multipart.NewWriter(&b)
	for k, v := range fields {
		_ = w.WriteField(k, v) // into memory
	}
	part, _ := w.CreateFormFile("file", name)
	_, _ = part.Write(file)
	_ = w.Close()
	return form{w.FormDataContentType(), b.Bytes()}
}

// importPeople tries the file and imports it; the report must be exact both times.
func importPeople(c *caller) {
	t := c.in.t
	t.Helper()
	file := messyFile()
	check := func(r reply, created int) {
		for name, want := range map[string]int{
			"total": people + doubles + scientific + nonsense + early, "valid": people, "created": created, "updated": 0,
			"duplicates": doubles, "invalid": scientific + nonsense + early, "suppressed": 0, "opted_out": 0,
			"by_consent.OPTED_IN": people - unknown, "by_consent.UNKNOWN": unknown,
		} {
			r.says(name, want)
		}
		var report struct {
			Issues  []struct{ Kind string }
			Columns []string
		}
		r.into(&report)
		kinds := map[string]int{}
		for _, i := range report.Issues {
			kinds[i.Kind]++
		}
		if kinds["INVALID"] != scientific+nonsense+early || kinds["DUPLICATE"] != doubles || kinds["UNKNOWN_CONSENT"] != unknown {
			t.Errorf("issues of the kinds %v", kinds)
		}
		if got := strings.Join(report.Columns, " "); !strings.HasPrefix(got, "messenger_id username first_name last_name language consent_status consent_timestamp tags attributes.") {
			t.Errorf("columns %s", got)
		}
	}
	check(c.do("POST", "/recipients/import", newForm(map[string]string{"dry_run": "true"}, "odamlar.csv", file)).want(200), 0)
	c.do("GET", "/recipients", nil).want(200).says("total", 0)
	check(c.do("POST", "/recipients/import", newForm(map[string]string{"tags": "import", "new_list_name": "Одамлар"}, "odamlar.csv", file)).want(201), people)
	c.do("GET", "/lists", nil).want(200).says("data.0.name", "Одамлар").says("data.0.members_count", people).says("data.0.sendable_count", people-unknown)
	one := c.do("GET", "/recipients?q=user_00001", nil).want(200).says("total", 1).says("data.0.first_name", "Ольга 1").says("data.0.last_name", "O‘g‘li")
	one.says("data.0.messenger_id", 7_000_000_001.0).says("data.0.tags", "[vip ташкент import]").says("data.0.attributes.note", "two\nlines; and a \"quote\"")
}

// optOutByLink opts a recipient out as a person does who clicks the link of a
// message: looking at the page changes nothing, confirming does.
func optOutByLink(c *caller, username string) (id string) {
	c.in.t.Helper()
	id = c.do("GET", "/recipients?q="+username, nil).want(200).says("total", 1).text("data.0.id")
	link := optOutLink(c, id)
	stranger := &caller{in: c.in, from: "203.0.113.7"}
	stranger.do("GET", link, nil).want(200)
	c.do("GET", "/recipients/"+id, nil).want(200).says("consent_status", "OPTED_IN")
	stranger.do("POST", link, nil).want(200).says("status", "OPTED_OUT").says("already", false)
	stranger.do("POST", link, nil).want(200).says("status", "OPTED_OUT").says("already", true)
	stranger.do("POST", link[:len(link)-1], nil).want(http.StatusNotFound).says("error.code", "invalid_link")
	return id
}

// optOutLink is the path of a recipient's link, as a message would carry it.
func optOutLink(c *caller, id string) string {
	c.in.t.Helper()
	preview := c.do("POST", "/messages/preview", map[string]any{
		"message": map[string]any{"text": "Stop: {{opt_out_url}}"}, "recipient_id": id,
	}).want(200)
	link, found := strings.CutPrefix(preview.text("text"), "Stop: ")
	if !found || !strings.HasPrefix(link, "/o/") {
		c.in.t.Fatalf("the preview has no link: %s", preview.body)
	}
	return link
}
