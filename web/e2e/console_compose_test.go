package e2e

import (
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
