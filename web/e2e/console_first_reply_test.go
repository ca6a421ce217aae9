package e2e

import (
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/chromedp/kb"

	"svc/web/e2e/browsertest"
)

// words are what a part of the console says in a language, by key, as "start.look".
func words(t *testing.T, part, lang string) func(key string) string {
	t.Helper()
	text, err := os.ReadFile("../../embed/console/src/" + part + "/locales/" + lang + ".json")
	if err != nil {
		t.Fatal(err)
	}
	var tree map[string]any
	if err := json.Unmarshal(text, &tree); err != nil {
		t.Fatal(err)
	}
	return func(key string) string {
		t.Helper()
		var at any = tree
		for _, k := range strings.Split(key, ".") {
			branch, _ := at.(map[string]any)
			at = branch[k]
		}
		word, ok := at.(string)
		if !ok {
			t.Fatalf("the words of %s in %s have no %s", part, lang, key)
		}
		return word
	}
}

// asksFew waits until the page that was opened stands, and fails the test when it asked the
// API for more than a page may. Call it once before what opens the page, which begins the
// count.
func asksFew(t *testing.T, p *browsertest.Page, page string) {
	t.Helper()
	p.Wait(still)
	got := browsertest.Eval[asked](p, fmt.Sprintf("new Promise(done => setTimeout(() => done(%s), %d))", apiCalls, callsAfter))
	slices.Sort(got.Calls)
	if things := slices.Compact(got.Calls); page != "" && len(things) > callsToOpen {
		t.Errorf("%s asks for %d things, more than %d: %s", page, len(things), callsToOpen, strings.Join(things, " "))
	}
}

// TestConsoleFirstReply: an empty organization makes a business and an offer in the steps of
// the start, tries the seller, lets it answer by itself in an account, and reads in the inbox
// how it answered its first customer with the price of the offer, marked as the demo model's.
func TestConsoleFirstReply(t *testing.T) {
	questions := map[string]string{
		"uz": "101 ta atirgul narxi qancha?",
		"ru": "Сколько стоит 101 ta atirgul, подскажите пожалуйста?",
		"en": "Hello, how much is the 101 ta atirgul bouquet please?",
	}
	inEachLanguage(t, func(t *testing.T, p *browsertest.Page, base, lang string) {
		w, kit, inbox := words(t, "business", lang), words(t, "kit", lang), words(t, "inbox", lang)
		look := func(name string) {
			t.Helper()
			inspect(t, p, "first-reply-"+name+"-"+lang)
		}
		acceptPolicy(p)
		account := connect(p, "+998900000001")
		takesMessages(p, account)
		asksFew(t, p, "")
		p.Goto(base + "/console/ai/businesses")
		says(p, w("empty"))
		asksFew(t, p, "the businesses")

		press(p, w("sections.start"))
		says(p, w("start.businessText"))
		asksFew(t, p, "the start")
		look("start")
		press(p, w("add"))
		field(p, w("name"), "Gul")
		submit(p)
		says(p, strings.ReplaceAll(w("start.businessDone"), "{{name}}", "Gul"))
		asksFew(t, p, "")
		press(p, w("offers.add"))
		says(p, w("offers.empty"))
		asksFew(t, p, "the offers")
		press(p, w("offers.add"))
		field(p, w("offers.name"), "101 ta atirgul")
		field(p, w("offers.price"), "1400000")
		submit(p)
		p.Wait(`document.querySelector('[data-offer="101 ta atirgul"]')`)
		look("offers")

		tab(p, w("tab.try"))
		field(p, w("try.text"), questions[lang])
		press(p, w("try.act"))
		p.Wait(`document.querySelector('[data-action=DRAFT]')?.textContent.includes(` + quote(w("try.demo")) + `) && document.querySelector('[data-author=AI]')?.textContent.includes('1 400 000')`)
		look("try")

		asksFew(t, p, "")
		tab(p, w("tab.seller"))
		p.Wait("document.querySelector('[role=slider]')")
		asksFew(t, p, "the settings of the seller")
		browsertest.Eval[bool](p, "document.querySelector('[role=slider]').focus() || true")
		for range 2 {
			p.Key(kb.ArrowRight)
		}
		says(p, "4. "+w("level.4.name"))
		tick(p, w("seller.active"))
		for _, name := range []string{"delayMin", "delayMax", "debounce"} {
			field(p, w("seller."+name), "0")
		}
		look("seller")
		press(p, w("save"))
		p.Wait("fetch('/api/v1/ai/businesses/' + location.pathname.split('/').at(-1) + '/seller-settings').then(r => r.json()).then(x => x.active && x.autonomy_level === 4 && x.debounce_seconds === 0 && x.reply_delay_seconds.max === 0)")
		asksFew(t, p, "")
		tab(p, w("tab.accounts"))
		p.Wait("document.querySelector('[data-account] input')")
		asksFew(t, p, "the accounts of the business")
		browsertest.Eval[bool](p, "document.querySelector('[data-account] input').click() || true")
		p.Wait("document.querySelectorAll('[data-account] input')[1].checked")
		press(p, w("save"))
		p.Wait("fetch('/api/v1/ai/businesses/' + location.pathname.split('/').at(-1) + '/accounts').then(r => r.json()).then(x => x.accounts.length === 1 && x.accounts[0].ai_enabled)")

		p.Goto(base + "/console/ai/businesses/start")
		says(p, w("start.tryDone"))
		look("ready")
		post(p, "/ai/conversations/simulate", `{"account_id":`+quote(account)+`,"customer":{"username":"demo_user_5","name":"Anvar"},"text":`+quote(questions[lang])+`}`)
		p.Wait(`fetch('/api/v1/ai/conversations').then(r => r.json()).then(x => x.data[0]?.last_message.author === 'AI')`)
		asksFew(t, p, "")
		press(p, w("start.inbox"))
		p.Wait(`document.querySelector('[data-row]')?.textContent.includes(` + quote("("+inbox("demo")+")") + `)`)
		asksFew(t, p, "the inbox")
		look("inbox")
		firstRow(p)
		p.Wait(`[...document.querySelectorAll('[data-message] [data-author=AI]')].some(e => e.textContent.includes('101 ta atirgul') && e.textContent.includes('1 400 000') && e.querySelector('[data-demo]')?.textContent === ` + quote(inbox("demo")) + `)`)
		asksFew(t, p, "the conversation")
		look("conversation")
		press(p, kit("why.title"))
		p.Wait(`document.querySelector('[role=dialog] [data-used-offer]')?.textContent.includes('101 ta atirgul')`)
		look("why")
	})
}

// submit presses the last button of the dialog that is open, which does what it is about.
func submit(p *browsertest.Page) {
	find := `document.querySelector('[role=dialog] button[type=submit]')`
	p.Wait(find)
	browsertest.Eval[bool](p, find+`.click() || true`)
}
