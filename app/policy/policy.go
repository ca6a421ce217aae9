// Package policy decides who may get which message when: whether a person may get it
// (eligibility.go), when a sending window is open (window.go), how fast an account may
// go (pace.go), and what follows from that for a number of messages (estimate.go).
//
// It promises that each of these rules is written once: the claims of package send, the
// audiences, checks, estimates and rehearsals of campaigns and the reachability of a
// recipient all ask it. Local times mean the same everywhere: a time that does not exist
// on the day that clocks go forward is the moment at which they do, one that exists
// twice is the first (contract 4.3).
//
// It is pure: no clock and no store. It refuses to know records; who asks says what the
// rules must know of them.
package policy
