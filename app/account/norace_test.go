//go:build !race

package account

const raceDetector = false
