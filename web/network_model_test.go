package web_test

import (
	"fmt"
	"math/rand/v2"
	"net/url"
	"os"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"svc/app/api"
	"svc/app/api/apitest"
	"svc/app/org"
	"svc/messenger/platform"
	"svc/store"
	"svc/store/storetest"
	"svc/web/webtest"
)

// partWorlds is how many worlds are played on each network: eight with SVC_TEST_SOAK.
func partWorlds() uint64 {
	if os.Getenv("SVC_TEST_SOAK") != "" {
		return 8
	}
	return 1
}

// TestPartsOnce sends replies over the photo and the page network while answers are lost, requests
// are dropped, echoes are lost or doubled, and the service starts
// anew: in the end every part is in the world at most once, and what is shown as SENT is what is
// there (section 6.1 of the platforms, section 10, 14 to 17).
func TestPartsOnce(t *testing.T) {
	for _, n := range []struct{ scene, account, connect, channel string }{
		{"photo", "studio", "instagram", "PHOTO_NETWORK"}, {"page", "demo_shop", "facebook", "PAGE_NETWORK"},
	} {
		for seed := range partWorlds() {
			t.Run(fmt.Sprintf("%s %d", n.scene, seed), func(t *testing.T) {
				w := openNetwork(t, n.scene, n.account, n.connect)
				w.play(rand.New(rand.NewPCG(seed, 7)))
				w.compare(platform.Name(n.channel))
			})
		}
	}
}

// networkWorld is the service with one account of a network and a conversation over it.
type networkWorld struct {
	*webtest.Server
	t       *testing.T
	org     string
	account string
	person  string
	id      string // of the conversation
	done    []string
}

func (w *networkWorld) do(route string, body any) apitest.Answer {
	s := apitest.New(w.t, w.App().DB, w.App()) // a restart makes another
	s.Org = w.org
	return s.Do(route, body)
}

func (w *networkWorld) act(name, arg string) {
	w.t.Helper()
	w.done = append(w.done, name+" "+arg)
	if err := w.Act(name, arg); err != nil {
		w.t.Fatalf("%s %s: %v", name, arg, err)
	}
}

func openNetwork(t *testing.T, scene, account, connect string) *networkWorld {
	w := &networkWorld{Server: webtest.Start(t, webtest.Options{Messaging: true, PublicURL: "https://svc.example.uz"}), t: t, account: account}
	err := w.App().DB.Update(t.Context(), func(tx *store.Tx) error {
		o, err := org.Create(tx, api.System(t.Context(), "", w.App().DB.Now()), org.Fields{Name: "Acme", Plan: org.Enterprise, Timezone: "UTC"})
		w.org = o.ID
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	if scene == "photo" {
		w.act("platforms", "account photo @"+account)
		w.act("platforms", `person photo @lola name "Lola"`)
	} else {
		w.act("platforms", `account page "Demo Shop" human-agent`)
		w.act("platforms", `person page @sergey name "Sergey"`)
	}
	w.do("POST /organization/accept-policy", map[string]any{"policy_version": "1"}).Want(200)
	consent, err := url.Parse(w.do("POST /channels/"+connect+"/connect", map[string]any{}).Want(200).String("authorization_url"))
	if err != nil {
		t.Fatal(err)
	}
	w.act("allow", scene+" c1 "+account)
	w.do("GET /channels/"+connect+"/callback?code=c1&state="+url.QueryEscape(consent.Query().Get("state")), nil).Want(302)
	w.act("settle", "")
	w.person = map[string]string{"photo": "lola", "page": "sergey"}[scene]
	w.act("platforms", fmt.Sprintf("now @%s says %q to @%s", w.person, "narxi?", account))
	w.act("settle", "")
	storetest.Eventually(t, "no conversation", func() bool {
		w.id = w.do("GET /ai/conversations", nil).Want(200).String("data.0.id")
		return w.id != ""
	})
	w.done = nil
	return w
}

// play does things by chance.
func (w *networkWorld) play(by *rand.Rand) {
	sends := []string{"drop answer", "drop request", "status 502", "empty", "error 613", "error 2"}
	echoes := []string{"lost", "twice"}
	words := []string{"Ha", "Yoʻq", "Salom! 100 soʻm"}
	for i := range 60 {
		switch k := by.IntN(10); {
		case k < 2:
			w.act("platforms", fmt.Sprintf("at %d sends of @%s %s", 1+by.IntN(2), w.account, sends[by.IntN(len(sends))]))
		case k < 4:
			w.act("platforms", fmt.Sprintf("at %d echoes of @%s %s", 1+by.IntN(2), w.account, echoes[by.IntN(len(echoes))]))
		case k < 7:
			text := words[by.IntN(len(words))]
			if by.IntN(3) == 0 {
				text = fmt.Sprint("Javob ", i)
			}
			w.done = append(w.done, "reply "+text)
			w.do("POST /ai/conversations/"+w.id+"/reply", map[string]any{"text": text}).Want(202)
			if by.IntN(2) == 0 {
				w.act("settle", "")
			}
		case k < 9:
			w.act("advance", fmt.Sprintf("%ds", 1+by.IntN(30)))
			w.act("settle", "")
		default:
			w.act("restart", "")
		}
	}
	for range 60 {
		w.act("advance", "15s")
		w.act("settle", "")
	}
}

// compare holds what is shown against what is in the world.
func (w *networkWorld) compare(name platform.Name) {
	w.t.Helper()
	var k struct {
		Messages []struct {
			Author, Text, Status string
			Code                 string `json:"error_code"`
		}
	}
	w.do("GET /ai/conversations/"+w.id+"?limit=100", nil).Want(200).Into(&k)
	var shown, failed []string
	for _, m := range k.Messages {
		switch {
		case m.Author == "CUSTOMER":
		case m.Status == "SENT":
			shown = append(shown, m.Text)
		case m.Status == "FAILED":
			failed = append(failed, m.Text+" "+m.Code)
		default:
			w.t.Errorf("%q is %s in the end", m.Text, m.Status)
		}
	}
	there := w.Networks().Sent(name, w.account, w.person)
	slices.Sort(shown)
	slices.Sort(there)
	if d := cmp.Diff(there, shown); d != "" {
		w.t.Errorf("in the world and shown (-world +shown):\n%s\nfailed: %q\nafter %q", d, failed, w.done)
	}
}
