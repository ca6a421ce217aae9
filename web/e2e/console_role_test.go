package e2e

import (
	"encoding/json"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/chromedp/kb"

	"svc/app/api/perm"
	"svc/web/e2e/browsertest"
)

// control is something on a page that begins an operation.
type control struct{ page, words, operation string }

// controls are those of each page in its first state; who may call the operation is
// read from the API.
var controls = []control{
	{"/accounts", "Connect an account", "accounts.create"},
	{"/accounts/$id", "Send a test", "accounts.test_message"},
	{"/accounts/$id", "Pause", "accounts.pause"},
	{"/accounts/$id", "More", "accounts.delete"},
	{"/accounts/$id", "Messages a day", "accounts.update"},
	{"/proxies", "Add from text", "proxies.import"},
	{"/proxies", "Add a proxy", "proxies.create"},
	{"/proxies", "Select the page", "proxies.bulk"},
	{"/proxies/$id", "Check", "proxies.check"},
	{"/proxies/$id", "Change", "proxies.update"},
	{"/proxies/$id", "Delete", "proxies.delete"},
	{"/proxies/$id", "Used by", "accounts.update"},
	{"/campaigns", "New campaign", "campaigns.create"},
	{"/campaigns/$id", "Edit", "campaigns.update"},
	{"/campaigns/$id", "Check and launch", "campaigns.validate"},
	{"/campaigns/$id", "More", "campaigns.duplicate"},
	{"/templates", "New template", "templates.create"},
	{"/templates/$id", "Duplicate", "templates.create"},
	{"/templates/$id", "Delete", "templates.delete"},
	{"/templates/$id", "Save", "templates.update"},
	{"/recipients", "Add", "recipients.create"},
	{"/recipients", "Import", "recipients.import"},
	{"/recipients", "Select the page", "recipients.bulk"},
	{"/recipients/$id", "Edit", "recipients.update"},
	{"/recipients/$id", "Opt out", "recipients.opt_out"},
	{"/recipients/$id", "More", "recipients.delete"},
	{"/recipients/imports", "Import", "recipients.import"},
	{"/recipients/lists", "New list", "lists.create"},
	{"/recipients/lists/$id", "Add people", "lists.add_members"},
	{"/recipients/tags", "Actions for vip", "recipients.bulk"},
	{"/recipients/suppressions", "Never write again", "suppressions.create"},
	{"/recipients/suppressions", "Remove the entry: @user_11", "suppressions.delete"},
	{"/inbox/$id", "Done", "conversations.done"},
	{"/inbox/$id", "Assign", "conversations.assign"},
	{"/inbox/$id", "Reply with a quote", "conversations.reply"},
	{"/inbox/$id", "Attach a file", "conversations.upload"},
	{"/webhooks", "New webhook", "webhooks.create"},
	{"/webhooks/$id", "Send a test", "webhooks.test"},
	{"/webhooks/$id", "Edit", "webhooks.update"},
	{"/webhooks/$id", "More", "webhooks.rotate_secret"},
	{"/ai/providers", "Add a provider", "ai.create_provider"},
	{"/ai/providers/$id", "Edit", "ai.update_provider"},
	{"/ai/providers/$id", "Test", "ai.test_provider"},
	{"/ai/providers/$id", "More", "ai.delete_provider"},
	{"/ai/agents/$id", "Save", "ai.update_agent_config"},
	{"/ai/prompts", "Write a prompt", "ai.create_prompt"},
	{"/ai/prompts/$id", "Write a new version", "ai.create_prompt_version"},
	{"/ai/prompts/$id", "Activate", "ai.activate_prompt_version"},
	{"/ai/budgets", "Add a budget", "ai.put_budgets"},
	{"/ai/budgets", "Remove", "ai.put_budgets"},
	{"/api-keys", "New key", "api_keys.create"},
	{"/api-keys", "CRM: actions", "api_keys.revoke"},
	{"/members", "Invite", "invitations.create"},
	{"/members", "MANAGER: actions", "members.update"},
	{"/members/invitations", "Invite", "invitations.create"},
	{"/members/invitations", "Withdraw: nobody@example.uz", "invitations.revoke"},
	{"/settings", "Name", "organization.update"},
	{"/profile", "Name", "me.update"},
}

