// Package rank finds the chunks of knowledge that answer a question: keywords with BM25
// over an analyzer of Uzbek, Russian and English, a glossary of what customers ask for
// that crosses languages, and the fusion with a second list, which may come from vectors.
//
// It promises that both scripts of Uzbek are one language, that a search sees the chunks of
// a source whole, as they were put or not at all, the same answer for the same chunks and
// question, and bounded work: MaxQuery bytes and maxTokens words of a question.
//
// It refuses to read sources, to ask models and to keep anything beyond memory: an Index
// is made again from the chunks that are stored.
package rank
