package e2e

import (
	"strings"
	"testing"

	"svc/web/e2e/browsertest"
)

// peopleFile is a file with a header that nobody knows, somebody twice, a row without a
// name and somebody who opted out.
const peopleFile = "nick;Имя;city;rozilik\ngulnora_k;Gulnora;Samarqand;OPTED_IN\nanvar_t;Anvar;Toshkent;\nanvar_t;Anvar A.;Toshkent;\n;Nobody;Xiva;\nmalika_s;Malika;Xiva;OPTED_OUT\n"

// giveFile has the browser choose a file.
func giveFile(p *browsertest.Page, name, text string) {
	p.Wait("document.querySelector('input[type=file]')")
	browsertest.Eval[bool](p, `(() => {
		const files = new DataTransfer(); files.items.add(new File([`+quote(text)+`], `+quote(name)+`, {type: 'text/csv'}));
		const input = document.querySelector('input[type=file]'); input.files = files.files;
		return input.dispatchEvent(new Event('change', {bubbles: true}));
	})()`)
}

// chooseOption takes an option of the select with that label.
func chooseOption(p *browsertest.Page, label, option string) {
	browsertest.Eval[bool](p, `document.querySelector('input[aria-label=`+quote(label)+`]').click() || true`)
	find := `[...document.querySelectorAll('[role=option]')].find(e => e.offsetParent !== null && e.textContent === ` + quote(option) + `)`
	p.Wait(find)
	browsertest.Eval[bool](p, find+`.click() || true`)
}

// TestConsoleImport: a file whose columns the service does not know is mapped, checked
// and imported into a new list; its page says what became of every row.
func TestConsoleImport(t *testing.T) {
	p, base := signUp(t, browsertest.Options{Lang: "en", Width: 1280, Height: 1000, Allow: func(s string) bool {
		return whenNobody(s) || s == "422 /api/v1/recipients/import"
	}})
	p.Goto(base + "/console/recipients/imports")
	p.Wait("document.body.textContent.includes('No imports yet')")
	press(p, "Import")
	heading(p, "Import people")
	p.Shot("console-import-file")
	p.Accessible()
	giveFile(p, "people.csv", peopleFile)
	p.Wait("document.querySelector('#page [role=alert]')?.textContent.includes('Say below which column')")
	chooseOption(p, "What nick becomes", "Username")
	p.Shot("console-import-columns")
	p.Accessible()
	press(p, "Continue")
	p.Wait("document.querySelector('[role=radiogroup]')?.textContent.includes('Opted in')")
	browsertest.Eval[bool](p, "document.querySelector('input[type=radio][value=EXISTING_RELATIONSHIP]').click() || true")
	browsertest.Eval[bool](p, "document.querySelector('input[type=radio][value=new]').click() || true")
	p.Type("input[aria-label='A new list']", "Spring")
	p.Shot("console-import-terms")
	p.Accessible()
	press(p, "Check the file")
	p.Wait("document.body.textContent.includes('2 people can get campaigns.')")
	p.Wait("document.body.textContent.includes('The same person stands in row 3')")
	p.Shot("console-import-check")
	p.Accessible()
	press(p, "Import 3 people")
	p.Wait("location.pathname.includes('/recipients/imports/imp_') && document.querySelector('h1')?.parentElement.textContent.includes('Done')")
	p.Wait("document.body.textContent.includes('Came as opted out')")
	p.Wait("document.body.textContent.includes('2 rows were not taken')")
	rejected := browsertest.Eval[string](p, "fetch(document.querySelector('a[download]').href).then(r => r.text())")
	if !strings.Contains(rejected, "Nobody") {
		t.Errorf("the file of rejected rows: %s", rejected)
	}
	p.Shot("console-import-done")
	p.Accessible()
	p.Type("input[aria-label='Row 5, nick']", "nobody_k") // a row is fixed where it is shown, and goes through the import again
	press(p, "Import what was fixed")
	p.Wait("location.pathname.endsWith('/recipients/import') && document.body.textContent.includes('people-fixed.csv')")
	p.Wait("document.querySelector('table')?.textContent.includes('nobody_k')")
	browsertest.Eval[bool](p, "history.back() || true")
	p.Wait("location.pathname.includes('/recipients/imports/imp_')")
	press(p, "See the people")
	heading(p, "Spring")
	p.Wait("document.querySelectorAll('[data-row]').length === 3")
	p.Shot("console-list")
	p.Accessible()
	p.Clean()
}

