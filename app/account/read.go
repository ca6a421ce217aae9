package account

import "svc/store"

// ReadProxy reads a proxy as the API shows it: store.ErrNotFound when the organization
// has none of that id.
func ReadProxy(tx *store.Tx, org, id string) (ShownProxy, error) {
	p, err := proxies.Get(tx, org, id)
	if err != nil {
		return ShownProxy{}, err
	}
	return showProxy(tx, org, &p)
}
