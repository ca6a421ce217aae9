package acceptance

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
)

// storedChat is a conversation as the program has it, with all of its messages in their order.
type storedChat struct {
	ID      string
	Account struct{ ID string }
	Contact struct {
		Person string `json:"platform_user_id"`
	}
	Unread   int        `json:"unread_count"`
	Waiting  *time.Time `json:"waiting_since"`
	HasFiles bool       `json:"has_files"`

	Messages []storedMessage `json:"-"`
}

type storedMessage struct {
	ID, Direction, Author, Text, Status string
	Files                               []struct{ ID, Kind, Status string }
	ClientID                            string     `json:"client_id"`
	PlatformID                          string     `json:"platform_message_id"`
	MergedInto                          *string    `json:"merged_into"`
	DeletedAt                           *time.Time `json:"deleted_at"`
	At                                  time.Time
}

func (s *inboxStorm) chat(k *storedChat) chatOf {
	person, _ := strconv.ParseInt(k.Contact.Person, 10, 64) // 0 is nobody
	return chatOf{s.account[k.Account.ID], person}
}

// settled waits until all that was written is stored, all files are fetched and nothing is on its
// way, and reads all.
func (s *inboxStorm) settled() (all []storedChat) {
	s.t.Helper()
	problem := ""
	defer func() {
		if s.t.Failed() {
			s.t.Log(problem)
			s.describe(all)
		}
	}()
	waitFor(s.t, 3*silence, "the inbox to be complete", func() bool {
		all, problem = s.stored(), ""
		for i := range all {
			problem = cmp.Or(problem, s.missing(&all[i]))
		}
		if len(all) != len(s.chats) {
			problem = fmt.Sprintf("%d conversations, want %d", len(all), len(s.chats))
		}
		return problem == ""
	})
	return all
}

// describe says of every account how it stands, and which messages of it are not there.
func (s *inboxStorm) describe(all []storedChat) {
	s.t.Logf("accounts: %s", s.boss.do("GET", "/accounts", nil).body)
	for line := range strings.Lines(s.in.stderr.String()) {
		if strings.Contains(line, `"level":"WARN"`) || strings.Contains(line, `"level":"ERROR"`) {
			s.t.Log(line)
		}
	}
	for id := range s.account {
		s.t.Logf("activity of %s: %s", id, s.boss.do("GET", "/accounts/"+id+"/activity?limit=20", nil).body)
	}
	for i := range all {
		there := map[string]bool{}
		for _, m := range all[i].Messages {
			there[m.PlatformID] = true
		}
		var gone []int
		written := s.chats[s.chat(&all[i])]
		for _, m := range written {
			if !m.deleted && !there[strconv.Itoa(m.id)] {
				gone = append(gone, m.id)
			}
		}
		if len(gone) > 0 {
			s.t.Logf("%v: of %d messages these are not there: %v", s.chat(&all[i]), len(written), gone)
		}
	}
}

// stored reads every conversation.
func (s *inboxStorm) stored() []storedChat {
	s.t.Helper()
	all := pages[storedChat](s.boss, "/ai/conversations?sort=oldest")
	for i := range all {
		all[i].Messages = messagesOf(s.boss, all[i].ID, func(m *storedMessage) string { return m.ID })
	}
	return all
}

// missing says what a conversation waits for.
func (s *inboxStorm) missing(k *storedChat) string {
	there := map[string]*storedMessage{}
	for i := range k.Messages {
		m := &k.Messages[i]
		there[m.PlatformID] = m
		if m.Status == "QUEUED" || m.Status == "SENDING" {
			return fmt.Sprintf("%s is %s", m.ClientID, m.Status)
		}
		for _, f := range m.Files {
			if f.Status == "PENDING" {
				return fmt.Sprintf("%s of %s of %s is PENDING", f.ID, m.ID, k.ID)
			}
		}
	}
	for _, m := range s.chats[s.chat(k)] {
		at := there[strconv.Itoa(m.id)]
		switch {
		case m.deleted && (at == nil || at.DeletedAt != nil):
		case at == nil:
			return fmt.Sprintf("%v has no message %d, %q", s.chat(k), m.id, m.text)
		case m.deleted:
			return fmt.Sprintf("%v has message %d, which was deleted", s.chat(k), m.id)
		case at.Text != m.text || len(at.Files) != len(m.files):
			return fmt.Sprintf("%v has %q with %d files as message %d, which is %q with %d", s.chat(k), at.Text, len(at.Files), m.id, m.text, len(m.files))
		}
	}
	return ""
}

// storedOnce: the messages of each conversation are those of the messenger, in its order, and
// each file has the bytes that were sent.
func (s *inboxStorm) storedOnce(all []storedChat) {
	s.t.Helper()
	for i := range all {
		k := &all[i]
		var want, got []string
		written := s.chats[s.chat(k)]
		for _, m := range written {
			if !m.deleted {
				want = append(want, fmt.Sprint(m.id, " ", m.out, " ", m.text))
			}
		}
		for _, m := range k.Messages {
			if m.ClientID != "" || m.DeletedAt != nil || m.MergedInto != nil {
				continue
			}
			got = append(got, fmt.Sprint(m.PlatformID, " ", m.Author == "OWNER_PHONE", " ", m.Text))
			at := slices.IndexFunc(written, func(x platformMessage) bool { return strconv.Itoa(x.id) == m.PlatformID })
			for n, f := range m.Files {
				if at < 0 || n >= len(written[at].files) {
					break // it is no message of the messenger, or another one: told below
				}
				if f.Status != "STORED" {
					s.t.Errorf("file %s of %q is %s", f.ID, m.Text, f.Status)
					continue
				}
				r := s.boss.do("GET", "/ai/conversations/"+k.ID+"/attachments/"+f.ID, nil).want(200)
				if !bytes.Equal(r.body, written[at].files[n].Content) {
					s.t.Errorf("file %s of %q has other bytes than were sent", f.ID, m.Text)
				}
			}
		}
		if !slices.Equal(got, want) {
			at := 0
			for at < min(len(got), len(want)) && got[at] == want[at] {
				at++
			}
			s.t.Errorf("conversation %s of %v has, from message %d on, not the second of\n%s\n\n%s", k.ID, s.chat(k), at,
				strings.Join(got[at:], "\n"), strings.Join(want[at:], "\n"))
		}
	}
}

