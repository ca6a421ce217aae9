package webtest

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"time"

	"svc/app/api"
	"svc/app/calendar"
	"svc/app/channel"
	"svc/app/content"
	"svc/app/inbox/conversation"
	"svc/app/knowledge/gap"
	"svc/app/recipient"
	"svc/app/seller/draft"
	"svc/app/seller/memory"
	"svc/store"
	"svc/store/queue"
)

// beside does what slices and administrators do that have no operation of their own:
// pause QUEUE and resume QUEUE; sending ORG RECIPIENT DURATION (a message is being
// sent to that person, for so long); campaign ORG NAME TEMPLATE (a running one uses
// the template), campaign-over ORG NAME; propose ORG CONVERSATION KIND TEXT (a turn of the
// AI proposes a text, until the reply window ends), remember ORG CONVERSATION KEY VALUE (it
// heard something of the customer), book ORG CONVERSATION BUSINESS (a turn wants a time in two
// days in the calendar, and waits for a person); units N (so many of today's units of the video
// network are spent).
func (h *service) beside(name, arg string) error {
	words := append(strings.Fields(arg), "", "", "")
	return h.app.DB.Update(context.Background(), func(tx *store.Tx) error {
		switch name {
		case "pause", "resume":
			return queue.Pause(tx, queue.Name(words[0]), name == "pause")
		case "sending":
			d, err := time.ParseDuration(words[2])
			if err != nil {
				return err
			}
			return recipient.MarkSending(tx, words[0], words[1], tx.DB().Now().Add(d))
		case "campaign":
			return content.Hold(tx, words[0], words[1], content.Holding{Template: words[2], Live: true})
		case "campaign-over":
			return content.Release(tx, words[0], words[1])
		case "remember":
			k, err := conversation.Get(tx, words[0], words[1])
			if err != nil {
				return err
			}
			fact := memory.Fact{Key: memory.Key(words[2]), Value: strings.TrimSpace(strings.Join(words[3:], " ")), Confidence: 1, Message: k.LastID}
			return memory.Keep(tx, words[0], &k, []memory.Fact{fact})
		case "miss":
			return gap.Note(tx, words[0], gap.Asked{Business: words[2], Conversation: words[1], Question: strings.TrimSpace(strings.Join(words[3:], " "))})
		case "book":
			c := api.System(context.Background(), words[0], tx.DB().Now())
			begin := tx.DB().Now().Add(48 * time.Hour).Truncate(time.Hour)
			want := calendar.Proposal{Type: calendar.Create, Extracted: calendar.Extracted{Title: "Lola", Start: begin, End: begin.Add(time.Hour)}}
			_, err := h.app.Calendar.Propose(tx, c, words[0], calendar.Origin{Conversation: words[1], Business: words[2], Confidence: 1}, want)
			return err
		case "units":
			n, err := strconv.Atoi(words[0])
			if err != nil {
				return err
			}
			return channel.Spend(tx, n)
		case "propose":
			return propose(tx, words[0], words[1], draft.Kind(words[2]), strings.TrimSpace(strings.Join(words[3:], " ")))
		}
		return fmt.Errorf("no such action")
	})
}

// propose keeps a text of the AI for a person.
func propose(tx *store.Tx, org, id string, kind draft.Kind, text string) error {
	k, err := conversation.Get(tx, org, id)
	if err != nil {
		return err
	}
	n := draft.New{Kind: kind, Text: text, Language: "uz", Reasons: []string{"SCENARIO_NOT_APPROVED"}}
	if ends := k.LastInAt.Add(24 * time.Hour); ends.After(tx.DB().Now()) {
		n.ExpiresAt = ends
	}
	_, err = draft.Propose(tx, org, &k, n)
	return err
}
