package api_test

import (
	"encoding/json"
	"net/http"
	"reflect"
	"strings"
	"testing"

	"svc/app/api"
	"svc/app/api/apitest"
	"svc/app/api/perm"
	"svc/store/storetest"
)

type knownIn struct {
	Body struct {
		A    int               `json:"a"`
		B    string            `json:"b"`
		In   *knownInner       `json:"in"`
		List []knownInner      `json:"list"`
		Free map[string]string `json:"free"`
		Shut *shut             `json:"shut"`
	}
}

type knownInner struct {
	X int `json:"x"`
	Y int `json:"y"`
}

type shut struct {
	_ struct{} `additionalProperties:"false"`
	Z int      `json:"z"`
}

type echoing struct{ got knownIn }

func (e *echoing) Endpoints() []api.Endpoint {
	return []api.Endpoint{api.E("POST /echo", "x.echo", perm.OrgRead, "Echo.", func(_ *api.Call, in knownIn) (api.NoContent, error) {
		e.got = in
		return api.NoContent{}, nil
	})}
}

// TestUnknownFieldsLeaveTheBody: what an operation does not know is named, and what it
// knows arrives as it was sent, wherever the unknown stands.
func TestUnknownFieldsLeaveTheBody(t *testing.T) {
	e := &echoing{}
	s := apitest.New(t, storetest.Open(t), e)
	for body, ignored := range map[string]string{
		`{}`:                            "",
		`{"a":1}`:                       "",
		`{"u":1}`:                       "u",
		`{"u":1,"v":2}`:                 "u, v",
		`{"u":1,"a":2}`:                 "u",
		`{"a":1,"u":{"a":[1,{"a":2}]}}`: "u",
		`{"u":1,"v":",","a":2,"w":3,"b":"x","y":4}`:                  "u, v, w, y",
		"{ \"u\" : 1 ,\n\t\"a\" : 2 , \"v\" : [ ] }":                 "u, v",
		`{"u":1,"in":{"u":1,"x":2,"v":3,"y":4},"v":1,"a":5}`:         "in.u, in.v, u, v",
		`{"u":1,"list":[{"u":1},{"u":1,"x":2},{"x":1,"u":2,"y":3}]}`: "list[0].u, list[1].u, list[2].u, u",
		`{"free":{"u":"1","v":"2"},"u":1}`:                           "u",
		`{"a":1,"a":2,"u":3,"a":4}`:                                  "u",
		`{"u":1,"in":null,"list":null,"a":null}`:                     "u",
		`{"A":1,"a":2}`:                                              "A", // names are what they are, letter case and all
	} {
		e.got = knownIn{}
		a := s.Do("POST /echo", body).Want(http.StatusNoContent)
		if got := a.Header.Get("X-Svc-Ignored-Fields"); got != ignored {
			t.Errorf("%s: ignored %s, want %s", body, got, ignored)
		}
		var want knownIn
		if err := json.Unmarshal([]byte(strings.ReplaceAll(body, `"A"`, `"U"`)), &want.Body); err != nil {
			t.Fatal(err)
		}
		if !reflect.DeepEqual(e.got, want) {
			t.Errorf("%s: %+v arrived, want %+v", body, e.got.Body, want.Body)
		}
	}
	for body, says := range map[string]*api.Error{
		`{"a":1`: api.ErrInvalidJSON, `{"a":1}}`: api.ErrInvalidJSON, `{"u":tru}`: api.ErrInvalidJSON, `{"a":1} {}`: api.ErrInvalidJSON,
		`{"u":1,"shut":{"u":1}}`: api.ErrInvalid, `{"u":1,"a":"x"}`: api.ErrInvalid, `[]`: api.ErrInvalid,
	} {
		s.Do("POST /echo", body).Refused(says)
	}
	if a := s.Do("POST /echo", `{"w":1,"shut":{"u":1,"z":2}}`); !strings.Contains(a.Body, "shut.u") {
		t.Errorf("what an object refuses is named: %s", a.Body)
	}
}
