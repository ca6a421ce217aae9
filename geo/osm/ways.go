package osm

import "slices"

// Fields of the messages Way and Relation.
const (
	objectID   = 1
	objectKeys = 2
	objectVals = 3

	wayRefs = 8

	relationRoles = 8
	relationRefs  = 9
	relationTypes = 10
)

// way decodes one message Way.
func (d *decoder) way(data []byte) error {
	var (
		id                 int64
		keys, values, refs packed
		m                  = message{buf: data}
		f                  field
	)
	if err := d.charge(1, costWay); err != nil {
		return err
	}
	for {
		ok, err := m.next(&f)
		if err != nil {
			return err
		}
		if !ok {
			break
		}
		switch f.num {
		case objectID:
			id = int64(f.val)
		case objectKeys:
			err = keys.add(&f)
		case objectVals:
			err = values.add(&f)
		case wayRefs:
			err = refs.add(&f)
		}
		if err != nil {
			return err
		}
	}
	tags, err := d.pairs(keys, values)
	if err != nil {
		return err
	}
	w := Way{ID: id, Tags: tags}
	if w.Refs, err = d.wayRefs(refs); err != nil {
		return err
	}
	d.block.Ways = append(d.block.Ways, w)
	return nil
}

// wayRefs decodes the differences of the node ids of a way.
func (d *decoder) wayRefs(list packed) ([]int64, error) {
	n := list.count()
	if err := d.charge(n, costRef); err != nil {
		return nil, err
	}
	first := len(d.refs)
	d.refs = slices.Grow(d.refs, n)[:first+n]
	refs := d.refs[first : first+n : first+n]
	var (
		id uint64
		v  uint64
		p  int
	)
	for i := range refs {
		if v, p = varint(list, p); p < 0 {
			return nil, badVarint()
		}
		id += uint64(zigzag(v))
		refs[i] = int64(id)
	}
	return refs, ended(list, p)
}

// relation decodes one message Relation.
func (d *decoder) relation(data []byte) error {
	var (
		id                 int64
		keys, values       packed
		roles, refs, types packed
		m                  = message{buf: data}
		f                  field
	)
	if err := d.charge(1, costRelation); err != nil {
		return err
	}
	for {
		ok, err := m.next(&f)
		if err != nil {
			return err
		}
		if !ok {
			break
		}
		switch f.num {
		case objectID:
			id = int64(f.val)
		case objectKeys:
			err = keys.add(&f)
		case objectVals:
			err = values.add(&f)
		case relationRoles:
			err = roles.add(&f)
		case relationRefs:
			err = refs.add(&f)
		case relationTypes:
			err = types.add(&f)
		}
		if err != nil {
			return err
		}
	}
	tags, err := d.pairs(keys, values)
	if err != nil {
		return err
	}
	r := Relation{ID: id, Tags: tags}
	if r.Members, err = d.relationMembers(roles, refs, types); err != nil {
		return err
	}
	d.block.Relations = append(d.block.Relations, r)
	return nil
}

// relationMembers decodes the three parallel lists of a relation's members.
func (d *decoder) relationMembers(roles, refs, types packed) ([]Member, error) {
	n := refs.count()
	if roles.count() != n || types.count() != n {
		return nil, damaged("a relation has %d members but %d roles and %d types", n, roles.count(), types.count())
	}
	if err := d.charge(n, costMember); err != nil {
		return nil, err
	}
	first := len(d.members)
	d.members = slices.Grow(d.members, n)[:first+n]
	members := d.members[first : first+n : first+n]
	var (
		ref     uint64
		p, q, s int
		v       [3]uint64
		err     error
	)
	for i := range members {
		if v[0], p = varint(refs, p); p < 0 {
			return nil, badVarint()
		}
		if v[1], q = varint(roles, q); q < 0 {
			return nil, badVarint()
		}
		if v[2], s = varint(types, s); s < 0 {
			return nil, badVarint()
		}
		ref += uint64(zigzag(v[0]))
		if v[2] > uint64(TypeRelation) {
			return nil, damaged("a relation has a member of the unknown type %d", v[2])
		}
		members[i] = Member{Type: Type(v[2]), Ref: int64(ref)}
		if members[i].Role, err = d.str(v[1]); err != nil {
			return nil, err
		}
	}
	if p != len(refs) || q != len(roles) || s != len(types) {
		return nil, badVarint()
	}
	return members, nil
}
