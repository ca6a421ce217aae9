package e2e

import (
	"strings"
	"testing"

	"svc/web/e2e/browsertest"
)

// TestConsoleSwitches: an administrator of the platform offers the outside decision service,
// takes AI from an organization and gives it back; the organization keeps what its AI did for
// two weeks, and consents before it shares conversations with a service of its own.
func TestConsoleSwitches(t *testing.T) {
	p, base := signUp(t, browsertest.Options{Lang: "en", Width: 1280, Height: 1000, Allow: func(problem string) bool {
		return whenNobody(problem) || strings.HasPrefix(problem, "403 /api/v1/ai/jev")
	}})
	acceptPolicy(p)
	twoFactorOn(t, p)
	const address = "https://jev.invalid"
	p.Goto(base + "/console/ai/jev")
	heading(p, "Decision service")
	field(p, "Address", address)
	tick(p, "The service decides")
	press(p, "Save")
	says(p, "Consent is needed to switch it on")
	p.Shot("jev-consent")
	p.Accessible()
	tick(p, "I consent")
	press(p, "Save")
	says(p, "The platform does not offer an outside decision service.")

	p.Goto(base + "/console/admin/settings")
	tick(p, "Offer an outside decision service")
	field(p, "Largest file of a conversation, MB", "20")
	p.Shot("switches-platform")
	p.Accessible()
	press(p, "Save")
	p.Wait("fetch('/api/v1/admin/settings').then(r => r.json()).then(x => x.jev_available && x.inbox_max_file_mb === 20 && x.ai_enabled)")
	tick(p, "AI is on")
	press(p, "Save")
	says(p, "The seller stops answering in every organization")
	p.Shot("switches-asked")
	press(p, "Cancel")

	p.Goto(base + "/console/ai/jev")
	field(p, "Address", address)
	tick(p, "I consent")
	tick(p, "The service decides")
	choose(p, "Add a threshold", "Wants no messages")
	p.Wait("document.querySelector('[data-threshold=stop]')")
	press(p, "Save")
	p.Wait("fetch('/api/v1/ai/jev').then(r => r.json()).then(x => x.enabled && x.sharing_consent && x.status === 'OK' && x.thresholds.stop === 0.5)")
	press(p, "Test")
	p.Wait("document.querySelector('[data-tested=false]')?.textContent.includes('It was not reached in time')")
	p.Shot("jev")
	p.Accessible()

	organization := browsertest.Eval[string](p, `fetch('/api/v1/me').then(r => r.json()).then(m => m.organization.id)`)
	p.Goto(base + "/console/admin/organizations/" + organization)
	press(p, "Change")
	press(p, "Name, plan and AI")
	p.Wait("document.querySelector('[role=dialog] input[type=checkbox]')")
	browsertest.Eval[bool](p, "document.querySelector('[role=dialog] input[type=checkbox]').click() || true")
	says(p, "The seller stops answering its customers.")
	p.Shot("switches-organization")
	p.Accessible()
	browsertest.Eval[bool](p, "document.querySelector('[role=dialog] button[type=submit]').click() || true")
	p.Wait("fetch('/api/v1/organization').then(r => r.json()).then(x => !x.ai_enabled && x.conversation_intelligence_enabled)")
	p.Goto(base + "/console/settings")
	says(p, "AI is switched off for your organization")
	field(p, "What the AI did, days", "14")
	p.Shot("switches-off")
	p.Accessible()
	press(p, "Save")
	p.Wait("fetch('/api/v1/organization').then(r => r.json()).then(x => x.retention.executions_days === 14)")
	p.Clean()
}

