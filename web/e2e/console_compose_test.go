package e2e

import (
	"strings"
	"testing"

	"svc/web/e2e/browsertest"
)

// TestConsoleComposer: the one composer of templates and campaigns, on a telephone and in Russian. A
// variable has a default, emoji go where the cursor is, a template never takes the place of what was
// typed without a question, and what it replaced comes back.
func TestConsoleComposer(t *testing.T) {
	p, base := signUp(t, browsertest.Options{Lang: "ru", Width: 360, Height: 740, Touch: true, Allow: whenSigningIn})
	seed(p)
	post(p, "/templates", `{"name":"Весна","format":"MARKDOWN","text":"**Скидки** для {{first_name}}! {{opt_out_url}}"}`)
	id := adminAPI(t, p, "/campaigns", `{"name":"Новости"}`, "id")
	p.Goto(base + "/console/campaigns/" + id + "/edit")
	text := "document.querySelector('#message-text')"
	p.Wait(text)
	p.Type("#message-text", "Здравствуйте,")
	press(p, "Переменная")
	p.Wait("[...document.querySelectorAll('[role=dialog] button')].some(b => b.textContent.includes('Например: Toshkent'))") // a value that somebody has
	field(p, "Если значения нет", "друг")
	p.Shot("console-composer-variables")
	p.Accessible()
	press(p, "Имя")
	p.Wait(text + ".value === 'Здравствуйте, {{first_name|друг}}'")
	press(p, "Эмодзи")
	p.Wait("document.querySelector('[role=dialog][aria-label=\"Эмодзи\"]')")
	p.Shot("console-composer-emoji")
	press(p, "👋")
	p.Wait(text + ".value === 'Здравствуйте, {{first_name|друг}}👋'")
	says(p, "Здравствуйте, друг👋") // the preview, of nobody in particular
	p.Wait("document.querySelectorAll('[data-counter]').length === 1")
	narrow(t, p)

	choose := func() {
		t.Helper()
		browsertest.Eval[bool](p, `[...document.querySelectorAll('label')].find(l => l.textContent === 'Шаблон').control.click() || true`)
		p.Wait("[...document.querySelectorAll('[role=option]')].some(o => o.textContent === 'Весна' && o.offsetParent)")
		browsertest.Eval[bool](p, "[...document.querySelectorAll('[role=option]')].find(o => o.textContent === 'Весна').click() || true")
		says(p, "Заменить текст на «Весна»")
	}
	choose()
	p.Shot("console-composer-replace")
	p.Accessible()
	press(p, "Отмена")
	p.Wait("!document.querySelector('[role=dialog]') && " + text + ".value.includes('друг')")
	choose()
	press(p, "Заменить")
	p.Wait(text + ".value.startsWith('**Скидки**')")
	p.Wait("[...document.querySelectorAll('strong')].some(e => e.textContent === 'Скидки')")
	p.Shot("console-composer-replaced")
	press(p, "Вернуть прежний")
	p.Wait(text + ".value === 'Здравствуйте, {{first_name|друг}}👋'")
	p.Wait("fetch('/api/v1/campaigns/" + id + "').then(r => r.json()).then(c => c.message.text.includes('друг') && c.message.template_id === null)")
	p.Goto(base + "/console/templates")
	p.Wait("document.querySelector('[data-row]')?.textContent.includes('Скидки для {{first_name}}!')") // its words, without marks
	p.Clean()
}

