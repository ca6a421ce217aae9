package conversation

import (
	"context"
	"slices"
	"time"

	"svc/app/api"
	"svc/app/event"
	"svc/app/inbox/channel"
	"svc/app/signal"
	"svc/store"
)

// Status is what became of a message.
type Status string

// The statuses (contract 60.20). Sending is shown while a reply is on its way and never
// kept: package send knows what is.
const (
	Received  Status = "RECEIVED"
	Queued    Status = "QUEUED"
	Sending   Status = "SENDING"
	Sent      Status = "SENT"
	Failed    Status = "FAILED"
	Cancelled Status = "CANCELLED"
)

// Statuses lists those that are kept.
func Statuses() []Status { return []Status{Received, Queued, Sent, Failed, Cancelled} }

// MessageEvent is what happens to a reply.
type MessageEvent string

// The events.
const (
	WasSent   MessageEvent = "taken by the network"
	WasFailed MessageEvent = "refused by the network"
	WasDenied MessageEvent = "not sent"
	WasProven MessageEvent = "found at the network after all"
)

// MessageEvents lists them.
func MessageEvents() []MessageEvent {
	return []MessageEvent{WasSent, WasFailed, WasDenied, WasProven}
}

// life is that of a reply (contract 60.20). A message that arrived stays RECEIVED, one
// that the owner wrote in the network's own app SENT.
var life = api.Table[Status, MessageEvent]{
	{From: []Status{Queued}, On: WasSent, To: Sent},
	{From: []Status{Queued}, On: WasFailed, To: Failed},
	{From: []Status{Queued}, On: WasDenied, To: Cancelled},
	// It may have arrived, and did.
	{From: []Status{Queued, Failed}, On: WasProven, To: Sent},
}

// changes are what the event says of each status.
var changes = map[Status]string{Sent: "sent", Failed: "failed", Cancelled: "cancelled"}

// Outcome is what became of a reply.
type Outcome struct {
	Event MessageEvent
	// Code is why it was not sent (contract 10.2).
	Code string
	// At is when the network took it, Part what the network knows it by; a zero Part is
	// not known.
	At   time.Time
	Part Part
	// More are other parts that it was sent in.
	More []Part
}

// Settle notes what became of a reply, with everything that follows, and saves it. Nobody
// else changes the status of a message. What the table does not have is api.ErrState.
func Settle(tx *store.Tx, org string, k *Conversation, m *Message, o Outcome) error {
	to, ok := life.Next(m.Status, o.Event)
	if !ok {
		return api.ErrState
	}
	m.Status, m.ErrorCode = to, o.Code
	if to == Sent {
		m.SentAt = o.At
		if err := takePart(tx, org, k, m, o.Part); err != nil {
			return err
		}
		m.Parts = append(m.Parts, o.More...)
		k.LastSeq = max(k.LastSeq, o.Part.Seq)
	}
	if o.Code == "CUSTOMER_BLOCKED" || o.Code == "PEER_BLOCKED" {
		k.Blocked = true
	}
	if err := messages.Put(tx, org, m); err != nil {
		return err
	}
	if to != Sent && m.Answers {
		if err := waitAgain(tx, org, k, m); err != nil {
			return err
		}
	}
	k.UpdatedAt = tx.DB().Now()
	if err := conversations.Put(tx, org, k); err != nil {
		return err
	}
	return updated(tx, org, k, m, changes[to], map[string]any{
		"channel": k.Channel, "error_code": api.Optional(m.ErrorCode), "send_basis": api.Optional(m.SendBasis),
		"platform_message_id": api.Optional(m.PlatformID()), "client_id": api.Optional(m.ClientID),
	})
}

// takePart notes what the network knows a reply by. A copy of it that was taken for one of
// the owner's app, because it came before the answer, becomes part of the reply.
func takePart(tx *store.Tx, org string, k *Conversation, m *Message, p Part) error {
	if p.ID == "" {
		return takeStored(tx, org, k, m)
	}
	duplicate, err := OfPart(tx, org, k.Owner, p.ID)
	if err == nil && duplicate.ID != m.ID {
		if err := merge(tx, org, k, &duplicate, m.ID); err != nil {
			return err
		}
	} else if store.IgnoreNotFound(err) != nil {
		return err
	}
	if len(m.Parts) == 0 {
		m.Parts = []Part{p}
	}
	return nil
}

// merge takes a message out of its conversation that is another one's copy.
func merge(tx *store.Tx, org string, k *Conversation, duplicate *Message, into string) error {
	duplicate.MergedInto, duplicate.Parts = into, nil
	if err := messages.Put(tx, org, duplicate); err != nil {
		return err
	}
	if k.LastID == duplicate.ID {
		k.LastID = into
	}
	return updated(tx, org, k, duplicate, "edited", map[string]any{"channel": k.Channel, "merged_into": into})
}

