package acceptance

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
)

// TestConversationsSurviveKills kills the real program (kill -9) again and again while its
// seller, with the demo model, answers new customers, who ask something else when they are
// answered, and that again and again, until they are answered or handed to a person for good.
// Afterwards (design of the AI, F): no reply went out twice; every customer was answered, or
// something says why not; nothing stays reserved and no cost is lost; no half of a source is
// published; what is counted is what is there; decision, stage and lead agree with what was
// sent. SVC_TEST_KILLS says how often; 3 when it is not set.
func TestConversationsSurviveKills(t *testing.T) {
	t.Parallel()
	kills, err := strconv.Atoi(cmp.Or(os.Getenv("SVC_TEST_KILLS"), "3"))
	if err != nil || kills < 1 {
		t.Fatalf("SVC_TEST_KILLS is %q, no number above zero", os.Getenv("SVC_TEST_KILLS"))
	}
	sim := startSimulator(t, "")
	in := install(t)
	in.args = sim.args()
	in.start()
	s := newSelling(in, sim)
	for n := range kills {
		sim.restart(s.storm(n))
		s.publish(n + 2)
		enough := sim.count() + 1 + rand.IntN(customers)
		waitFor(t, silence, fmt.Sprint(enough, " replies before kill ", n+1), func() bool { return sim.count() >= enough })
		in.kill()
		in.start()
	}
	sim.restart(s.calm(kills))
	all := s.settled(kills * customers)
	s.answeredOnce(all)
	s.nothingReserved()
	s.sourceIsWhole(kills + 1)
	s.countsAgree(all)
	s.stagesAgree(all)
	in.stop()
	file := filepath.Join(t.TempDir(), "last.db")
	in.must("backup", file) // reads every record, index, count and secret
	t.Logf("%d kills, %d conversations, %d replies", kills, len(all), sim.count())
}

// restart ends the simulator and starts it with other scenes; what it knows it keeps.
func (s *simulated) restart(script string) {
	s.t.Helper()
	_ = s.cmd.Process.Kill() // what it took is in its log before it answers
	_ = s.cmd.Wait()
	s.run(script)
}

// selling is a business whose seller answers customers.
type selling struct {
	t        *testing.T
	sim      *simulated
	boss     *caller
	account  string
	business string
	source   string
}

const (
	shopNumber  = "+998900000011"
	customers   = 8 // of a round
	firstPerson = 5_000_000
	parts       = 40 // of the source
)

func newSelling(in *installation, sim *simulated) *selling {
	s := &selling{t: sim.t, sim: sim, boss: in.administer()}
	s.boss.acceptPolicy()
	s.account = s.boss.connect(shopNumber, "", "")
	s.boss.do("PATCH", "/accounts/"+s.account, map[string]any{"inbound_enabled": true}).want(200)
	s.business = s.boss.do("POST", "/ai/businesses", map[string]any{"name": "Gul", "languages": []string{"uz", "ru", "en"}}).want(201).text("id")
	for name, price := range map[string]int{"101 ta atirgul": 1_400_000, "Pion buketi": 450_000, "Lola": 15_000} {
		s.boss.do("POST", "/ai/businesses/"+s.business+"/offers", map[string]any{"name": name, "price": price, "currency": "UZS"}).want(201)
	}
	s.source = s.boss.do("POST", "/ai/knowledge/sources", map[string]any{
		"business_id": s.business, "type": "TEXT", "title": "Shartlar", "text": edition(1),
	}).want(201).text("id")
	s.boss.do("PUT", "/ai/budgets", map[string]any{"budgets": []any{map[string]any{"period": "DAY", "limit_usd": 10}}}).want(200)
	s.boss.do("PUT", "/ai/businesses/"+s.business+"/seller-settings", map[string]any{
		"active": true, "autonomy_level": 4, "reply_delay_seconds": map[string]any{"min": 0, "max": 1}, "follow_up": map[string]any{"limit": 0, "delay_minutes": 240},
	}).want(200)
	s.boss.do("PUT", "/ai/businesses/"+s.business+"/accounts", map[string]any{"accounts": []any{map[string]any{"account_id": s.account}}}).want(200)
	return s
}

// questions are what customers ask first, and once they are answered.
var questions = [][2]string{
	{"101 ta atirgul narxi qancha?", "Pion buketi bormi?"}, {"Сколько стоит Lola?", "Сколько стоит Pion buketi?"}, {"How much is Pion buketi?", "How much is Lola?"},
}

