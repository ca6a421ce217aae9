package admin

import (
	"errors"
	"runtime/debug"
	"strconv"
	"time"

	"svc/app/admin/disk"
	"svc/app/api"
	"svc/app/setting"
	"svc/messenger"
	"svc/store"
)

// System is how the program is, in the API (contract 17).
type System struct {
	Version         string       `json:"version"`
	Commit          *string      `json:"commit"`
	BuiltAt         *time.Time   `json:"built_at"`
	UptimeSeconds   int64        `json:"uptime_seconds"`
	Database        Database     `json:"database"`
	Storage         disk.Storage `json:"storage"`
	Messenger       Messenger    `json:"messenger"`
	ClockSkewMS     *int64       `json:"clock_skew_ms" doc:"How far the clock of this machine is ahead; null when nobody knows."`
	Encryption      Encryption   `json:"encryption"`
	Backup          Backup       `json:"backup"`
	MaintenanceMode bool         `json:"maintenance_mode"`
	Warnings        []string     `json:"warnings" nullable:"false" doc:"Sentences about settings of the server that are surely not meant."`
}

// Database is how the database file is.
type Database struct {
	OK         bool    `json:"ok"`
	SizeBytes  int64   `json:"size_bytes"`
	LatencyMS  float64 `json:"latency_ms" doc:"How long the last durable write of a heartbeat took, at most 15 seconds ago; how long reading took before the first."`
	Migrations int     `json:"migrations" doc:"How many the file has been through."`
}

// Messenger is the way to the messenger.
type Messenger struct {
	Driver         messenger.Kind `json:"driver" enum:"MTPROTO,SIMULATOR"`
	OnlineAccounts int            `json:"online_accounts"`
}

// Encryption is what secrets are sealed with.
type Encryption struct {
	KeyID    string `json:"key_id" doc:"Of the key that new secrets are sealed with."`
	Rotating bool   `json:"rotating" doc:"A rotation began and did not end."`
}

// Backup is when the database was copied last.
type Backup struct {
	LastAt         *time.Time `json:"last_at"`
	LastVerifiedAt *time.Time `json:"last_verified_at"`
}

// known fills in what the program's own file says: the commit that it was built from,
// and the time of that commit.
func (b Build) known() Build {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return b
	}
	for _, s := range info.Settings {
		switch {
		case s.Key == "vcs.revision" && b.Commit == "":
			b.Commit = s.Value
		case s.Key == "vcs.time" && b.BuiltAt.IsZero():
			b.BuiltAt, _ = time.Parse(time.RFC3339, s.Value)
		}
	}
	return b
}

func (s *Service) system(c *api.Call, _ struct{}) (System, error) {
	out := s.process(c)
	key, err := s.db.KeyState()
	if err != nil && !errors.Is(err, store.ErrNoKey) {
		return out, err
	}
	out.Encryption = Encryption{strconv.FormatUint(uint64(key.ID), 10), key.Rotating}
	out.Database = s.database(c)
	online := s.o.Accounts.OnlineCount()
	err = s.db.View(c, func(tx *store.Tx) error { return s.stored(tx, &out, online) })
	return out, err
}

// stored adds what stands in the store; online are the accounts of this node.
func (s *Service) stored(tx *store.Tx, out *System, online int) error {
	settings, err := setting.Get(tx)
	if err != nil {
		return err
	}
	out.MaintenanceMode = settings.MaintenanceMode
	elsewhere, err := s.o.Accounts.OnlineElsewhere(tx)
	if err != nil {
		return err
	}
	out.Messenger.OnlineAccounts = online + elsewhere
	out.Backup, err = backup(tx)
	return err
}

// process is what does not stand in the store: the program, its clock and its disk.
func (s *Service) process(c *api.Call) System {
	out := System{
		Version: s.o.Build.Version, Commit: api.Optional(s.o.Build.Commit), UptimeSeconds: int64(c.Now.Sub(s.started) / time.Second),
		Storage: s.disk.Measure(c, s.o.Data, c.Now), Messenger: Messenger{Driver: s.o.Driver},
		Warnings: append([]string{}, s.o.Warnings...),
	}
	if at := s.o.Build.BuiltAt; !at.IsZero() {
		out.BuiltAt = &at
	}
	if s.o.ClockSkew != nil {
		if skew, known := s.o.ClockSkew(); known {
			out.ClockSkewMS = new(skew.Milliseconds())
		}
	}
	return out
}

// database asks the database how it is. What fails is the answer, not an error.
func (s *Service) database(c *api.Call) (out Database) {
	begin := time.Now()
	err := s.db.View(c, func(tx *store.Tx) error {
		_, err := setting.Get(tx)
		return err
	})
	took := time.Since(begin)
	s.mu.Lock()
	if s.latest > 0 {
		took = s.latest
	}
	s.mu.Unlock()
	out.LatencyMS = float64(took.Microseconds()) / 1000
	size, serr := s.db.Size()
	migrations, merr := s.db.Migrations(c)
	out.SizeBytes, out.Migrations = size, migrations
	out.OK = errors.Join(err, serr, merr) == nil
	return out
}

// kept is what is remembered about the platform itself.
type kept struct {
	ID         string     `json:"id"`
	At         *time.Time `json:"at,omitempty"`
	VerifiedAt *time.Time `json:"verified_at,omitempty"`
}

const backupID = "backup"

var notes = store.NewTable("admin_note", "", func(k *kept) string { return k.ID }).Global()

func backup(tx *store.Tx) (Backup, error) {
	k, err := notes.Get(tx, store.Platform, backupID)
	if errors.Is(err, store.ErrNotFound) {
		err = nil
	}
	return Backup{k.At, k.VerifiedAt}, err
}

// BackedUp notes that the database was copied, and whether the copy was verified;
// without copied, that a copy made earlier was.
func BackedUp(tx *store.Tx, copied, verified bool) error {
	b, err := backup(tx)
	if err != nil {
		return err
	}
	now := tx.DB().Now()
	if copied {
		b.LastAt = &now
	}
	if verified {
		b.LastVerifiedAt = &now
	}
	return notes.Put(tx, store.Platform, &kept{ID: backupID, At: b.LastAt, VerifiedAt: b.LastVerifiedAt})
}
