package e2e

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/pquerna/otp/totp"

	"svc/web/e2e/browsertest"
)

// town is a platform on which every page of the console has something to show. Who
// signed up administers it, with two-factor, and owns the organization Bazar.
type town struct {
	p      *browsertest.Page
	base   string
	secret string            // of the two-factor of who signed up
	ids    map[string]string // what stands for $id in an address that begins so
}

// newTown makes one.
func newTown(t *testing.T, o browsertest.Options) town {
	t.Helper()
	p, base := signUp(t, o)
	w := town{p: p, base: base, secret: twoFactorOn(t, p), ids: map[string]string{}}
	w.furnish(t, "+998900000001")
	w.ids["/admin/proxies/"], w.ids["/admin/queues/"] = w.ids["/proxies/"], "maintenance"
	w.make(t, "/admin/organizations/", "/admin/organizations", `{"name":"Chorsu Savdo","owner_email":"chorsu@example.uz","plan":"STARTER","timezone":"Asia/Tashkent"}`)
	post(p, "/admin/abuse-reports", `{"category":"SPAM","description":"They never agreed to these messages.","source":"CUSTOMER"}`)
	org := browsertest.Eval[string](p, `fetch('/api/v1/me').then(r => r.json()).then(m => m.organization.id)`)
	w.make(t, "/admin/support-sessions/", "/admin/organizations/"+org+"/support-sessions", `{"reason":"They asked about an import"}`)
	w.ids["/settings/support/"] = w.ids["/admin/support-sessions/"]
	return w
}

// twoFactorOn turns it on and gives its secret.
func twoFactorOn(t *testing.T, p *browsertest.Page) (secret string) {
	t.Helper()
	secret = adminAPI(t, p, "/me/mfa/setup", "{}", "secret")
	post(p, "/me/mfa/enable", `{"code":`+quote(codeOf(t, secret))+`}`)
	return secret
}

// codeOf is what an authenticator shows now.
func codeOf(t *testing.T, secret string) string {
	t.Helper()
	code, err := totp.GenerateCode(secret, time.Now())
	if err != nil {
		t.Fatal(err)
	}
	return code
}

// make makes something for a page.
func (w town) make(t *testing.T, page, path, body string) (id string) {
	t.Helper()
	w.ids[page] = adminAPI(t, w.p, path, body, "id")
	return w.ids[page]
}

// furnish gives the organization of who is signed in something for each of its pages.
func (w town) furnish(t *testing.T, phone string) {
	t.Helper()
	p := w.p
	acceptPolicy(p)
	seed(p)
	w.ids["/accounts/"] = connect(p, phone)
	w.make(t, "/proxies/", "/proxies", `{"type":"SOCKS5","host":"proxy.invalid","port":1080,"name":"Office"}`)
	person := w.make(t, "/recipients/", "/recipients", `{"first_name":"Sevara","username":"sevara_k","consent_status":"OPTED_IN","tags":["demo"]}`)
	list := w.make(t, "/recipients/lists/", "/lists", `{"name":"Clients","color":"#2f6f9f"}`)
	post(p, "/lists/"+list+"/members", `{"recipient_ids":[`+quote(person)+`]}`)
	w.ids["/recipients/imports/"] = importedBy(p)
	w.make(t, "/templates/", "/templates", `{"name":"Spring","text":"Hello {{first_name}}! {{opt_out_url}}","format":"PLAIN"}`)
	w.ids["/campaigns/"] = create(p, w.ids["/accounts/"])
	w.ids["/admin/campaigns/"] = launch(p, w.ids["/accounts/"])
	w.make(t, "/webhooks/", "/webhooks", `{"url":"https://crm.example.uz/hooks/svc","description":"CRM","events":["campaign.*"]}`)
	w.ids["/inbox/"] = w.conversation()
	w.ids["/ai/executions/"] = composed(p)
	w.ids["/ai/agents/"] = "SELLER"
	w.make(t, "/ai/prompts/", "/ai/prompts", `{"agent":"SELLER","name":"House style","body":"You sell for {{company}}. Be brief."}`)
	w.make(t, "/ai/businesses/", "/ai/businesses", `{"name":"Gul"}`)
	post(p, "/ai/research", `{"business_id":`+quote(w.ids["/ai/businesses/"])+`,"topic":"Roses in winter"}`)
	w.ids["/channels/"] = channelOf(t, p)
	w.ids["/ai/social/posts/"] = firstOf(p, "/ai/social/posts")
	w.make(t, "/ai/providers/", "/ai/providers", `{"kind":"OPENAI","name":"OpenAI","api_key":"sk-of-a-story-x9Qa"}`)
	dataset := w.make(t, "/ai/quality/datasets/", "/ai/eval-datasets", `{"name":"Mistakes","agent":"SELLER"}`)
	post(p, "/ai/eval-datasets/"+dataset+"/items", `{"input":{"messages":[{"author":"CUSTOMER","text":"Salom"}]},"expected":{}}`)
	w.make(t, "/ai/quality/evaluations/", "/ai/evaluations", `{"dataset_id":`+quote(dataset)+`,"business_id":`+quote(w.ids["/ai/businesses/"])+`,"graders":["VALIDATORS"]}`)
	w.make(t, "/ai/quality/experiments/", "/ai/experiments", `{"name":"Short or long","business_id":`+quote(w.ids["/ai/businesses/"])+`,"metric":"REPLY_RATE"}`)
	w.make(t, "/ai/quality/feedback/", "/ai/feedback", `{"target":"EXECUTION","target_id":`+quote(w.ids["/ai/executions/"])+`,"labels":["WRONG_FACT"],"request_review":true}`)
	setBudget(p, "25")
	post(p, "/api-keys", `{"name":"CRM","scopes":["recipients:read"]}`)
	post(p, "/invitations", `{"email":"nobody@example.uz","role":"ANALYST"}`)
}

