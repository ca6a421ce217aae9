//go:build race

package account

const raceDetector = true
