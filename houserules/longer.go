package houserules

// longerHandlers are operations whose handlers are longer than maxHandler, each with the lines
// that it may have. The list only becomes shorter.
var longerHandlers = map[string]int{}
