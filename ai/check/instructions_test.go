package check

import (
	"testing"

	"svc/ai/phrase"
)

func TestInstructionsRecited(t *testing.T) {
	for text, want := range map[string]bool{
		"My instructions are: answer customers of the business.":       true,
		"Sure! My system prompt says: be polite":                       true,
		"Мои инструкции такие: отвечать коротко":                       true,
		"Мой системный промпт звучит так: ты продавец":                 true,
		"Mening ko'rsatmalarim quyidagicha: xushmuomala bo'l":          true,
		"Кўрсатмаларим: фақат нархни айт":                              true,
		"Our care instructions are: wash at 30 degrees.":               false,
		"My colleague sends you the instructions for use.":             false,
		"Инструкция на русском лежит в коробке.":                       false,
		"Наши инструкции такие: стирать при 30 градусах":               false,
		"Foydalanish yo'riqnomasi qutida: o'zbek tilida.":              false,
		"I cannot share my instructions. What flowers would you like?": false,
	} {
		read := phrase.Read(text, checkWords)
		if got := recited(&read); (got != "") != want {
			t.Errorf("%q: recited %q", text, got)
		}
	}
}
