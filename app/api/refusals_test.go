package api_test

import (
	"encoding/json"
	"slices"
	"strconv"
	"testing"

	"github.com/danielgtaylor/huma/v2"

	"svc/app/api"
	"svc/app/api/perm"
)

// TestCodes: what an operation can answer follows from its permission, its path, its
// body and what it says of itself.
func TestCodes(t *testing.T) {
	type withBody struct{ Body thing }
	none := func(*api.Call, struct{}) (thing, error) { return thing{}, nil }
	of := map[string]api.Endpoint{
		"public read":   api.E("GET /public/x", "x.a", perm.Public, "Read.", none),
		"public change": api.E("POST /public/x", "x.b", perm.Public, "Change.", none),
		"sign in":       api.E("POST /auth/x", "x.c", perm.Public, "Enter.", func(*api.Call, withBody) (thing, error) { return thing{}, nil }, api.InMaintenance()),
		"signed in":     api.E("GET /me", "x.d", perm.Anyone, "Read.", none, api.BeforeMFA()),
		"read": api.E("GET /x/{id}", "x.e", perm.RecipientsRead, "Read.", func(*api.Call, struct {
			ID string `path:"id"`
		}) (thing, error) {
			return thing{}, nil
		}),
		"create": api.E("POST /x", "x.f", perm.RecipientsManage, "Create.", func(*api.Call, withBody) (thing, error) { return thing{}, nil }),
		"file":   api.E("GET /file", "x.g", perm.Administrator, "Download.", func(*api.Call, struct{}) (api.Blob, error) { return api.Blob{}, nil }, api.Timeout(0)),
	}
	for name, want := range map[string][]string{
		"public read":   {"internal_error", "rate_limited", "timeout"},
		"public change": {"internal_error", "maintenance_mode", "rate_limited", "timeout"},
		"sign in":       {"file_too_large", "internal_error", "invalid_json", "origin_rejected", "rate_limited", "timeout", "unsupported_media_type", "validation_failed"},
		"signed in":     {"internal_error", "invalid_credentials", "plan_limit_reached", "rate_limited", "timeout", "unauthenticated"},
		"read": {"forbidden", "internal_error", "invalid_credentials", "mfa_required", "no_organization", "not_found", "plan_limit_reached",
			"rate_limited", "timeout", "unauthenticated", "validation_failed"},
		"create": {"file_too_large", "forbidden", "idempotency_conflict", "internal_error", "invalid_credentials", "invalid_json", "maintenance_mode", "mfa_required",
			"no_organization", "organization_suspended", "origin_rejected", "plan_limit_reached", "rate_limited", "support_read_only", "timeout", "unauthenticated",
			"unsupported_media_type", "validation_failed"},
		"file": {"forbidden", "internal_error", "invalid_credentials", "mfa_enrollment_required", "mfa_required", "plan_limit_reached", "precondition_failed",
			"range_not_satisfiable", "rate_limited", "support_session", "unauthenticated"},
	} {
		if e := of[name]; !slices.Equal(e.AllCodes(), want) {
			t.Errorf("%s:\ngot  %q\nwant %q", name, e.AllCodes(), want)
		}
	}
}

// TestExamplesOfRefusals: that of a status has a code that the operation lists and that
// the status has.
func TestExamplesOfRefusals(t *testing.T) {
	_, a := serve(owner)
	kinds := map[string]string{
		"invalid_json": "400", "unauthenticated": "401", "forbidden": "403", "origin_rejected": "403", "not_found": "404", "idempotency_conflict": "409",
		"file_too_large": "413", "unsupported_media_type": "415", "validation_failed": "422", "rate_limited": "429", "busy": "429", "internal_error": "500",
		"maintenance_mode": "503", "timeout": "503",
	}
	for path, item := range a.OpenAPI().Paths {
		for _, op := range []*huma.Operation{item.Get, item.Post, item.Patch, item.Delete} {
			if op == nil {
				continue
			}
			codes, _ := op.Extensions["x-svc-errors"].([]string)
			for status, answer := range op.Responses {
				if n, _ := strconv.Atoi(status); n < 400 {
					continue
				}
				var example struct {
					Error struct{ Code, Message string }
				}
				data, err := json.Marshal(answer.Content["application/json"].Example)
				if err == nil {
					err = json.Unmarshal(data, &example)
				}
				code := example.Error.Code
				if err != nil || kinds[code] != status || !slices.Contains(codes, code) || example.Error.Message == "" {
					t.Errorf("%s %s: the example of %s is %s (%v); listed are %v", op.Method, path, status, data, err, codes)
				}
			}
		}
	}
}

// TestExamplesOfWhatIsNoJSON: a page, an export and a file have one too.
func TestExamplesOfWhatIsNoJSON(t *testing.T) {
	_, a := serve(owner)
	for path, kind := range map[string]string{"/page": "text/html", "/export": "text/plain"} {
		if m := a.OpenAPI().Paths[path].Get.Responses["200"].Content[kind]; m == nil || m.Example == nil {
			t.Errorf("%s has no example", path)
		}
	}
}