// channelOf connects the page of the demonstration, and gives the id of its account.
func channelOf(t *testing.T, p *browsertest.Page) string {
	t.Helper()
	before := browsertest.Eval[string](p, "location.href")
	p.Goto(adminAPI(t, p, "/channels/facebook/connect", `{"return_to":"/console/channels"}`, "authorization_url"))
	press(p, "Allow")
	p.Wait("location.pathname === '/console/channels'")
	p.Goto(before)
	return browsertest.Eval[string](p, `fetch('/api/v1/channels/accounts').then(r => r.json()).then(x => x.data[0].id)`)
}

// composed has the demo model write a text, and gives the id of the execution.
func composed(p *browsertest.Page) string {
	return browsertest.Eval[string](p, `fetch('/api/v1/ai/compose', {method: 'POST', headers: {'Content-Type': 'application/json'}, body: '{"task":"WRITE","brief":"20% off until Friday","language":"en"}'}).then(r => r.json()).then(x => x.execution_id)`)
}

// setBudget gives all agents a budget of a month, in US dollars.
func setBudget(p *browsertest.Page, usd string) {
	browsertest.Eval[int](p, `fetch('/api/v1/ai/budgets', {method: 'PUT', headers: {'Content-Type': 'application/json'}, body: '{"budgets":[{"period":"MONTH","limit_usd":`+usd+`}]}'}).then(r => r.status)`)
}

// importedBy imports people who are known to the simulator, and gives the id of the import.
func importedBy(p *browsertest.Page) string {
	audience(p, 2)
	return browsertest.Eval[string](p, `fetch('/api/v1/recipient-imports').then(r => r.json()).then(x => x.data[0].id)`)
}

// conversation has somebody answer a message, and gives the id of what comes of it.
func (w town) conversation() string {
	account := w.ids["/accounts/"]
	takesMessages(w.p, account)
	post(w.p, "/accounts/"+account+"/test-message", `{"username":"@demo_user_10"}`)
	return firstOf(w.p, "/ai/conversations?q=demo_user_10")
}

// firstOf waits for the first entry of a list, and gives its id.
func firstOf(p *browsertest.Page, path string) string {
	first := `fetch('/api/v1` + path + `').then(r => r.json()).then(x => x.data[0]?.id ?? '')`
	return browsertest.Eval[string](p, `(async () => { for (let i = 0; i < 300; i++) { const id = await `+first+`; if (id) return id; await new Promise(go => setTimeout(go, 100)); } return ''; })()`)
}

// address is the pattern of a page with an id that is there.
func (w town) address(t *testing.T, pattern string) string {
	t.Helper()
	before, after, found := strings.Cut(pattern, "$")
	if !found {
		return pattern
	}
	id, ok := w.ids[before]
	if !ok {
		t.Fatalf("the town has nothing for the page %s: give newTown something for it", pattern)
	}
	_, rest, _ := strings.Cut(after, "/")
	return strings.TrimSuffix(before+id+"/"+rest, "/")
}

// a page of the console, as its sources have it.
type route struct{ pattern, needs string }

var (
	routeLine = regexp.MustCompile(`\{\s+path: '([^']+)',(?:\s+(needs)(?:: '([^']+)')?,)?\s+load`)
	platform  = regexp.MustCompile(`(?m)^const needs = '([^']+)';$`)
)

// routes reads the addresses of all pages, and which permission opens each, where the
// console has them: a page that is added is walked through by the stories of all pages.
func routes(t *testing.T) (out []route) {
	t.Helper()
	files, err := filepath.Glob("../../embed/console/src/*/index.tsx")
	if err != nil || len(files) < 10 {
		t.Fatalf("the sources of the console have %d parts: %v", len(files), err)
	}
	for _, name := range files {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range routeLine.FindAllStringSubmatch(string(text), -1) {
			needs := m[3]
			if m[2] != "" && needs == "" {
				needs = platform.FindStringSubmatch(string(text))[1]
			}
			out = append(out, route{m[1], needs})
		}
		if got, want := len(routeLine.FindAllString(string(text), -1)), strings.Count(string(text), "load: () => import("); got != want {
			t.Fatalf("%s has %d pages, and %d are understood", name, want, got)
		}
	}
	return out
}

// still says that the page stands: nothing in sight is on its way. A list that is kept
// while a page opened from it is shown is not in sight.
const still = `[...document.querySelectorAll('main h1')].some(e => e.checkVisibility()) && ![...document.querySelectorAll('[data-left], main [aria-busy=true], main .mantine-Skeleton-root, main .mantine-Loader-root')].some(e => e.checkVisibility())`

// open goes to a page as a link does: the console is not loaded anew.
func open(p *browsertest.Page, path string) {
	browsertest.Eval[bool](p, `(() => { document.querySelectorAll('[data-left]').forEach(e => e.removeAttribute('data-left')); if (location.pathname !== `+quote("/console"+path)+`) { document.querySelectorAll('main h1').forEach(e => e.setAttribute('data-left', '')); history.pushState(null, '', `+quote("/console"+path)+`); } return true })()`)
	p.Wait(`location.pathname === ` + quote("/console"+path) + ` && ` + still)
}
