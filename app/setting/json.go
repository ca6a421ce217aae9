package setting

import (
	"encoding/json"
	"maps"
	"slices"
	"strconv"

	"svc/app/audit"
)

// overlay writes the values of set over s.
func overlay(s *Settings, set map[string]any) error {
	if len(set) == 0 {
		return nil
	}
	data, err := json.Marshal(set)
	if err != nil {
		return err
	}
	return json.Unmarshal(data, s)
}

func fields(s Settings) map[string]any {
	var out map[string]any
	data, err := json.Marshal(s)
	if err == nil {
		err = json.Unmarshal(data, &out)
	}
	if err != nil {
		panic(err) // plain values
	}
	return out
}

// differences are the settings that changed, for the audit log.
func differences(before, after Settings) (out []audit.Detail) {
	was, is := fields(before), fields(after)
	for _, name := range slices.Sorted(maps.Keys(is)) {
		out = append(out, audit.Changed(name, was[name], is[name]))
	}
	return out
}

func itoa(n int) string { return strconv.Itoa(n) }
