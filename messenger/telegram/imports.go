// Package telegram is a placeholder until its driver lands.
package telegram

import (
	_ "github.com/gotd/td/telegram"
	_ "github.com/gotd/td/telegram/updates"
	_ "github.com/gotd/td/telegram/updates/hook"
	_ "github.com/gotd/td/telegram/uploader"
	_ "github.com/gotd/td/telegram/downloader"
	_ "github.com/gotd/td/mtproxy/obfuscated2"
	_ "github.com/gotd/td/transport"
	_ "github.com/gotd/td/exchange"
	_ "golang.org/x/net/proxy"
	_ "github.com/nyaruka/phonenumbers"
	_ "github.com/teambition/rrule-go"
)