// TestConsoleLists: people are put into a list and taken out, tags are taken from
// everybody, and an entry of the suppression list says what it does.
func TestConsoleLists(t *testing.T) {
	p, base := signUp(t, browsertest.Options{Lang: "en", Width: 1280, Height: 900, Allow: whenNobody})
	seed(p)
	p.Goto(base + "/console/recipients/lists")
	p.Wait("document.body.textContent.includes('No lists yet')")
	press(p, "New list")
	p.Wait("document.querySelector('[role=dialog] input')")
	p.Type("[role=dialog] input", "Customers")
	press(p, "Create")
	heading(p, "Customers")
	p.Wait("document.body.textContent.includes('Nobody is in this list')")
	press(p, "Add people")
	p.Wait("document.querySelector('[role=dialog] input')")
	p.Type("[role=dialog] input", "user_0")
	p.Wait("[...document.querySelectorAll('[role=option]')].filter(e => e.offsetParent !== null).length === 10")
	for _, pick := range [][2]string{{"Gulnora", "Add 1 person"}, {"Anvar", "Add 2 people"}} {
		browsertest.Eval[bool](p, "[...document.querySelectorAll('[role=option]')].find(e => e.textContent.includes("+quote(pick[0])+")).click() || true")
		p.Wait("document.querySelector('[role=dialog]').textContent.includes(" + quote(pick[1]) + ")")
	}
	press(p, "Add 2 people")
	p.Wait("document.querySelectorAll('[data-pane=page] [data-row]').length === 2")
	browsertest.Eval[bool](p, "document.querySelector('[data-pane=page] tbody input[type=checkbox]').click() || true")
	press(p, "Take out of this list")
	p.Wait("document.querySelectorAll('[data-pane=page] [data-row]').length === 1")

	p.Goto(base + "/console/recipients/tags")
	p.Wait("document.body.textContent.includes('toshkent')")
	p.Shot("console-tags")
	p.Accessible()
	press(p, "Actions for vip")
	press(p, "Take it from everybody")
	p.Wait("document.querySelector('[role=dialog]')?.textContent.includes('12 people lose the tag')")
	press(p, "Take it from everybody")
	p.Wait("!document.querySelector('table').textContent.includes('vip')")

	p.Goto(base + "/console/recipients/suppressions")
	p.Wait("document.querySelectorAll('[data-row]').length === 3")
	press(p, "Never write again")
	p.Wait("document.querySelector('[role=dialog]')?.textContent.includes('for good')")
	p.Type("[role=dialog] input", "@user_00")
	browsertest.Eval[bool](p, "document.querySelector('[role=dialog] form button[type=submit]').click() || true")
	p.Wait("document.body.textContent.includes('1 recipient was opted out')")
	p.Wait("document.querySelectorAll('[data-row]').length === 4")
	p.Shot("console-suppressions")
	p.Accessible()
	p.Clean()
}

// TestConsolePeopleNarrow looks at the pages of people on a telephone in the dark.
func TestConsolePeopleNarrow(t *testing.T) {
	p, base := signUp(t, browsertest.Options{Lang: "ru", Width: 360, Height: 740, Touch: true, Dark: true, Allow: whenNobody})
	seed(p)
	post(p, "/lists", `{"name":"Клиенты","color":"#2f6f9f"}`)
	for _, page := range [][2]string{
		{"/recipients", "Karimova"}, {"/recipients/lists", "Клиенты"}, {"/recipients/tags", "toshkent"}, {"/recipients/suppressions", "user_03"},
		{"/recipients/imports", "Импортов пока не было"}, {"/recipients/import", "Выбрать файл"},
	} {
		p.Goto(base + "/console" + page[0])
		p.Wait("document.querySelector('main')?.textContent.includes(" + quote(page[1]) + ")")
		p.Shot("console-narrow-" + strings.ReplaceAll(page[0][1:], "/", "-"))
		p.Accessible()
		narrow(t, p)
	}
	giveFile(p, "people.csv", strings.Replace(peopleFile, "nick", "username", 1))
	p.Wait("document.querySelector('main')?.textContent.includes('Первые люди')")
	p.Shot("console-narrow-columns")
	p.Accessible()
	narrow(t, p)
	p.Clean()
}
