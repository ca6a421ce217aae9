package e2e

import (
	"testing"

	"svc/web/e2e/browsertest"
)

// TestConsoleCalendar: a calendar is connected through its consent page, a customer asks for a
// time and confirms it, the team confirms it in the console, and the appointment stands in the
// calendar once.
func TestConsoleCalendar(t *testing.T) {
	p, base := signUp(t, browsertest.Options{Lang: "en", Allow: whenNobody})
	acceptPolicy(p)
	p.Goto(base + "/console/calendar")
	says(p, "No calendar is connected")
	p.Shot("console-calendar-empty")
	p.Accessible()
	press(p, "Connect a calendar")
	p.Wait("location.pathname.startsWith('/_sim/calendar/')")
	says(p, "demo@svc.example")
	p.Shot("console-calendar-consent")
	press(p, "Allow")
	p.Wait("location.pathname === '/console/calendar'")
	says(p, "demo@svc.example")

	business := adminAPI(t, p, "/ai/businesses", `{"name":"Salon","languages":["en","uz","ru"],"timezone":"Asia/Tashkent",
		"calendar_config":{"min_notice_minutes":60,"horizon_days":30,"allowed_minutes":[30,60],"buffer_minutes":15,"slot_step_minutes":30}}`, "id")
	put(p, "/ai/businesses/"+business+"/seller-settings", `{"active":true,"autonomy_level":4,"debounce_seconds":1,"reply_delay_seconds":{"min":0,"max":0},"approved_scenarios":["BOOKING"]}`)
	browsertest.Eval[int](p, `fetch('/api/v1/ai/agents/CALENDAR/config', {method: 'PATCH', headers: {'Content-Type': 'application/json'},
		body: JSON.stringify({tool_permissions: {calendar_find: true}})}).then(r => r.status)`)
	p.Goto(base + "/console/channels")
	press(p, "Connect Facebook")
	p.Wait("location.pathname.startsWith('/_sim/page/')")
	press(p, "Allow")
	p.Wait("location.pathname === '/console/channels'")
	says(p, "Demo Shop")
	account := browsertest.Eval[string](p, `fetch('/api/v1/channels/accounts').then(r => r.json()).then(x => x.data[0].id)`)
	put(p, "/ai/businesses/"+business+"/accounts", `{"accounts":[{"account_id":"`+account+`"}]}`)

	write := func(text string) {
		browsertest.Eval[int](p, `fetch('/_sim/phone/demo_shop', {method: 'POST', headers: {'Content-Type': 'application/x-www-form-urlencoded'},
			body: new URLSearchParams({person: 'malika', do: 'says', text: `+quote(text)+`})}).then(r => r.status)`)
	}
	answers := func(text string) {
		p.Wait(`fetch('/_sim/state').then(r => r.json()).then(x => JSON.stringify(x.accounts).includes(` + quote(text) + `))`)
	}
	write("Hello, I would like to book an appointment, which times are free?")
	answers("Free times")
	// The first free time of the day after tomorrow, by the clocks of the business.
	day := browsertest.Eval[string](p, `(() => { const d = new Date(Date.now() + (48 + 5) * 3600e3).toISOString(); return d.slice(8, 10) + '.' + d.slice(5, 7) + '.' + d.slice(0, 4) })()`)
	write("Please book an appointment on " + day + " at 12:00")
	answers("Do you confirm")
	write("yes, I confirm")
	answers("A colleague will confirm")

	p.Goto(base + "/console/calendar")
	says(p, "Waiting for you")
	says(p, "the customer confirmed this time")
	p.Shot("console-calendar-pending")
	p.Accessible()
	press(p, "Confirm")
	const ours = `fetch('/_sim/state').then(r => r.json()).then(x => x.calendar.events.filter(e => e.ours && e.status === 'confirmed').length === 1)`
	p.Wait(ours)
	answers("You are booked")
	says(p, "Done")
	p.Wait(ours)
	p.Goto(base + "/console/calendar")
	says(p, "Booked by the service")
	p.Shot("console-calendar-week")
	p.Accessible()
}
