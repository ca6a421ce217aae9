package acceptance

import (
	"cmp"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"sync"
	"testing"
	"time"

	"svc/messenger/simulator"
	"svc/messenger/simulator/simtest"
	"svc/messenger/simulator/world"
	"svc/messenger/simulator/world/record"
	made "svc/messenger/simulator/world/sample"
)

// TestInboxKilled kills the real program (kill -9) again and again, at random moments, while
// customers of three accounts write, send files, edit and delete, the accounts' owner types in
// the messenger's own app, and two people of the team answer and mark as read. Afterwards every
// message that the messenger has is stored once, in its order, with its file; every answer that
// was accepted was sent once; and what is counted as unread and as waiting is what a recount of
// the messages gives. SVC_TEST_KILLS says how often; once when it is not set.
//
// The messenger is a simulator in this process, which goes on when the program is killed, so that
// what was written is known exactly.
func TestInboxKilled(t *testing.T) {
	t.Parallel()
	kills, err := strconv.Atoi(cmp.Or(os.Getenv("SVC_TEST_KILLS"), "1"))
	if err != nil || kills < 1 {
		t.Fatalf("SVC_TEST_KILLS is %q, no number above zero", os.Getenv("SVC_TEST_KILLS"))
	}
	s := newInboxStorm(t)
	s.kills = kills
	end := s.begin()
	for range kills {
		<-time.After(time.Duration(rand.IntN(int(longestLife))))
		s.in.kill()
		s.in.start()
	}
	<-time.After(longestLife) // the last process works too
	end()
	all := s.settled()
	s.storedOnce(all)
	s.sentOnce(all)
	s.countsAreRight()
	s.in.stop()
	file := filepath.Join(t.TempDir(), "last.db")
	s.in.must("backup", file) // reads every record, index, count and secret
	t.Logf("%d kills, %d messages written, %d answers accepted", kills, s.written(), len(s.accepted()))
}

const (
	stormAccounts = 3
	stormPeople   = 5 // who write to an account
	writers       = 2 // people of the team
	// longestLife is how long a process lives at most before it is killed.
	longestLife = 1500 * time.Millisecond
	// writeEvery is how often something happens in an account, answerEvery how often a person of
	// the team does something.
	writeEvery  = 80 * time.Millisecond
	answerEvery = 150 * time.Millisecond
)

// platformMessage is a message that the messenger has.
type platformMessage struct {
	id      int
	out     bool // the account's owner typed it
	text    string
	files   []record.Attachment
	deleted bool
}

// chatOf is a chat of the messenger: an account's number and a person.
type chatOf struct {
	number string
	person int64
}

// inboxStorm is an inbox whose program is killed.
type inboxStorm struct {
	t       *testing.T
	in      *installation
	boss    *caller
	world   *world.World
	numbers []string
	kills   int

	mu      sync.Mutex
	chats   map[chatOf][]platformMessage
	answers map[string]int // status of the operation, by client_id
	account map[string]string
}

func newInboxStorm(t *testing.T) *inboxStorm {
	t.Helper()
	w, args := simulatorHere(t)
	in := install(t)
	in.args = args
	in.start()
	s := &inboxStorm{t: t, in: in, world: w, chats: map[chatOf][]platformMessage{}, answers: map[string]int{}, account: map[string]string{}}
	s.boss = in.administer()
	s.boss.acceptPolicy()
	for i := range stormAccounts {
		number := fmt.Sprintf("+99890000001%d", i)
		id := s.boss.connect(number, "", "")
		s.boss.do("PATCH", "/accounts/"+id, map[string]any{"inbound_enabled": true}).want(200)
		s.numbers, s.account[id] = append(s.numbers, number), number
		for k := range stormPeople {
			person := stormPerson(i, k)
			if _, err := w.AddPerson(record.Person{ID: person, First: fmt.Sprint("Mijoz ", person)}); err != nil {
				t.Fatal(err)
			}
		}
	}
	return s
}

// simulatorHere starts a messenger in this process, with the arguments of a server that uses it. It
// forgets nothing: a program that is killed before it can read on falls far behind on a busy machine,
// and what the messenger has forgotten by then nobody can store.
func simulatorHere(tb testing.TB) (*world.World, []string) {
	tb.Helper()
	sim := simtest.Start(tb, simulator.Options{Demo: true, Keep: 1_000_000})
	key := filepath.Join(tb.TempDir(), "public.pem")
	if err := os.WriteFile(key, sim.PublicPEM(), 0o600); err != nil {
		tb.Fatal(err)
	}
	return sim.World(), []string{"--simulator", sim.Addr().String(), "--simulator-key", key, "--private-proxies"}
}

func stormPerson(account, n int) int64 { return int64(6_000_000 + 1000*account + n) }