// waitAgain lets the customer wait again whose answer was not sent, unless another was.
func waitAgain(tx *store.Tx, org string, k *Conversation, failed *Message) error {
	if !k.WaitingSince.IsZero() || k.LastInAt.IsZero() || !k.DoneAt.IsZero() {
		return nil
	}
	list, _, err := Older(tx, org, k.ID, "", lookedBack)
	if err != nil {
		return err
	}
	for i := range list {
		m := &list[i]
		if m.ID != failed.ID && m.Direction == Out && !m.At.Before(k.LastInAt) && (m.Status == Sent || m.Status == Queued) {
			return nil
		}
	}
	k.WaitingSince, k.UnansweredSince = k.LastInAt, k.LastInAt
	return nil
}

// lookedBack is how many of the newest messages are looked at for another answer.
const lookedBack = 50

// updated announces a change of a message.
func updated(tx *store.Tx, org string, k *Conversation, m *Message, change string, more map[string]any) error {
	data := map[string]any{"message_id": m.ID, "change": change}
	for name, v := range more {
		data[name] = v
	}
	return emit(tx, org, k, event.ConversationMessageUpdated, data)
}

// Fetched is what became of a file.
type Fetched struct {
	Status        FileStatus
	MimeType      string
	Size          int64
	Width, Height int
	Seconds       int
	Thumb         bool
}

// fetching is the life of a file (contract 60.21).
var fetching = api.Table[FileStatus, FileStatus]{
	{From: []FileStatus{Pending}, On: Stored, To: Stored},
	{From: []FileStatus{Pending}, On: TooLarge, To: TooLarge},
	{From: []FileStatus{Pending}, On: Unavailable, To: Unavailable},
	{From: []FileStatus{Pending}, On: FileFailed, To: FileFailed},
	// A person asked for it again.
	{From: []FileStatus{TooLarge, Unavailable, FileFailed}, On: Pending, To: Pending},
}

// SetFile notes what became of a file of a message, and announces one that is there now.
// Nobody else changes the status of a file. store.ErrNotFound: the message has no such
// file any more; api.ErrState: its status does not lead there.
func SetFile(tx *store.Tx, org, message, file string, f Fetched) error {
	m, err := messages.Get(tx, org, message)
	if err != nil {
		return err
	}
	for i := range m.Files {
		x := &m.Files[i]
		if x.ID != file {
			continue
		}
		to, ok := fetching.Next(x.Status, f.Status)
		if !ok {
			return api.ErrState
		}
		x.Status = to
		if to == Stored {
			x.MimeType, x.Size, x.Width, x.Height, x.Thumb = f.MimeType, f.Size, f.Width, f.Height, f.Thumb
			if f.Seconds > 0 {
				x.Seconds = f.Seconds
			}
		}
		return fileChanged(tx, org, &m, x)
	}
	return store.ErrNotFound
}

func fileChanged(tx *store.Tx, org string, m *Message, f *File) error {
	if err := messages.Put(tx, org, m); err != nil || f.Status != Stored {
		return err
	}
	k, err := conversations.Get(tx, org, m.Conversation)
	if err != nil {
		return err
	}
	return emit(tx, org, &k, event.ConversationAttachmentReady, map[string]any{"message_id": m.ID, "attachment_id": f.ID, "status": f.Status})
}

// FileSource is where a file comes from.
type FileSource struct {
	Conversation Conversation
	Message      Message
	File         File
	Words        FileWords
}

// SourceOf reads what is needed to fetch a file, or to serve it: store.ErrNotFound when the
// message has no such file.
func SourceOf(tx *store.Tx, org, message, file string) (out FileSource, err error) {
	if out.Message, err = messages.Get(tx, org, message); err != nil {
		return out, err
	}
	if out.Conversation, err = conversations.Get(tx, org, out.Message.Conversation); err != nil {
		return out, err
	}
	for _, f := range out.Message.Files {
		if f.ID == file {
			c, err := out.Message.Open(tx.DB(), org)
			out.File, out.Words = f, c.Files[file]
			return out, err
		}
	}
	return out, store.ErrNotFound
}

// FilesGone is published when messages lost files: they were deleted, or kept long enough.
type FilesGone struct {
	Org   string
	Files []string
}

// DropFiles publishes which files of a message are gone.
func DropFiles(tx *store.Tx, bus *signal.Bus, org string, before, after []File) error {
	gone := FilesGone{Org: org}
	for _, f := range before {
		if !slices.ContainsFunc(after, func(x File) bool { return x.ID == f.ID }) {
			gone.Files = append(gone.Files, f.ID)
		}
	}
	if len(gone.Files) == 0 {
		return nil
	}
	return signal.Publish(bus, tx, api.System(context.Background(), org, tx.DB().Now()), gone)
}

// FileWanted is published when a file is to be fetched.
type FileWanted struct {
	Org, Account, Conversation, Message, File string
	Kind                                      channel.FileKind
	Size                                      int64
	// Imported: it belongs to the history of the account, and may wait for the others.
	Imported bool
}
