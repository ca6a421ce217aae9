package coord

import (
	"context"
	"strings"
	"time"

	"svc/store"
)

// Outlast returns once no node of the store is alive, for who is about to upgrade it: a node
// of an older program writes on without the indexes and forms that it does not know. Who
// upgrades is no node yet. Nodes that are silent for Options.TTL are ended; the others are
// waited for, and named in the log.
func Outlast(ctx context.Context, db *store.DB, o Options) error {
	o = o.withDefaults()
	tick := time.NewTicker(time.Second)
	defer tick.Stop()
	seen, said := sightings{}, ""
	for {
		var list []Info
		err := db.View(ctx, func(tx *store.Tx) (err error) {
			list, err = Nodes(tx)
			return err
		})
		if err != nil || len(list) == 0 {
			return err
		}
		var names []string
		for _, n := range list {
			names = append(names, n.Name)
		}
		if all := strings.Join(names, ", "); all != said {
			said = all
			o.Log.Warn("the database needs an upgrade, and nodes work on it: stop them; this process waits until they are gone", "nodes", all)
		}
		for _, n := range seen.silent(list, time.Now(), o.TTL) {
			err := db.Update(ctx, func(tx *store.Tx) error {
				now, err := nodes.Get(tx, store.Platform, n.ID)
				if err != nil || now.Beat != n.Beat {
					return store.IgnoreNotFound(err)
				}
				return remove(tx, n.ID)
			})
			if err != nil {
				return err
			}
		}
		select {
		case <-ctx.Done():
			return context.Cause(ctx)
		case <-tick.C:
		}
	}
}