// entries are the names in the navigation, and what their pages read first.
var entries = []control{
	{"", "Campaigns", "campaigns.list"}, {"", "Recipients", "recipients.list"}, {"", "Templates", "templates.list"},
	{"", "Inbox", "conversations.list"},
	{"", "Accounts", "accounts.list"}, {"", "Proxies", "proxies.list"}, {"", "Sending log", "jobs.list"},
	{"", "API keys", "api_keys.list"}, {"", "Webhooks", "webhooks.list"}, {"", "Event log", "events.list"}, {"", "AI", "ai.list_providers"},
	{"", "Settings", "organization.get"}, {"", "Members", "members.list"}, {"", "Audit log", "audit.list"},
	{"", "Queues", "admin.list_queues"},
}

// harmless are buttons that change nothing but how this browser shows things: the page
// and the words.
var harmless = regexp.MustCompile(`sort$|\|(Copy|When|More filters|Show all|Show the key|Page \d+|(First|Previous|Next|Last) page)$` +
	`|^/audit-log\|Check the chain$|^/events/live\|(Pause|Clear)$|^/webhooks/\$id\|Refresh$|^/webhooks/verify\|(Go|JavaScript|Python|Shell)$` +
	`|^/inbox(/\$id)?\|(All|Unread|Waiting|Mine|Needs a person)\d*$|^/inbox/\$id\|(Filters|Customer)$|^/inbox(/\$id)?\|Sound for new messages$` +
	`|^/ai/agents/\$id\|(Uzbek|Russian|English)$|^/ai/prompts/\$id\|Version \d` +
	`|^/ai/businesses/\$id\|(About|Offers|Knowledge|Seller|Try|Accounts|Funnel|Personas)$` +
	`|^/ai/insights\|(Business health|Sales outcomes|Why sales were lost|Happiness|Demand|Service quality)$|^/channels/automations\|Check$` +
	`|^/ai/social\|(Overview|Content|Audience|Growth|(Posts|Views|Reach|Engagement|Engagement rate|Comments|Tone of posts)\d.*)$|^/calendar\|(Today|Week before|Next week)$` +
	`|^/map/styles\|Zoom (in|out)$|^/map/keys\|Use the key$`)

// own are buttons that change only what is the person's own.
var own = regexp.MustCompile(`^/notifications\|Mark (all )?as read$|^/profile\|`)

// openers are pages on which buttons open what is in a row.
var openers = regexp.MustCompile(`^/(audit-log|events|reference)$`)

// pressable are the words of what a person can press or change on the page now.
const pressable = `[...document.querySelectorAll('#page button, #page a[href], #page input, #page textarea')].filter(e => e.getClientRects().length > 0 && !e.matches(':disabled'))
	.map(e => (e.getAttribute('aria-label') || e.labels?.[0]?.textContent || e.textContent).trim())`

// buttons are those of the page without the openers of rows.
const buttons = `[...document.querySelectorAll('#page button')].filter(e => !e.closest('[data-delivery]') && e.getClientRects().length > 0 && !e.matches(':disabled') && e.type !== 'hidden')
	.map(e => (e.getAttribute('aria-label') || e.textContent).trim()).filter(Boolean)`

// permissions are what the API asks for each operation.
func permissions(t *testing.T, p *browsertest.Page) map[string]string {
	t.Helper()
	out := map[string]string{}
	pairs := browsertest.Eval[[][]string](p, `fetch('/api/v1/openapi/openapi.json').then(r => r.json()).then(d => Object.values(d.paths).flatMap(x => Object.values(x)).filter(o => o.operationId).map(o => [o.operationId, o['x-svc-permission']]))`)
	for _, pair := range pairs {
		out[pair[0]] = pair[1]
	}
	return out
}

