package e2e

import (
	"testing"

	"svc/web/e2e/browsertest"
)

// TestTheFirstPersonSignsUp: the link that the server prints is all it takes.
func TestTheFirstPersonSignsUp(t *testing.T) {
	t.Parallel()
	_, link := browsertest.ServeSaying(t)
	p := browsertest.Open(t, browsertest.Options{Lang: "ru", Allow: func(problem string) bool { return problem == "422 /api/v1/auth/signup" }})
	p.Goto(link)
	p.Wait("document.querySelector('form')")
	p.Shot("first-person")
	p.Accessible()
	p.Type("input[name=name]", "Ольга")
	p.Type("input[name=email]", "olga@example.uz")
	p.Type("input[name=password]", "short")
	p.Type("input[name=organization_name]", "Базар")
	p.Click("form button")
	p.Wait("document.querySelector('input[name=password]').getAttribute('aria-invalid') === 'true'")
	p.Wait("document.querySelector('input[name=password] + em').textContent === 'Придумайте пароль не короче 10 знаков.'")
	p.Shot("first-person-mistake")
	p.Accessible()
	p.Type("input[name=password]", "-enough now")
	p.Click("form button")
	p.Wait("location.pathname.startsWith('/console/') && !location.search")
	if got := browsertest.Eval[string](p, "fetch('/api/v1/me').then(r => r.json()).then(m => m.organization.name + ' ' + m.user.is_platform_admin)"); got != "Базар true" {
		t.Errorf("signed in as %q", got)
	}
	p.Clean()
}