// storm lets new customers write.
func (s *selling) storm(round int) string {
	var b strings.Builder
	for i := range customers {
		n := round*customers + i
		ask := questions[n%len(questions)]
		fmt.Fprintf(&b, "person @xaridor_%d id %d name \"Xaridor %d\" says %q after 500ms\n", n, firstPerson+n, n, ask[1])
		fmt.Fprintf(&b, "now @xaridor_%d says %q to %s\n", n, ask[0], shopNumber)
	}
	return b.String()
}

// calm lets nobody write any more.
func (s *selling) calm(rounds int) string {
	var b strings.Builder
	for n := range rounds * customers {
		fmt.Fprintf(&b, "person @xaridor_%d quiet\n", n)
	}
	return b.String()
}

// edition is a text of many parts that names its number in each.
func edition(n int) string {
	var b strings.Builder
	for i := range parts {
		fmt.Fprintf(&b, "Nashr %d, bo‘lim %d. %s\n\n", n, i, strings.Repeat("Yetkazib berish va qaytarish shartlari shu yerda yozilgan. ", 12))
	}
	return b.String()
}

// publish changes the source. One that is read may refuse it for a moment.
func (s *selling) publish(n int) {
	s.t.Helper()
	wait(s.t, fmt.Sprint("edition ", n, " to be taken"), func() bool {
		return s.boss.do("PATCH", "/ai/knowledge/sources/"+s.source, map[string]any{"text": edition(n)}).status == 200
	})
}

// talk is a conversation with all of its messages, the oldest first.
type talk struct {
	ID      string
	Contact struct {
		Person string `json:"platform_user_id"`
	}
	Stage   *struct{ Key string }
	Lead    *struct{ ID string }
	Handoff *string `json:"open_handoff_id"`
	Draft   *string `json:"pending_draft_id"`

	Messages []said `json:"-"`
}

type said struct {
	ID, Author, Status string
	Text               string
	Execution          string    `json:"execution_id"`
	At                 time.Time `json:"at"`
}

// settled waits until everybody was answered, nothing is on its way and nobody writes any more, and
// reads all.
func (s *selling) settled(people int) (all []talk) {
	s.t.Helper()
	problem, last := "", time.Now()
	sent := -1
	defer func() {
		if s.t.Failed() {
			s.t.Log(problem)
		}
	}()
	waitFor(s.t, silence, "every turn to end", func() bool {
		n := s.sim.count()
		if n != sent {
			sent, last = n, time.Now()
		}
		running := s.boss.do("GET", "/ai/executions?status=RUNNING&limit=1", nil).want(200).int("total")
		if problem = fmt.Sprintf("%d messages went out, the last %v ago, %d executions run", n, time.Since(last), running); time.Since(last) < stillFor || running > 0 {
			return false
		}
		if all, problem = s.talks(), ""; len(all) != people {
			problem = fmt.Sprintf("%d conversations, want %d", len(all), people)
		}
		for i := range all {
			k := &all[i]
			if slices.ContainsFunc(k.Messages, func(m said) bool { return m.Status == "QUEUED" || m.Status == "SENDING" }) {
				problem = k.ID + " has a message on its way"
			}
			problem = cmp.Or(s.forgotten(k), problem)
		}
		return problem == ""
	})
	return all
}

// stillFor is longer than a turn waits for a customer to write on, with its reply.
const stillFor = 15 * time.Second

func (s *selling) talks() []talk {
	s.t.Helper()
	all := pages[talk](s.boss, "/ai/conversations?sort=oldest")
	for i := range all {
		all[i].Messages = messagesOf(s.boss, all[i].ID, func(m *said) string { return m.ID })
	}
	return all
}

// messagesOf reads all messages of a conversation, the oldest first.
func messagesOf[M any](c *caller, conversation string, id func(*M) string) (all []M) {
	c.in.t.Helper()
	for before, more := "", true; more; {
		var page struct {
			Messages []M
			HasOlder bool `json:"has_older"`
		}
		c.do("GET", "/ai/conversations/"+conversation+"?limit=200"+before, nil).want(200).into(&page)
		all = append(page.Messages, all...)
		if more = page.HasOlder && len(page.Messages) > 0; more {
			before = "&before=" + id(&page.Messages[0])
		}
	}
	return all
}

// run is an execution of the seller.
type run struct {
	ID, Status  string
	FinalAction string    `json:"final_action"`
	ErrorCode   string    `json:"error_code"`
	Trigger     string    `json:"trigger_message_id"`
	Started     time.Time `json:"started_at"`
}

func (s *selling) runs(conversation string) []run {
	return pages[run](s.boss, "/ai/executions?agent=SELLER&mode=LIVE&conversation_id="+conversation)
}

