package store_test

import "svc/store"

// Kinds of writes; the others are Put.
const (
	aDelete = iota
	anInsert
	aMany
	anEdit
	aNestedEdit // whose function saves the record too
	anEncoded
)

// inner is what the function of a nested edit saves.
func inner(id string) person {
	return person{ID: id, Name: "inner", Age: 9, Consent: "IN", Tags: []string{"vip", "inner"}}
}

func writeAs(tx *store.Tx, org string, p *person, kind int) error {
	switch kind {
	case aDelete:
		return people.Delete(tx, org, p.ID)
	case anInsert:
		return people.Insert(tx, org, p)
	case aMany:
		return people.PutMany(tx, org, []*person{p})
	case anEdit, aNestedEdit:
		return second(people.Edit(tx, org, p.ID, func(old *person) error {
			if kind == aNestedEdit {
				in := inner(p.ID)
				if err := people.Put(tx, org, &in); err != nil {
					return err
				}
			}
			for i := range old.Tags { // what was must not change with it
				old.Tags[i] = "changed"
			}
			*old = *p
			return nil
		}))
	case anEncoded:
		e, err := people.Encode(p)
		if err != nil {
			return err
		}
		return people.InsertEncoded(tx, org, e)
	}
	return people.Put(tx, org, p)
}