// TestConsoleAudience: the audience is everybody for whom conditions hold, less those who are left out,
// counted by the service; and a campaign that ended leads on: a file of its people, and another for
// exactly those whom it did not reach. On a telephone and in Russian.
func TestConsoleAudience(t *testing.T) {
	p, base := signUp(t, browsertest.Options{Lang: "ru", Width: 360, Height: 740, Touch: true, Allow: whenRehearsing})
	acceptPolicy(p)
	account := connect(p, "+998900000005")
	audience(p, 3)
	post(p, "/recipients", `{"username":"demo_user_90","first_name":"Aziza","consent_status":"OPTED_IN","tags":["vip"],"attributes":{"city":"Toshkent"}}`)
	post(p, "/recipients", `{"username":"demo_user_91","first_name":"Bobur","consent_status":"OPTED_IN","attributes":{"city":"Toshkent"}}`)
	id := adminAPI(t, p, "/campaigns", `{"name":"Город","account_ids":["`+account+`"],"message":{"text":"Salom! {{opt_out_url}}"}}`, "id")
	p.Goto(base + "/console/campaigns/" + id + "/edit?step=audience")
	p.Wait("document.querySelector('input[role=switch]')")
	browsertest.Eval[bool](p, "document.querySelector('input[role=switch]').click() || true")
	says(p, "из 6")
	press(p, "Добавить условие")
	chooseOption(p, "Поле", "city")
	p.Wait("document.querySelector('input[aria-label=\"Значение\"]')?.placeholder === 'Например: Toshkent'")
	p.Type("input[aria-label='Значение']", "toshkent")
	says(p, "из 2")
	field(p, "У кого эти теги", "vip\n")
	says(p, "из 1")
	p.Shot("console-audience-builder")
	p.Accessible()
	narrow(t, p)
	p.Goto(base + "/console/campaigns/" + id + "/edit?step=accounts")
	says(p, "Людей: 1. Если начать сейчас, закончится")
	p.Shot("console-audience-accounts")

	sent := launch(p, account)
	p.Goto(base + "/console/campaigns/" + sent + "?tab=people")
	p.Wait("document.querySelector('h1')?.parentElement.textContent.includes('Завершена')")
	csv := browsertest.Eval[string](p, `fetch([...document.querySelectorAll('a[download]')].find(a => a.textContent.includes('CSV')).href).then(r => r.text())`)
	if !strings.Contains(csv, "nobody_has_this_name") || !strings.Contains(csv, "demo_user_1") {
		t.Errorf("the file of people: %s", csv)
	}
	press(p, "Сначала недошедшие")
	p.Wait("document.querySelector('[data-row]')?.textContent.includes('Nobody')")
	narrow(t, p)
	press(p, "Написать ещё раз")
	says(p, "ровно для 2 человек")
	p.Shot("console-campaign-follow")
	p.Accessible()
	press(p, "Создать черновик")
	p.Wait("location.pathname.endsWith('/edit') && !location.pathname.includes('" + sent + "')")
	p.Goto(browsertest.Eval[string](p, "location.href") + "?step=audience")
	says(p, "из 2")
	p.Clean()
}

// TestConsolePalette: what the palette finds stands under its kind, people by their names; "?" shows what
// keys do, but not in a field.
func TestConsolePalette(t *testing.T) {
	p, base := signUp(t, browsertest.Options{Lang: "ru", Allow: whenNobody})
	seed(p)
	post(p, "/campaigns", `{"name":"Gulnora uchun"}`)
	p.Goto(base + "/console/recipients")
	p.Wait("document.querySelector('[data-row]')")
	p.Key("?")
	says(p, "Горячие клавиши")
	p.Shot("console-shortcuts")
	p.Accessible()
	press(p, "Закрыть")
	p.Wait("!document.querySelector('[role=dialog]')")
	p.Control("k")
	p.Wait("document.activeElement?.matches('[role=dialog] input')")
	p.Type("[role=dialog] input", "gulnora")
	group := "[...document.querySelectorAll('.mantine-Spotlight-actionsGroup')].map(g => g.textContent)"
	p.Wait(group + ".some(g => g.includes('Gulnora Karimova')) && " + group + ".some(g => g.includes('Gulnora uchun'))")
	p.Shot("console-palette-kinds")
	p.Accessible()
	kinds := browsertest.Eval[[]string](p, "[...document.querySelectorAll('.mantine-Spotlight-actionsGroup')].map(g => getComputedStyle(g, '::before').content + g.textContent)")
	if len(kinds) < 2 {
		t.Errorf("the palette shows %q", kinds)
	}
	p.Clean()
}
