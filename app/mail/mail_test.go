package mail

import (
	"context"
	"encoding/json"
	"errors"
	"maps"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"svc/store"
	"svc/store/queue"
	"svc/store/storetest"
)

// box takes letters, or fails.
type box struct {
	mu   sync.Mutex
	got  []Letter
	fail error
	told chan struct{}
}

func (b *box) Send(_ context.Context, l Letter) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.got = append(b.got, l)
	select {
	case b.told <- struct{}{}:
	default:
	}
	return b.fail
}

func open(t *testing.T) (*store.DB, *storetest.Clock) {
	clock := storetest.NewClock()
	db := storetest.OpenWith(t, "", store.Options{Tables: append(Tables(), queue.Tables()...), Now: clock.Now})
	update(t, db, func(tx *store.Tx) error { return Configure(tx, true, "https://svc.example") })
	return db, clock
}

func update(t *testing.T, db *store.DB, f func(*store.Tx) error) {
	t.Helper()
	if err := db.Update(t.Context(), f); err != nil {
		t.Fatal(err)
	}
}

func add(t *testing.T, db *store.DB, m Message) (queued bool) {
	t.Helper()
	update(t, db, func(tx *store.Tx) (err error) {
		queued, err = Add(tx, m)
		return err
	})
	return queued
}

// work runs jobs until one is in that state after its first try.
func work(t *testing.T, db *store.DB, sender Sender, state queue.State) queue.Job {
	t.Helper()
	return workUntil(t, db, sender, state, 1)
}

