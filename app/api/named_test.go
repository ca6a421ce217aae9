package api_test

import (
	"strings"
	"testing"

	"svc/app/api"
	"svc/app/api/apitest"
	"svc/app/api/perm"
	"svc/store/storetest"
)

type mention struct {
	Of     *api.Named   `json:"of"`
	Others []*api.Named `json:"others"`
}

type inner struct {
	Kind string `json:"kind"`
	api.Named
}

// Deep holds a Named within embedded and nested records.
type Deep struct {
	Mentionless
	Inner *inner `json:"inner"`
	Deep  struct {
		Rows []mention `json:"rows"`
	} `json:"deep"`
}

// Mentionless holds itself, which the search for names must survive.
type Mentionless struct {
	Next *Mentionless `json:"next,omitempty"`
}

type mentioning struct {
	t     *testing.T
	reads int
}

func (m *mentioning) Endpoints() []api.Endpoint {
	page := api.Page[mention]{Data: []mention{{Of: api.Ref("org_1", "acc_1")}, {Of: api.Ref("org_1", ""), Others: api.Refs("org_1", []string{"acc_2", "acc_1"})}}}
	list := []api.Endpoint{
		api.E("GET /page", "x.page", perm.OrgRead, "A page.", func(*api.Call, struct{}) (api.Page[mention], error) { return page, nil }),
		api.E("GET /either", "x.either", perm.OrgRead, "A page.", func(*api.Call, struct{}) (api.Either[api.Page[mention]], error) { return api.Whole(page), nil }),
		api.E("POST /made", "x.made", perm.OrgRead, "A record.", func(*api.Call, struct{}) (api.Created[mention], error) { return api.New(page.Data[0]), nil }),
		api.E("POST /maybe", "x.maybe", perm.OrgRead, "A record.", func(*api.Call, struct{}) (api.MaybeCreated[mention], error) {
			return api.MaybeCreated[mention]{Value: page.Data[0]}, nil
		}),
		api.E("GET /deep", "x.deep", perm.OrgRead, "A record.", func(*api.Call, struct{}) (out Deep, err error) {
			out.Inner = &inner{"account", *api.Ref("org_1", "acc_1")}
			out.Deep.Rows = []mention{{Of: api.Ref("", "usr_1")}}
			return out, nil
		}),
		api.E("GET /none", "x.none", perm.OrgRead, "A record.", func(*api.Call, struct{}) (Mentionless, error) { return Mentionless{}, nil }),
	}
	for i := range list {
		list[i].ReadNames(func(_ *api.Call, org string, ids []string) (map[string]string, error) {
			m.reads++
			return map[string]string{"acc_1": "Sales of " + org, "usr_1": "Olga"}, nil
		})
	}
	return list
}

// TestNamesOfAnswers: whatever kind of answer mentions a record, its name is filled in,
// with one read for the whole answer; a record without a name has null, and no id no object.
func TestNamesOfAnswers(t *testing.T) {
	m := &mentioning{t: t}
	s := apitest.New(t, storetest.Open(t), m)
	const first = `{"of":{"id":"acc_1","name":"Sales of org_1"},"others":null}`
	const rows = `[` + first + `,{"of":null,"others":[{"id":"acc_2","name":null},{"id":"acc_1","name":"Sales of org_1"}]}]`
	for route, want := range map[string]string{
		"GET /page": rows, "GET /either": rows, "POST /made": first, "POST /maybe": first,
		"GET /deep": `"inner":{"kind":"account","id":"acc_1","name":"Sales of org_1"},"deep":{"rows":[{"of":{"id":"usr_1","name":"Olga"},"others":null}]}`,
	} {
		m.reads = 0
		if got := s.Do(route, nil); got.Status >= 300 || !strings.Contains(got.Body, want) {
			t.Errorf("%s: %d %s", route, got.Status, got.Body)
		}
		organizations := 1
		if route == "GET /deep" {
			organizations = 2
		}
		if m.reads != organizations {
			t.Errorf("%s: %d reads of names", route, m.reads)
		}
	}
	m.reads = 0
	if s.Do("GET /none", nil).Want(200); m.reads != 0 {
		t.Error("names were read for an answer that mentions nothing")
	}
}