// has says whether a role may call what asks for a permission of that name.
func has(role perm.Role, name string) bool {
	if name == "" || name == perm.Anyone.String() || name == perm.Public.String() {
		return true
	}
	if name == "ai" { // while it is switched on
		name = perm.AIRead.String()
	}
	p, ok := perm.Parse(name)
	return ok && role.Permissions().Has(p)
}

// link is one of the navigation.
type link struct {
	Name string `json:"name"`
	To   string `json:"to"`
}

// navigation walks through all areas of the navigation and gives the names of their entries,
// with those that are shown only while the page above them is open.
func navigation(p *browsertest.Page) (names []string) {
	const entries = `[...document.querySelectorAll('nav[aria-label=Pages] a')].map(a => ({name: [...a.childNodes].filter(n => n.nodeType === 3).map(n => n.data).join('').trim(), to: a.pathname.slice('/console'.length) || '/'}))`
	browsertest.Eval[bool](p, `document.querySelector('nav[aria-label=Pages] [aria-haspopup=menu]').click() || true`)
	p.Wait("document.querySelector('[role=menuitem][href]')")
	areas := browsertest.Eval[[]string](p, `[...document.querySelectorAll('[role=menuitem][href]')].map(a => a.pathname.slice('/console'.length) || '/')`)
	p.Key(kb.Escape)
	p.Wait("!document.querySelector('[role=menuitem]')")
	for _, area := range areas {
		open(p, area)
		for _, e := range browsertest.Eval[[]link](p, entries) {
			open(p, e.To)
			for _, below := range browsertest.Eval[[]link](p, entries) {
				names = append(names, below.Name)
			}
		}
	}
	return names
}

// shown holds what is on the screen against the permissions.
func shown(t *testing.T, role perm.Role, asks map[string]string, of []control, words []string) {
	t.Helper()
	for _, c := range of {
		needs, known := asks[c.operation]
		if !known {
			t.Fatalf("the API has no operation %s", c.operation)
		}
		if want := has(role, needs); slices.Contains(words, c.words) != want {
			t.Errorf("%s on %s: %q is shown: %v; %s asks for %s", role, c.page, c.words, !want, c.operation, needs)
		}
	}
}

// leadsSomewhere holds that no link of the page leads to one that the role may not open.
func leadsSomewhere(t *testing.T, p *browsertest.Page, role perm.Role, all []route, page string) {
	t.Helper()
	for _, href := range browsertest.Eval[[]string](p, `[...document.querySelectorAll('#page a[href^="/console/"]')].map(a => a.pathname.slice('/console'.length))`) {
		if r, ok := routeOf(all, href); !ok || !has(role, r.needs) {
			t.Errorf("%s on %s: a link leads to %s, which does not open", role, page, href)
		}
	}
}

// routeOf finds the page of an address; one without an id goes before one with.
func routeOf(all []route, path string) (best route, ok bool) {
	parts := strings.Split(strings.TrimSuffix(path, "/"), "/")
	for _, r := range all {
		pattern := strings.Split(strings.TrimSuffix(r.pattern, "/"), "/")
		same := len(pattern) == len(parts)
		for i := 0; same && i < len(parts); i++ {
			same = pattern[i] == parts[i] || strings.HasPrefix(pattern[i], "$")
		}
		if same && (!ok || strings.Count(r.pattern, "$") < strings.Count(best.pattern, "$")) {
			best, ok = r, true
		}
	}
	return best, ok
}

// join lets somebody accept an invitation with a role, and sign in instead of who is here.
func join(t *testing.T, w town, role perm.Role) {
	t.Helper()
	email := strings.ToLower(string(role)) + "@example.uz"
	_, token, _ := strings.Cut(adminAPI(t, w.p, "/invitations", `{"email":`+quote(email)+`,"role":`+quote(string(role))+`}`, "url"), "token=")
	const accept = `fetch('/api/v1/invitations/accept', {method: 'POST', credentials: 'omit', headers: {'Content-Type': 'application/json'}, body: %})`
	body, err := json.Marshal(map[string]string{"token": token, "name": string(role), "password": "correct horse 2"})
	if err != nil {
		t.Fatal(err)
	}
	if status := browsertest.Eval[int](w.p, strings.Replace(accept, "%", quote(string(body)), 1)+`.then(r => r.status)`); status != 200 {
		t.Fatalf("%s did not join: %d", role, status)
	}
}