// workUntil runs jobs until one is in that state after so many tries.
func workUntil(t *testing.T, db *store.DB, sender Sender, state queue.State, tries int) queue.Job {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan struct{})
	w := queue.New(db, queue.Options{})
	Work(w, db, sender)
	go func() { defer close(ended); _ = w.Run(ctx) }()
	defer func() { cancel(); <-ended }()
	tick := time.NewTicker(time.Millisecond)
	defer tick.Stop()
	for range tick.C {
		var jobs []queue.Job
		err := db.View(t.Context(), func(tx *store.Tx) (err error) {
			jobs, _, err = queue.List(tx, queue.Maintenance, state, 0, 1)
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
		if len(jobs) > 0 && jobs[0].Attempts >= tries {
			return jobs[0]
		}
	}
	return queue.Job{}
}

var reset = Message{Kind: PasswordReset, To: "olga@example.uz", Language: "ru", Vars: map[string]string{"link": "https://svc.example/x?token=verysecret"}}

func TestWithoutAMailServerNothingIsQueued(t *testing.T) {
	db, _ := open(t)
	for _, url := range []string{"", "https://svc.example"} {
		update(t, db, func(tx *store.Tx) error { return Configure(tx, url == "", url) })
		if add(t, db, reset) {
			t.Errorf("queued with %q", url)
		}
	}
}

// TestNothingOfAMailStandsInTheFile: neither the job nor the record holds the address,
// the link or the words in plain; after sending the sealed content is gone too.
func TestNothingOfAMailStandsInTheFile(t *testing.T) {
	db, _ := open(t)
	b := &box{told: make(chan struct{}, 1)}
	if !add(t, db, reset) {
		t.Fatal("not queued")
	}
	look := func() (all string, mails []outgoing) {
		err := db.View(t.Context(), func(tx *store.Tx) error {
			mails, _, _ = byTime.Walk(tx, store.Platform, store.Range{Span: store.All(), Limit: 10})
			var jobs []queue.Job
			for _, s := range queue.States() {
				some, _, err := queue.List(tx, queue.Maintenance, s, 0, 10)
				if err != nil {
					return err
				}
				jobs = append(jobs, some...)
			}
			out, err := json.Marshal([]any{mails, jobs})
			all = string(out)
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
		return all, mails
	}
	all, mails := look()
	for _, secret := range []string{"olga", "verysecret", "parol"} {
		if strings.Contains(all, secret) {
			t.Errorf("%q stands in %s", secret, all)
		}
	}
	if len(mails) != 1 || mails[0].Content.IsZero() {
		t.Fatalf("%+v", mails)
	}
	work(t, db, b, queue.Done)
	if len(b.got) != 1 || b.got[0].To != "olga@example.uz" || b.got[0].Subject != "Новый пароль" || !strings.Contains(b.got[0].Text, "verysecret") {
		t.Errorf("sent %+v", b.got)
	}
	if _, mails = look(); !mails[0].Content.IsZero() || !mails[0].Ended {
		t.Error("the content outlived its sending")
	}
}

func TestRetriesAndGivingUp(t *testing.T) {
	for _, tt := range []struct {
		name  string
		err   error
		state queue.State
	}{
		{"a passing refusal is tried again", &Failure{Stage: "recipient", Code: 450}, queue.Retry},
		{"a server that is not there is tried again", &Failure{Stage: "connect"}, queue.Retry},
		{"a lasting refusal is given up", &Failure{Stage: "recipient", Code: 550, Permanent: true}, queue.Archived},
	} {
		t.Run(tt.name, func(t *testing.T) {
			db, _ := open(t)
			add(t, db, reset)
			j := work(t, db, &box{fail: tt.err}, tt.state)
			if j.MaxAttempts != attempts || !strings.Contains(j.LastError, "mail server") || strings.Contains(j.LastError, "olga") {
				t.Errorf("%+v", j)
			}
		})
	}
	t.Run("without a server", func(t *testing.T) {
		db, _ := open(t)
		add(t, db, reset)
		if j := work(t, db, nil, queue.Retry); !strings.Contains(j.LastError, "--smtp-url") {
			t.Errorf("%+v", j)
		}
	})
	t.Run("after the last try", func(t *testing.T) {
		db, clock := open(t)
		lasting := reset
		lasting.Until = clock.Now().AddDate(0, 0, 7)
		add(t, db, lasting)
		for n := range attempts - 1 {
			workUntil(t, db, &box{fail: &Failure{Stage: "connect"}}, queue.Retry, n+1)
			clock.Add(2 * time.Hour)
		}
		work(t, db, &box{fail: &Failure{Stage: "connect"}}, queue.Archived)
	})
	t.Run("too late", func(t *testing.T) {
		db, clock := open(t)
		m := reset
		m.Until = clock.Now().Add(time.Hour)
		add(t, db, m)
		clock.Add(2 * time.Hour)
		b := &box{}
		work(t, db, b, queue.Archived)
		if len(b.got) != 0 {
			t.Error("a mail was sent that was of no use any more")
		}
	})
}

func TestLimits(t *testing.T) {
	db, clock := open(t)
	m := reset
	m.Limits = []Limit{{"a", 1, 5 * time.Minute}, {"b", 2, time.Hour}}
	for i, want := range []bool{true, false, true, false, false} {
		if got := add(t, db, m); got != want {
			t.Errorf("%d: %t", i, got)
		}
		if i%2 == 1 {
			clock.Add(6 * time.Minute)
		}
	}
	other := reset
	other.Limits = []Limit{{"c", 1, time.Hour}}
	if !add(t, db, other) {
		t.Error("the limit of one is that of another")
	}
}

func TestPurge(t *testing.T) {
	db, clock := open(t)
	add(t, db, reset)
	work(t, db, &box{}, queue.Done)
	for _, tt := range []struct {
		after time.Duration
		want  int
	}{{0, 0}, {keep + time.Minute, 1}, {0, 0}} {
		clock.Add(tt.after)
		update(t, db, func(tx *store.Tx) error {
			n, err := Purge(tx, 10)
			if n != tt.want {
				t.Errorf("after %s: %d", tt.after, n)
			}
			return err
		})
	}
}

func TestWordsAreWhole(t *testing.T) {
	for _, lang := range []string{uzbek, russian, english} {
		if got, want := slices.Sorted(maps.Keys(words[lang])), slices.Sorted(maps.Keys(words[english])); !slices.Equal(got, want) {
			t.Errorf("%s has %v, want %v", lang, got, want)
		}
		for kind, s := range words[lang] {
			if s.subject == "" || s.text == "" || s.button == "" {
				t.Errorf("%s %s is not whole", lang, kind)
			}
		}
		if closing[lang] == "" || openButton[lang] == "" {
			t.Errorf("%s lacks the end", lang)
		}
	}
	for kind := range notices {
		if !HasNotice(kind) {
			t.Errorf("%s lacks words in a language", kind)
		}
	}
}

// TestWhatPeopleTypedStaysWords: in a subject it is one line, in HTML it is text.
func TestWhatPeopleTypedStaysWords(t *testing.T) {
	l := letter("eml_1", Invitation, content{To: "a@b", Language: "en", Vars: map[string]string{
		"organization": "Evil\r\nBcc: eve@example.uz <script>alert(1)</script> {link}", "inviter": "{organization}", "link": "https://svc.example/x",
	}})
	if strings.ContainsAny(l.Subject, "\r\n") {
		t.Errorf("subject %q", l.Subject)
	}
	if strings.Contains(l.HTML, "<script>") {
		t.Errorf("HTML %s", l.HTML)
	}
	if !strings.Contains(l.Text, "{organization} invites you") {
		t.Errorf("a value was read again: %s", l.Text)
	}
	long := letter("eml_1", Invitation, content{Language: "en", Vars: map[string]string{"organization": strings.Repeat("ў", 400)}})
	if n := len([]rune(long.Subject)); n != maxSubject {
		t.Errorf("a subject of %d characters", n)
	}
	if unknown := letter("eml_1", PasswordReset, content{Language: "fr"}); unknown.Language != uzbek {
		t.Errorf("language %s", unknown.Language)
	}
	notice := letter("eml_1", Notice, content{Language: "en", Vars: map[string]string{"notice": "NEW_KIND", "title": "A title", "text": "A text", "organization": "Acme", "count": "3"}})
	if notice.Subject != "Acme: A title" || !strings.Contains(notice.Text, "A text (×3)") {
		t.Errorf("%+v", notice)
	}
}

func TestAKindIsNeeded(t *testing.T) {
	db, _ := open(t)
	err := db.Update(t.Context(), func(tx *store.Tx) error {
		_, err := Add(tx, Message{Kind: "none", To: "a@b"})
		return err
	})
	if !errors.Is(err, errKind) {
		t.Errorf("got %v", err)
	}
}