// forgotten says why a customer waits without anybody knowing, "" when nobody does: behind what
// they wrote last stands an answer, or a draft or a person's turn, or an execution says why not.
func (s *selling) forgotten(k *talk) string {
	if k.Handoff != nil || k.Draft != nil {
		return ""
	}
	at := len(k.Messages) - 1
	for at >= 0 && k.Messages[at].Author != "CUSTOMER" {
		if m := &k.Messages[at]; m.Author == "AI" && m.Status == "SENT" {
			return ""
		}
		at--
	}
	if at < 0 {
		return ""
	}
	for _, r := range s.runs(k.ID) {
		if !r.Started.Before(k.Messages[at].At) && (r.ErrorCode != "" || r.FinalAction != "" && r.FinalAction != "SEND") {
			return ""
		}
	}
	return fmt.Sprintf("%s: %q of %v has no answer", k.ID, k.Messages[at].Text, k.Messages[at].At)
}

// answeredOnce: what the messenger took for a customer are the replies that are sent, each once,
// and no message of a customer has two.
func (s *selling) answeredOnce(all []talk) {
	s.t.Helper()
	took := map[string][]int64{}
	for _, m := range s.sim.sent() {
		peer := strconv.FormatInt(m.Peer, 10)
		if slices.Contains(took[peer], m.Random) {
			s.t.Errorf("a message to %s was taken twice", peer)
		}
		took[peer] = append(took[peer], m.Random)
	}
	total := 0
	for i := range all {
		k := &all[i]
		sent, noticed := 0, false
		trigger, by := map[string]string{}, map[string]bool{}
		for _, r := range s.runs(k.ID) {
			trigger[r.ID] = r.Trigger
		}
		for _, m := range k.Messages {
			if m.Author != "AI" || m.Status != "SENT" {
				continue
			}
			if sent++; m.Execution == "" { // the notice that a person will answer
				if k.Handoff == nil || noticed {
					s.t.Errorf("%s of %s is no answer: %q", m.ID, k.ID, m.Text)
				}
				noticed = true
				continue
			}
			answers := trigger[m.Execution]
			if answers == "" || by[answers] {
				s.t.Errorf("%s of %s answers %q, which something did already, or nothing", m.ID, k.ID, answers)
			}
			by[answers] = true
		}
		if n := len(took[k.Contact.Person]); n != sent {
			s.t.Errorf("the messenger took %d messages to %s, %d replies are SENT", n, k.Contact.Person, sent)
		}
		total += sent
	}
	if total == 0 || total != s.sim.count() {
		s.t.Errorf("%d replies are SENT, the messenger took %d", total, s.sim.count())
	}
}

// nothingReserved: every execution ended, and the budget has what they cost.
func (s *selling) nothingReserved() {
	s.t.Helper()
	waitFor(s.t, silence, "executions of killed processes to be settled", func() bool {
		return s.boss.do("GET", "/ai/executions?status=RUNNING&limit=1", nil).want(200).int("total") == 0
	})
	cost := 0.0
	for _, r := range pages[struct {
		Cost float64 `json:"cost_usd"`
	}](s.boss, "/ai/executions?from=2020-01-01T00:00:00Z") {
		cost += r.Cost
	}
	b := s.boss.do("GET", "/ai/budgets", nil).want(200).says("data.0.reserved_usd", 0)
	if spent, _ := b.at("data.0.spent_usd").(float64); spent-cost > 1e-9 || cost-spent > 1e-9 {
		s.t.Errorf("%v is spent, executions cost %v", spent, cost)
	}
}

// sourceIsWhole: every part of the source is of one edition, the last one.
func (s *selling) sourceIsWhole(last int) {
	s.t.Helper()
	var source struct {
		Status string
		Count  int `json:"chunks_count"`
		Chunks []struct{ Text string }
	}
	waitFor(s.t, silence, "the last edition to be published", func() bool {
		s.boss.do("GET", "/ai/knowledge/sources/"+s.source, nil).want(200).into(&source)
		return source.Status == "READY" && len(source.Chunks) > 0 && strings.Contains(source.Chunks[0].Text, fmt.Sprintf("Nashr %d,", last))
	})
	for _, c := range source.Chunks {
		if strings.Contains(c.Text, "Nashr ") && !strings.Contains(c.Text, fmt.Sprintf("Nashr %d,", last)) {
			s.t.Errorf("a part of another edition is published: %.60q", c.Text)
		}
	}
	if source.Count < parts/4 {
		s.t.Errorf("%d chunks of %d parts", source.Count, parts)
	}
}