// begin lets everybody write; the function that it gives ends that.
func (s *inboxStorm) begin() (end func()) {
	over := make(chan struct{})
	var group sync.WaitGroup
	every := func(d time.Duration, act func(n int)) {
		group.Go(func() {
			tick := time.NewTicker(d)
			defer tick.Stop()
			for n := 0; ; n++ {
				select {
				case <-over:
					return
				case <-tick.C:
					act(n)
				}
			}
		})
	}
	for i := range s.numbers {
		every(writeEvery, func(n int) { s.write(i, n) })
	}
	for i := range writers {
		every(answerEvery, func(n int) { s.answer(fmt.Sprintf("w%d-%d", i, n), n, over) })
	}
	return func() {
		close(over)
		group.Wait()
	}
}

// write lets something happen in a chat of an account. Nobody else writes there but people of
// the team, so that the messenger's order is known.
func (s *inboxStorm) write(account, n int) {
	chat := chatOf{s.numbers[account], stormPerson(account, rand.IntN(stormPeople))}
	person := strconv.FormatInt(chat.person, 10)
	m := platformMessage{text: fmt.Sprintf("%s %d", chat.number, n)}
	send := func(files ...record.Attachment) {
		c := record.Content{Text: m.text, Files: files}
		from, tell := person, s.world.SendContent
		to := chat.number
		if m.out {
			from, to, tell = chat.number, person, s.world.TypeContent
		}
		list, err := tell(from, to, c)
		if err != nil {
			s.t.Error(err)
			return
		}
		m.id, m.files = list[0].ID, files
		s.mu.Lock()
		defer s.mu.Unlock()
		s.chats[chat] = append(s.chats[chat], m)
	}
	switch n % 13 {
	case 3:
		send(made.Attachment("PHOTO", n%6, 0))
	case 5:
		send(made.Attachment("DOCUMENT", n%6, 0))
	case 7:
		send(made.Attachment("PHOTO", 1, 0), made.Attachment("PHOTO", 2, 0))
	case 9:
		m.out = true
		send()
	case 10:
		s.change(chat, func(m *platformMessage) error {
			m.text += " edited"
			return s.world.Edit(chat.number, m.id, m.text)
		})
	case 12:
		s.change(chat, func(m *platformMessage) error {
			m.deleted = true
			return s.world.Unsend(chat.number, m.id)
		})
	default:
		send()
	}
}

// change changes the newest text of a chat.
func (s *inboxStorm) change(chat chatOf, f func(m *platformMessage) error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	list := s.chats[chat]
	if len(list) == 0 || len(list[len(list)-1].files) > 0 || list[len(list)-1].deleted {
		return
	}
	if err := f(&list[len(list)-1]); err != nil {
		s.t.Error(err)
	}
}

// answer lets a person of the team answer somebody, or mark a conversation as read. An answer is
// sent again with its client_id until the program says what became of it.
func (s *inboxStorm) answer(id string, n int, over <-chan struct{}) {
	var page struct{ Data []struct{ ID string } }
	if r, err := s.boss.try("GET", "/ai/conversations?limit=50", nil); err != nil || r.status != 200 {
		return
	} else if r.into(&page); len(page.Data) == 0 {
		return
	}
	path := "/ai/conversations/" + page.Data[rand.IntN(len(page.Data))].ID
	if n%4 == 3 {
		_, _ = s.boss.try("POST", path+"/read", nil) // what became of it is in the events
		return
	}
	body := map[string]any{"text": id, "client_id": id}
	if n%8 == 5 {
		r, err := s.boss.try("POST", path+"/uploads", newForm(nil, "narxlar.pdf", made.Attachment("DOCUMENT", 1, 0).Content))
		if err != nil || r.status != 201 {
			return
		}
		body["upload_ids"] = []string{r.text("upload_id")}
	}
	tick := time.NewTicker(100 * time.Millisecond)
	defer tick.Stop()
	for ; ; <-tick.C {
		r, err := s.boss.try("POST", path+"/reply", body)
		if err == nil && r.status != 429 && r.status < 500 {
			if r.status != 202 {
				s.t.Logf("%s: %d %s", id, r.status, r.body)
			}
			s.mu.Lock()
			defer s.mu.Unlock()
			s.answers[id] = r.status
			return
		}
	}
}

// accepted are the client_ids of the answers that were accepted.
func (s *inboxStorm) accepted() (ids []string) {
	for _, id := range slices.Sorted(maps.Keys(s.answers)) {
		if s.answers[id] == 202 {
			ids = append(ids, id)
		}
	}
	return ids
}

func (s *inboxStorm) written() (n int) {
	for _, list := range s.chats {
		n += len(list)
	}
	return n
}