// signIn makes somebody else the person of the browser.
func signIn(w town, email, password string) {
	post(w.p, "/auth/logout", "")
	post(w.p, "/auth/login", `{"email":`+quote(email)+`,"password":`+quote(password)+`}`)
	w.p.Problems()
	w.p.Goto(w.base + "/console/")
	w.p.Wait("document.querySelector('nav') && " + still)
}

// TestConsoleRoles: every role finds exactly the pages and the actions that the API
// allows it. No page that opens asks for what is refused, no link leads to a page that
// does not open, and who may only read finds no button that changes anything.
func TestConsoleRoles(t *testing.T) {
	w := newTown(t, browsertest.Options{Lang: "en", Allow: whenRehearsing})
	asks, all := permissions(t, w.p), routes(t)
	roles := []perm.Role{perm.Admin, perm.Manager, perm.Operator, perm.Analyst}
	for _, role := range roles {
		join(t, w, role)
	}
	for _, role := range roles {
		signIn(w, strings.ToLower(string(role))+"@example.uz", "correct horse 2")
		shown(t, role, asks, entries, navigation(w.p))
		reads := !strings.Contains(strings.Join(role.Permissions().Without(perm.AIPermissions).Names(), " "), ":manage")
		for _, r := range all {
			visitAs(t, w, role, reads, asks, all, r)
		}
		w.p.Clean()
	}
}

// visitAs opens one page as somebody of a role.
func visitAs(t *testing.T, w town, role perm.Role, reads bool, asks map[string]string, all []route, r route) {
	t.Helper()
	of := slices.DeleteFunc(slices.Clone(controls), func(c control) bool { return c.page != r.pattern })
	if strings.HasPrefix(r.pattern, "/admin/") && r.pattern != "/admin/overview" || role == perm.Admin && len(of) == 0 {
		return // one page of the platform stands for all; an administrator sees what an owner sees
	}
	open(w.p, w.address(t, r.pattern))
	opened := browsertest.Eval[string](w.p, "[...document.querySelectorAll('main h1')].find(e => e.checkVisibility()).textContent") != "Not allowed"
	if opened != has(role, r.needs) {
		t.Errorf("%s: %s opens: %v; it needs %s", role, r.pattern, opened, r.needs)
	}
	if !opened {
		return
	}
	shown(t, role, asks, of, browsertest.Eval[[]string](w.p, pressable))
	leadsSomewhere(t, w.p, role, all, r.pattern)
	// Operators answer customers and say how good answers were, and change nothing else.
	operated := strings.HasPrefix(r.pattern, "/inbox") || strings.HasPrefix(r.pattern, "/ai/quality") || strings.HasPrefix(r.pattern, "/ai/social") || r.pattern == "/calendar"
	if reads && !(operated && has(role, "ai:operate")) {
		changesNothing(t, w.p, string(role), r.pattern, own)
	}
}

// changesNothing holds that the page has no button that changes anything but what may be.
func changesNothing(t *testing.T, p *browsertest.Page, who, page string, may *regexp.Regexp) {
	t.Helper()
	if openers.MatchString(page) {
		return
	}
	for _, words := range browsertest.Eval[[]string](p, buttons) {
		if words == "More" { // a menu
			press(p, words)
			p.Wait("document.querySelector('[role=menuitem]')")
			if items := browsertest.Eval[[]string](p, `[...document.querySelectorAll('[role=menuitem]')].map(e => e.textContent.trim())`); !slices.Equal(items, []string{"Download CSV"}) {
				t.Errorf("%s may only read, and finds %q in a menu on %s", who, items, page)
			}
		} else if !harmless.MatchString(page+"|"+words) && !may.MatchString(page+"|"+words) {
			t.Errorf("%s may only read, and finds %q on %s", who, words, page)
		}
	}
}
