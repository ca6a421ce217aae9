package web_test

import (
	"testing"

	"svc/web/webtest"
)

// TestAssignNamesSomebody: nobody loses a conversation to a body without user_id, or with another
// name for it; null says that nobody has it (contract 22).
func TestAssignNamesSomebody(t *testing.T) {
	s := openShop(t, webtest.Options{})
	id := s.api.Do("POST /ai/conversations/simulate", map[string]any{
		"account_id": s.account, "customer": map[string]any{"name": "Lola", "username": "demo_user_7"}, "text": "Salom",
	}).Want(200).String("conversation_id")
	for _, body := range []map[string]any{{}, {"assigned_user_id": nil}} {
		s.api.Do("POST /ai/conversations/"+id+"/assign", body).Want(422)
	}
	s.api.Do("POST /ai/conversations/"+id+"/assign", map[string]any{"user_id": nil}).Want(200)
}
