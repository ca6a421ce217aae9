package hours

import (
	"math"
	"time"
)

// event is a moment of the day that the sun decides; clockTime is none.
type event uint8

const (
	clockTime event = iota
	sunrise
	sunset
	dawn
	dusk
)

// Where is the place whose hours are read. The zero value is nowhere: what depends on
// the sun or on holidays is unknown then.
type Where struct {
	Lat, Lon float64 // degrees
	Country  string  // two capital letters, "" when nobody knows
}

// altitudes of the sun at the events, in degrees: its upper edge on the horizon, with
// refraction, and civil twilight.
var altitudes = map[event]float64{sunrise: -0.833, sunset: -0.833, dawn: -6, dusk: -6}

// minuteOf is when an event happens on a day, in minutes from midnight; ok is false
// nowhere, and where the sun does not rise or set that day. The formulas are those of
// NOAA's solar calculator, right to a minute or two.
func minuteOf(e event, date time.Time, w Where) (minute int, ok bool) {
	if w.Lat == 0 && w.Lon == 0 {
		return 0, false
	}
	// Days since 2000-01-01 12:00 UTC, at noon of the place.
	d := float64(date.Unix())/86400 - 10957 - w.Lon/360
	century := d / 36525
	rad := math.Pi / 180
	meanLon := math.Mod(280.46646+century*36000.76983, 360)
	anomaly := (357.52911 + century*35999.05029) * rad
	center := math.Sin(anomaly)*(1.914602-century*0.004817) + math.Sin(2*anomaly)*0.019993
	lon := (meanLon + center - 0.00569) * rad
	tilt := (23.439 - 0.0130*century) * rad
	declination := math.Asin(math.Sin(tilt) * math.Sin(lon))
	y := math.Tan(tilt/2) * math.Tan(tilt/2)
	l := meanLon * rad
	const eccentricity = 0.016709
	equation := 4 / rad * (y*math.Sin(2*l) - 2*eccentricity*math.Sin(anomaly) + 4*eccentricity*y*math.Sin(anomaly)*math.Cos(2*l))
	cos := math.Sin(altitudes[e]*rad)/(math.Cos(w.Lat*rad)*math.Cos(declination)) - math.Tan(w.Lat*rad)*math.Tan(declination)
	if cos < -1 || cos > 1 || math.IsNaN(cos) {
		return 0, false
	}
	half := 4 * math.Acos(cos) / rad
	noon := 720 - 4*w.Lon - equation + zoneMinutes(w.Lon)
	if e == sunrise || e == dawn {
		half = -half
	}
	return int(math.Round(noon + half)), true
}

// zoneMinutes is the offset of the clock by which hours are read: that of Tashkent in
// its surroundings, elsewhere that of the meridian, so that the sun rises in the morning.
func zoneMinutes(lon float64) float64 {
	if lon >= 45 && lon <= 90 {
		return 5 * 60
	}
	return math.Round(lon/15) * 60
}
