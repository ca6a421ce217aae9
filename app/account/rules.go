package account

import (
	"strconv"

	"svc/app/api"
	"svc/app/setting"
)

// maxInterval bounds the gap between two sends, in seconds: a day.
const maxInterval = 86_400

// checkPacing refuses values out of the platform's bounds.
func checkPacing(set setting.Settings, dailyLimit, minInterval int) error {
	wrong := map[string]string{}
	if dailyLimit < 1 || dailyLimit > set.MaxDailyLimit {
		wrong["daily_limit"] = "must be from 1 to " + itoa(set.MaxDailyLimit)
	}
	if minInterval < set.MinIntervalFloor || minInterval > maxInterval {
		wrong["min_interval_seconds"] = "must be from " + itoa(set.MinIntervalFloor) + " to " + itoa(maxInterval)
	}
	if len(wrong) > 0 {
		return api.WrongFields(wrong)
	}
	return nil
}

// Pacing is what holds of an account's pace: how many campaign and test messages it sends a
// UTC day at most, and the seconds between two at least. Those are its own values within
// the bounds of the platform (contract 36); out of them they are kept,
// and hold again when the bounds allow it.
func (a *Account) Pacing(set *setting.Settings) (dailyLimit, interval int) {
	return min(a.DailyLimit, set.MaxDailyLimit), max(a.MinInterval, set.MinIntervalFloor)
}

func itoa(n int) string { return strconv.Itoa(n) }
