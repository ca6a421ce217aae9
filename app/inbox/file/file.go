// Package file keeps the files of conversations: it fetches what customers send, takes what
// people here add to a reply, and serves both.
//
// It promises that a file is fetched in the background on the node that connects its
// account, again after trouble, within the bounds of the platform's settings and of the
// plan; that it lies sealed on the disk and is served only to those who may read its
// conversation, with the type that its bytes have; that nothing of a stranger runs in a
// browser (contract 22); and that the next cleaning removes a file on the disk without a
// record, which is the trace of a crash, and a record whose message does not have the file
// any more. A record without its file stays: somebody may put the file back (FindMissing
// names such records). It refuses to know a network (package channel) and to change a
// message: what became of a file of one, package conversation notes.
package file

import (
	"errors"
	"log/slog"
	"time"

	"svc/app/content"
	"svc/app/inbox/channel"
	"svc/app/vault"
	"svc/store"
	"svc/store/queue"
)

// kept is a file of a message, or an upload that waits for one.
type kept struct {
	ID           string           `json:"id"` // of the file of a message, or of the upload
	Conversation string           `json:"conversation"`
	Account      string           `json:"account,omitempty"`
	Message      string           `json:"message,omitempty"` // "" for an upload
	Kind         channel.FileKind `json:"kind"`
	// Stored: it lies on the disk. What stands below is known from then on.
	Stored  bool         `json:"stored,omitempty"`
	Type    string       `json:"type,omitempty"` // from its bytes
	Size    int64        `json:"size,omitempty"`
	Thumb   int64        `json:"thumb,omitempty"` // bytes, 0 for none
	Width   int          `json:"width,omitempty"`
	Height  int          `json:"height,omitempty"`
	Seconds int          `json:"seconds,omitempty"`
	Vault   string       `json:"vault"` // its name on the disk
	Name    store.Sealed `json:"name,omitzero"`
	By      string       `json:"by,omitempty"` // who uploaded it
	At      time.Time    `json:"at"`
	// Tried is when it was last asked for in vain, or asked for again after that.
	Tried   time.Time `json:"tried,omitzero"`
	Expires time.Time `json:"expires,omitzero"` // of an upload
}

// expiredKept is how long the record of an upload that expired stays, without its file: whoever
// sends it then hears that it expired, and not that it never was.
const expiredKept = 90 * 24 * time.Hour

// over is when something of an upload is to be removed: its file, and then its record.
func (k *kept) over() time.Time {
	if k.Stored {
		return k.Expires
	}
	return k.Expires.Add(expiredKept)
}

// pause is until when an account fetches nothing, because its network asked to wait.
type pause struct {
	ID    string    `json:"id"` // of the account
	Until time.Time `json:"until"`
}

var (
	files      = store.NewTable("inbox_file", "fil", func(f *kept) string { return f.ID })
	sealedName = files.Sealed("name", func(f *kept) *store.Sealed { return &f.Name })
	byVault    = files.UniqueAcross("vault", func(f *kept) store.Key { return store.Text(f.Vault) })
	byID       = files.UniqueAcross("id", func(f *kept) store.Key { return store.Text(f.ID) })

	// uploads wait for the reply that they are added to.
	uploads        = store.NewTable("inbox_upload", "upl", func(f *kept) string { return f.ID })
	uploadName     = uploads.Sealed("name", func(f *kept) *store.Sealed { return &f.Name })
	uploadsByVault = uploads.UniqueAcross("vault", func(f *kept) store.Key { return store.Text(f.Vault) })
	byExpiry       = uploads.Index("expiry", func(f *kept) store.Key { return store.Time(f.over()) })

	pauses = store.NewTable("inbox_pause", "", func(p *pause) string { return p.ID })
)

// Tables are what a store that holds files of conversations is opened with.
func Tables() []store.AnyTable { return []store.AnyTable{files, uploads, pauses} }

// Options of New.
type Options struct {
	// Vault has the files.
	Vault    *vault.Vault
	Networks channel.Networks
	// Log hears of files that a crash left behind. nil: nobody does.
	Log *slog.Logger
}

// Service keeps files. It implements reply.Uploads.
type Service struct {
	db    *store.DB
	vault *vault.Vault
	o     Options
	log   *slog.Logger
}

// New makes the service. It starts nothing; see Work.
func New(db *store.DB, o Options) *Service {
	s := &Service{db: db, vault: o.Vault, o: o, log: o.Log}
	if s.log == nil {
		s.log = slog.New(slog.DiscardHandler)
	}
	return s
}

const thumbEnding = ".thumb"

// vaultName is where a file lies, which says nothing about it.
func (s *Service) vaultName(org, id string) (string, error) {
	return s.db.Hash("inbox file", org+"/"+id)
}

// put saves the record of a file that lies on the disk from now on, and counts it in the
// plan.
func put(tx *store.Tx, org string, f *kept, name string) error {
	if err := content.AddStorage(tx, org, f.Size); err != nil {
		return err
	}
	f.Stored = true
	if err := sealedName.Set(tx, org, f, []byte(name)); err != nil {
		return err
	}
	return files.Put(tx, org, f)
}

// Remove removes files of messages that were deleted or purged; those that are not kept are
// no error. What lies on the disk goes once the transaction is durable.
func Remove(tx *store.Tx, org string, ids []string) error {
	for _, id := range ids {
		f, err := files.Get(tx, org, id)
		if errors.Is(err, store.ErrNotFound) {
			continue
		}
		if err != nil {
			return err
		}
		if err := remove(tx, org, &f); err != nil {
			return err
		}
	}
	return nil
}

func remove(tx *store.Tx, org string, f *kept) error {
	if err := files.Delete(tx, org, f.ID); err != nil || !f.Stored {
		return err
	}
	return forget(tx, org, f)
}

// forget takes a file whose record is gone out of the plan, and off the disk once the
// transaction is durable.
func forget(tx *store.Tx, org string, f *kept) error {
	if err := content.AddStorage(tx, org, -f.Size); err != nil {
		return err
	}
	_, err := queue.Add(tx, dropping{f.Vault}, time.Time{}, queue.For(org, f.ID))
	return err
}
