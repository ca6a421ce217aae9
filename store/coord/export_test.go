package coord

import "svc/store"

// End ends a node, as another would that saw no beat of it.
func End(tx *store.Tx, id string) error { return remove(tx, id) }
