package inbox

import (
	"context"
	"time"

	"svc/app/api"
	"svc/app/inbox/conversation"
	"svc/app/org"
	"svc/app/signal"
	"svc/store"
)

const day = 24 * time.Hour

// purge removes what up to limit messages say that are older than the organization keeps
// them, and says how many there were (contract 10.2, Retention).
func (s *Service) purge(tx *store.Tx, orgID string, limit int) (int, error) {
	o, err := org.Get(tx, orgID)
	if err != nil || o.Retention.MessagesDays == nil {
		return 0, store.IgnoreNotFound(err)
	}
	before := tx.DB().Now().Add(-time.Duration(*o.Retention.MessagesDays) * day)
	n, files, err := conversation.PurgeBefore(tx, orgID, before, limit)
	if err != nil || len(files) == 0 {
		return n, err
	}
	return n, signal.Publish(s.o.Bus, tx, api.System(context.Background(), orgID, tx.DB().Now()), conversation.FilesGone{Org: orgID, Files: files})
}
