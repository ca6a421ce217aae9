package e2e

import (
	"testing"

	"svc/web/e2e/browsertest"
)

// TestConsoleNarrow goes through what the stories of account, campaign, content, hooks,
// keys and organization do, on a telephone and in Russian: one person, one server.
func TestConsoleNarrow(t *testing.T) {
	url, got, _ := endpoint(t)
	p, base := signUp(t, browsertest.Options{Lang: "ru", Width: 360, Height: 740, Touch: true, Allow: whenSigningIn}, "--private-webhooks")
	acceptPolicy(p)
	account := connect(p, "+998900000001")
	audience(p, 1)
	look := func(name string) {
		t.Helper()
		p.Shot("narrow-" + name)
		p.Accessible()
		narrow(t, p)
	}

	p.Goto(base + "/console/profile")
	press(p, "Сменить адрес")
	says(p, "Этот сервис не отправляет писем")
	look("email")

	p.Goto(base + "/console/settings")
	heading(p, "Организация")
	field(p, "Название", "Бозор")
	press(p, "Сохранить")
	says(p, "Сохранено")
	look("settings")

	p.Goto(base + "/console/api-keys")
	press(p, "Новый ключ")
	field(p, "Название", "CRM")
	press(p, "Создать ключ")
	p.Wait("document.querySelector('[role=dialog] code')?.textContent.startsWith('svck_')")
	look("key")
	press(p, "Готово, сохранено")
	p.Wait("document.querySelectorAll('[data-row]').length === 1")
	press(p, "CRM: действия")
	press(p, "Отозвать")
	press(p, "Отозвать") // of the question
	says(p, "Ключ «CRM» отозван.")
	look("keys")

	p.Goto(base + "/console/webhooks/new")
	field(p, "Адрес", url)
	press(p, "Создать вебхук")
	p.Wait("document.querySelector('[role=dialog] code')")
	look("webhook-secret")
	press(p, "Готово, сохранено")
	press(p, "Отправить тест")
	arrives(t, got, "webhook.test")
	p.Wait("document.querySelector('[data-delivery]')?.textContent.includes('Доставлено')")
	browsertest.Eval[bool](p, `document.querySelector('main [aria-label="Ещё"]').click() || true`) // not that of the bottom bar
	press(p, "Выключить")
	press(p, "Выключить") // of the question
	p.Wait("document.querySelector('main').textContent.includes('Выключен')")
	if !browsertest.Eval[bool](p, "[...document.querySelectorAll('main button')].every(b => b.getBoundingClientRect().right <= innerWidth - 12)") {
		t.Error("a button is cut off at the edge")
	}
	look("webhook")

	p.Goto(base + "/console/templates/new")
	p.Type("input[maxlength='120']", "Весна")
	p.Type("#template-text", "Здравствуйте, {{first_name}}!")
	p.Wait("document.body.textContent.includes('{{first_name}}')")
	look("template")
	press(p, "Сохранить шаблон")
	heading(p, "Шаблоны")
	p.Wait("document.querySelectorAll('[data-row]').length === 1")

	p.Goto(base + "/console/accounts/" + account)
	press(p, "Пауза")
	p.Wait("document.querySelector('[role=dialog]')?.textContent.includes('пока вы его не возобновите')")
	look("account-pause")
	press(p, "Пауза") // of the question
	press(p, "Возобновить")
	p.Wait("document.querySelector('h1').parentElement.textContent.includes('Работает')")
	look("account")

	id := create(p, account)
	p.Goto(base + "/console/campaigns/" + id + "/checks")
	p.Wait("document.querySelector('[data-check]')")
	browsertest.Eval[bool](p, "document.querySelector('main input[type=checkbox]')?.click() || true")
	press(p, "Запустить")
	p.Wait("document.querySelector('[role=dialog] [data-simulator]')?.textContent.includes('никто ничего не получит')")
	look("launch")
	browsertest.Eval[bool](p, "document.querySelector('[role=dialog] button[type=submit]').click() || true")
	p.Wait("document.querySelector('h1').parentElement.textContent.includes('Завершена')")
	look("campaign")
	p.Clean()
}
