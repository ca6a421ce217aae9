package telegram

import "svc/messenger"

var _ messenger.Populated = (*Driver)(nil)

// People implements messenger.Populated.
func (d *Driver) People() messenger.People { return d.o.People }