// sentOnce: what the messenger took are the answers that were accepted, each once, and each is one
// message of its conversation. The id of an answer may be lost when the program is killed after
// the messenger's answer was read and before it was stored: of one an account and kill at most,
// since an account sends one at a time.
func (s *inboxStorm) sentOnce(all []storedChat) {
	s.t.Helper()
	log, err := s.world.Log()
	if err != nil {
		s.t.Fatal(err)
	}
	took := map[string][]string{}
	for _, m := range log {
		took[m.Text] = append(took[m.Text], strconv.Itoa(m.MessageID))
	}
	there := map[string][]storedMessage{}
	for i := range all {
		for _, m := range all[i].Messages {
			if m.ClientID != "" {
				there[m.ClientID] = append(there[m.ClientID], m)
			}
		}
	}
	unknown := 0
	for _, id := range s.accepted() {
		ours, theirs := there[id], took[id]
		if len(ours) == 1 && len(theirs) == 1 && ours[0].Status == "SENT" && ours[0].PlatformID == "" {
			unknown++
			continue
		}
		if len(ours) != 1 || len(theirs) != 1 || ours[0].Status != "SENT" || ours[0].PlatformID != theirs[0] {
			s.t.Errorf("the answer %s was accepted: the messenger has it as %v, the inbox as %+v", id, theirs, ours)
		}
	}
	if unknown > s.kills*stormAccounts {
		s.t.Errorf("the inbox does not know by which id the messenger has %d answers, after %d kills", unknown, s.kills)
	}
	if n := len(s.accepted()); n == 0 || n != len(log) || n != len(there) {
		s.t.Errorf("%d answers were accepted, the messenger took %d, the inbox has %d", n, len(log), len(there))
	}
}

// countsAreRight: each message was told once, and unread and waiting are those of a recount over
// what was told, in the order in which it was stored: what is written or marked as read answers
// for what was stored before it. A message that was deleted may come after all others, so the
// counts are compared until they agree.
func (s *inboxStorm) countsAreRight() {
	s.t.Helper()
	problem := ""
	defer func() {
		if s.t.Failed() {
			s.t.Log(problem)
		}
	}()
	waitFor(s.t, silence, "the counts to be those of a recount", func() bool {
		problem = s.wrongCount()
		return problem == ""
	})
}

// emittedEvent is an event of a conversation.
type emittedEvent struct {
	Data struct {
		Conversation string `json:"conversation_id"`
		Message      string `json:"message_id"`
		Direction    string
	}
}

// wrongCount says what is counted wrong.
func (s *inboxStorm) wrongCount() string {
	s.t.Helper()
	all := s.stored()
	of := map[string][]emittedEvent{} // by conversation
	for _, e := range slices.Backward(pages[emittedEvent](s.boss, "/events?type=ai.conversation.message&type=ai.conversation.read")) {
		of[e.Data.Conversation] = append(of[e.Data.Conversation], e)
	}
	unread, waiting, files := 0, 0, 0
	for i := range all {
		k := &all[i]
		if problem := k.recount(of[k.ID]); problem != "" {
			return problem
		}
		unread, waiting, files = unread+count(k.Unread > 0), waiting+count(k.Waiting != nil), files+count(k.HasFiles)
	}
	for filter, want := range map[string]int{"unread": unread, "waiting": waiting, "has_files": files} {
		if got := s.boss.do("GET", "/ai/conversations?limit=1&"+filter+"=true", nil).want(200).int("total"); got != want {
			return fmt.Sprintf("the list with %s has %d conversations, and %d are so", filter, got, want)
		}
	}
	return ""
}

// recount says what differs between a conversation and its events, in their order.
func (k *storedChat) recount(events []emittedEvent) string {
	at, times := map[string]time.Time{}, map[string]int{}
	for _, m := range k.Messages {
		at[m.ID] = m.At
	}
	n := 0
	var since time.Time
	for _, e := range events {
		switch {
		case e.Data.Message == "":
			n = 0
		case e.Data.Direction == "OUT":
			n, since = 0, time.Time{}
		default:
			n, since = n+1, at[e.Data.Message]
		}
		times[e.Data.Message]++
	}
	for _, m := range k.Messages {
		if times[m.ID] != 1 {
			return fmt.Sprintf("message %s of %s was told %d times", m.ID, k.ID, times[m.ID])
		}
	}
	if k.Unread != n || !deref(k.Waiting).Equal(since) {
		return fmt.Sprintf("%s has %d unread messages and waits since %v; a recount gives %d and %v", k.ID, k.Unread, deref(k.Waiting), n, since)
	}
	return ""
}

func deref(t *time.Time) time.Time {
	if t == nil {
		return time.Time{}
	}
	return *t
}

func count(yes bool) int {
	if yes {
		return 1
	}
	return 0
}
