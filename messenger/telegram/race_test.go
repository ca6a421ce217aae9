//go:build race

package telegram_test

const raceDetector = true