// found makes the page hear of research that has ended, without the web.
const found = `(() => {
	const own = window.fetch, at = new Date().toISOString();
	const research = {id: 'rsh_01arz3ndektsv4rrffq69g5fav', business_id: 'bus_01arz3ndektsv4rrffq69g5fav', business: {id: 'bus_01arz3ndektsv4rrffq69g5fav', name: 'Gul'},
		topic: 'Как дольше хранить розы', questions: [], urls: [], status: 'DONE', summary: 'Срез обновляют под углом, воду меняют каждый день.', pages_count: 3, error_code: null,
		findings: [{text: 'Срез нужно обновлять под углом.', quote: 'Обновляйте срез стебля под острым углом каждые два дня.', url: 'https://example.uz/rozy', title: 'Уход за розами'},
			{text: 'Воду меняют каждый день.', quote: 'Воду меняют каждый день.', url: 'https://example.uz/oc/' + 'voda'.repeat(30), title: ''}],
		cost_usd: 0.0031, execution_id: null, source_id: null, source: null, created_by: 'usr_1', creator: null, created_at: at, finished_at: at};
	const failed = {...research, id: 'rsh_01arz3ndektsv4rrffq69g5fbv', topic: 'Гортензии', status: 'FAILED', summary: null, findings: [], pages_count: 0, error_code: 'SEARCH_NOT_CONFIGURED'};
	window.fetch = (asked, how) => {
		const url = String(asked.url ?? asked);
		if (!url.includes('/ai/research') || (asked.method ?? how?.method ?? 'GET') !== 'GET') return own(asked, how);
		return Promise.resolve(new Response(JSON.stringify({data: [research, failed], total: 2, limit: 10, offset: 0, next_cursor: null}), {headers: {'Content-Type': 'application/json'}}));
	};
})()`

// TestConsoleResearch: what is looked up without a page to read says what is missing; findings
// show the page that each stands on, in both themes and on a telephone.
func TestConsoleResearch(t *testing.T) {
	p, base := signUp(t, browsertest.Options{Lang: "ru", Width: 1280, Height: 1000, Allow: whenNobody})
	adminAPI(t, p, "/ai/businesses", `{"name":"Гул"}`, "id")
	p.Goto(base + "/console/ai/businesses/research")
	says(p, "Пока ничего не искали")
	p.Shot("research-empty")
	p.Accessible()
	press(p, "Найти сведения")
	press(p, "Начать поиск")
	says(p, "Введите тему")
	field(p, "Тема", "Как дольше хранить розы")
	p.Shot("research-asked")
	p.Accessible()
	press(p, "Начать поиск")
	p.Wait("document.querySelector('[data-research=FAILED]')?.textContent.includes('Укажите адреса')")
	p.Before(found)
	p.Goto(base + "/console/ai/businesses/research")
	p.Wait("document.querySelectorAll('[data-research=DONE] [data-finding]').length === 2")
	pageFits(p, t, "research")
	dark(p, true)
	p.Shot("research-dark")
	accessibleAt(t, "research in the dark", p.FindingsOfColours())
	p.Resize(360, 740)
	narrowAt(t, p, "research")
	p.Shot("research-narrow")
	p.Clean()
}

// TestConsoleNextLevel: beside the autonomy stands how often people decided what the next
// level would have done; where that is enough the level is raised from there. On a wide screen
// the seller is tried beside its settings.
func TestConsoleNextLevel(t *testing.T) {
	p, base := signUp(t, browsertest.Options{Lang: "en", Width: 1440, Height: 1000, Allow: whenNobody})
	business := adminAPI(t, p, "/ai/businesses", `{"name":"Gul"}`, "id")
	post(p, "/ai/businesses/"+business+"/offers", `{"name":"101 ta atirgul","price":1400000,"currency":"UZS"}`)
	sells(p, business, 3)
	settings := base + "/console/ai/businesses/" + business + "?tab=seller"
	p.Goto(settings)
	p.Wait("document.querySelector('[role=slider]') && document.querySelector('[data-beside]')")
	p.Wait("!document.querySelector('[data-verdict]')")
	p.Before(performing)
	p.Goto(settings)
	p.Wait("document.querySelector('[data-verdict=wait] [data-agreement=PRICING]')?.textContent.includes('between 78.2% and 94.3%')")
	p.Shot("next-level-wait")
	p.Before(strings.ReplaceAll(performing, "0.782", "0.812"))
	p.Goto(settings)
	p.Wait("document.querySelector('[data-verdict=raise]')")
	pageFits(p, t, "next-level")
	press(p, "Raise to 4")
	says(p, "4. Answers by itself")
	field(p, "Message of the customer", "How much is 101 ta atirgul?")
	press(p, "Try")
	p.Wait("document.querySelector('[data-beside] [data-action]')?.textContent.includes('Demo')")
	p.Shot("next-level-tried")
	p.Accessible()
	dark(p, true)
	p.Shot("next-level-dark")
	accessibleAt(t, "the next level in the dark", p.FindingsOfColours())
	p.Resize(360, 740)
	narrowAt(t, p, "the next level")
	p.Wait("!document.querySelector('[data-beside]')")
	p.Shot("next-level-narrow")
	p.Clean()
}
