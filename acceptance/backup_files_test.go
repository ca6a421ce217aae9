package acceptance

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestConversationFileInABackup restores a conversation with a photo into another data folder:
// it is answered byte for byte. Without its file the check of the backup and the doctor of the
// running server name it.
func TestConversationFileInABackup(t *testing.T) {
	t.Parallel()
	sim := startSimulator(t, "")
	in := install(t)
	in.args = sim.args()
	in.start()
	boss := in.administer()
	boss.acceptPolicy()
	account := boss.connect(shopNumber, "", "")
	boss.do("PATCH", "/accounts/"+account, map[string]any{"inbound_enabled": true}).want(200)
	sim.restart("person @mijoz id 5000000 name \"Mijoz\"\nnow @mijoz sends photo to " + shopNumber + " saying \"Mana\"\n")
	waitFor(t, silence, "the photo of the customer", func() bool {
		list := boss.do("GET", "/ai/conversations?has_files=true", nil).want(200)
		return list.int("total") == 1 && boss.do("GET", "/ai/conversations/"+list.text("data.0.id"), nil).want(200).text("messages.0.files.0.status") == "STORED"
	})
	id := boss.do("GET", "/ai/conversations", nil).want(200).text("data.0.id")
	file := boss.do("GET", "/ai/conversations/"+id, nil).want(200).text("messages.0.files.0.id")
	photo := "/ai/conversations/" + id + "/attachments/" + file
	whole, small := boss.do("GET", photo, nil).want(200).body, boss.do("GET", photo+"?thumb=1", nil).want(200).body
	copied := filepath.Join(t.TempDir(), "backup.db")
	in.must("backup", copied)
	in.stop()

	other := install(t)
	other.args = sim.args()
	moveIn(t, in, other)
	other.must("restore", copied)
	if out := other.must("backup", "verify", copied); !strings.Contains(out, "files of conversations: 1, missing: 0\n") {
		t.Errorf("the files are there, and the check says: %s", out)
	}
	other.start()
	boss.in = other
	if got := boss.do("GET", photo, nil).want(200).body; !bytes.Equal(got, whole) {
		t.Errorf("the photo has %d bytes, of %d", len(got), len(whole))
	}
	if got := boss.do("GET", photo+"?thumb=1", nil).want(200).body; !bytes.Equal(got, small) {
		t.Errorf("its thumbnail has %d bytes, of %d", len(got), len(small))
	}
	if out, _ := other.svc("doctor"); !strings.Contains(out, "files of conversations: 1, missing: 0") {
		t.Errorf("doctor: %s", out)
	}
	if err := os.RemoveAll(filepath.Join(other.data, "inbox")); err != nil {
		t.Fatal(err)
	}
	missing := "files of conversations: 1, missing: 1: " + file
	if out, _ := other.svc("doctor"); !strings.Contains(out, missing) {
		t.Errorf("doctor without the file: %s", out)
	}
	if out := other.must("backup", "verify", copied); !strings.Contains(out, missing+"\n") {
		t.Errorf("the check without the file: %s", out)
	}
}
