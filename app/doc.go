// Package app is the messaging service put together, and the map of the house for the
// next person. What connects the slices is here (app.go), what they share is in app/api; the
// folders are what the product promises its users, one promise (a slice) a folder.
//
// # Rooms
//
// The product:
//
//	app          the list of slices over one store: opening, running, cleanup
//	main.go      the program: web/wiring makes its parts
//	web/wiring   makes the parts, hands them to each other and to the commands
//	app/cli      the commands, one file each, and the configuration they share
//	app/cli/doctor   looks at everything that a server would use
//	app/cli/files    the setting --files, and a command that moves files
//	app/cli/mapfile  svc map inspect, publish, explain: what an index file has, who gets it
//	app/cli/outside     settings of outside networks
//	app/cli/seller      measures the rules of the seller, and a model, on labelled messages
//	app/cli/usage       what commands in folders of their own share
//	app/cli/database    copies a database from a file to a server, and back
//	app/cli/memory      how much memory the process may use
//	app/cli/terminal    what commands draw for people: progress and tables
//	app/api      the vocabulary of every operation of the messaging service: the
//	             endpoint line, Call, Error, Page, Patch, the state table
//	app/api/cell texts in the cells of a table that a spreadsheet opens
//	app/api/perm the permission matrix as data
//	app/api/schema  the description of bodies: what their schemas are called, what may be null, examples
//	app/api/unknown the fields of a body that its schema does not know
//	app/api/replay  answers that are repeated for their Idempotency-Key
//	app/signal   needs that point upward, in one transaction
//	app/module   how a slice is registered: tables, operations, jobs, cleanup, what it offers
//	app/audit    who changed what, in chains
//	app/event    what organizations are told
//	app/mail     mail to people, when there is a mail server
//	app/mail/smtp  the client of mail servers
//	app/setting  the settings of the platform
//	app/notify   what people must know
//	app/user     people: passwords, two-factor
//	app/org      organizations, members, roles, plans, limits
//	app/session  signing in, who is calling, two-factor, links for passwords and addresses
//	app/hook     signed webhooks and their deliveries
//	app/anchor   the ends of the audit chains, published outside of the database
//	app/recipient  recipients, consent, lists, history; who is opted out
//	app/content  templates, attachments, preview
//	app/account  messenger accounts: status, pace, health, activity; puts together what is below it
//	app/send     the one way out: claims, pacing, test messages, send jobs, figures
//	app/campaign campaigns: life, launch, planning, series
//	app/inbox    conversations: reading and answering what customers write
//	app/business/texts  one text in each language of a business
//	app/business/stages  the funnel that a new business begins with
//	app/business/hours  when a business is open, and when it opens next
//	app/business/booking  how soon, how far ahead, for how long a business is booked
//	app/business/price  sums of money, exact and as people write them
//	app/business/pricelist  tables of offers as rows: CSV and XLSX
//	app/business  businesses, offers, funnels, personas, profiles, seller settings
//	app/engine   AI providers, agents, prompts, executions, costs; puts together what is below it
//	app/seller   what the AI seller does with conversations, and what it leaves there
//	app/seller/answer  decides what a customer wants, and writes and checks an answer
//	app/seller/turn  answers what customers write: owed, claimed, acted on
//	app/seller/playground  tries the seller; nothing is sent or remembered
//	app/seller/decision  what was decided about each turn, and by whom
//	app/seller/draft  texts that the AI proposes and people send
//	app/seller/lead  what conversations may become: stages, values, the pipeline
//	app/seller/memory  facts of customers, and what their conversations are about
//	app/seller/shadow  what the next level would have sent, beside what people send
//	app/seller/figure  sums of what the seller and people did with conversations
//	app/quality  how good the seller is: the quality gate and what is put together below
//	app/quality/feedback  what people say of what the AI wrote, and its review
//	app/quality/dataset  conversations with what a good answer has, without personal data
//	app/quality/grade  whether an answer is as an item expects
//	app/quality/judge  what a language model says of answers, and how far it is believed
//	app/quality/evaluation  runs of the seller over datasets, and the gate of prompt versions
//	app/quality/experiment  versions of a prompt compared on conversations of customers
//	app/channel  accounts of outside networks: consent, tokens, health, webhooks
//	app/automation  rules that answer comments in private
//	app/jev      the outside decision service of an organization
//	app/calendar  the calendar of an organization: consent, actions, what reaches it once
//	app/knowledge  sources of knowledge and searching them; puts together what is below it
//	app/admin    administration of the platform
//	app/admin/disk  how much room the data folder has
//	app/account/connection  connects accounts, keeps them online, hands what arrives to the inbox
//	app/account/login  sign-ins of accounts: steps, states, attempts
//	app/account/proxy  proxies: records, imports, checks, who may use which
//	app/account/line  the line formats in which proxies are sold
//	app/send/testmessage  test messages from one account to one person
//	app/send/figures  how messages went: by the hour, of a campaign, of an organization
//	app/campaign/record    what is kept of campaigns, and how they are found
//	app/campaign/targeting whom a campaign is for, and what each of them would get from which account
//	app/campaign/workload  app/campaign/inspect  what its accounts have to send; the facts that the checks look at
//	app/campaign/check  the checks before a launch: verdicts over facts that were gathered
//	app/campaign/rehearse  a campaign on a virtual clock, against a model of the platform
//	app/campaign/rehearsal  app/campaign/results  keeps the last rehearsal; what came of a campaign
//	app/campaign/schedule  when a repeating campaign runs next
//	app/inbox/channel  the interface by which the inbox knows a network; the messenger's
//	app/inbox/conversation  conversations and messages: records, lists, states
//	app/inbox/intake  what arrives, into conversations, in the transaction in which it arrives
//	app/inbox/reply  may somebody be answered now; what goes out
//	app/inbox/file  files of conversations: fetched, kept, served; uploads for replies
//	app/inbox/network  the photo and the page network: what arrives, parts that are proven
//	app/inbox/history  imports of the history of an account
//	app/inbox/handoff  requests that a person answers a conversation
//	app/engine/agent   the jobs that language models do, and how each is set
//	app/engine/model   what can be asked of which model, and at what price
//	app/engine/provider  providers with their keys, their health, and what a test finds
//	app/engine/prompt  the prompts of agents, in versions
//	app/engine/chain   which models an agent asks
//	app/engine/budget  limits, what is spent and reserved, the sums of costs
//	app/engine/execution  runs of models: planned, opened, asked, settled, and kept
//	app/engine/compose  a model writes the text of a message
//	app/calendar/slot  when a business can be booked
//	app/session/apikey   keys of programs and the access tokens that stand for them
//	app/session/guess    makes whoever guesses passwords wait
//	app/session/notice   notifications by mail, and what concerns the security of an account
//	app/session/passkey  signing in with passkeys
//	app/session/support  looks of administrators at organizations, and what was looked at
//	app/session/consent  the consent pages of outside services: state, way back
//	app/knowledge/source  sources of knowledge in versions of chunks, published whole
//	app/knowledge/ingest  reads sources into chunks, in the background
//	app/knowledge/research  looks something up in the web for people
//	app/knowledge/vector  vectors of chunks and questions, where a provider makes them
//	app/knowledge/gap     questions of customers that nothing answered
//	app/knowledge/index   searches what is published, in memory, on every node
//	app/insight   what conversations were about
//	app/insight/dimension  what conversations are classified by and measured in
//	app/insight/cases      cases of each dimension, written by people or found by grouping
//	app/insight/sums       what boards add up, by day, business and channel
//	app/insight/analysis   the analysis of each conversation
//	app/insight/board      boards over the sums
//	app/insight/story      prose about boards, proven against them
//	app/insight/backfill   analyses of conversations of the past
//	app/social    what accounts show to the public, and what it is about
//	app/social/post      posts, comments, pictures, who follows, and their sums
//	app/social/sync      reads accounts, again and again
//	app/social/classify  topic, mood and flags of texts, many at once
//	app/social/boards    boards over the sums
//	app/inbox/note  what colleagues write to each other beside a conversation
//	app/inbox/push  shows people on their devices what the inbox wants of them
//	app/inbox/push/webpush  bodies and tokens of Web Push
//	app/inbox/view  filters of the inbox that somebody saved
//	app/policy   who may get which message when: eligibility, windows, pace, estimates
//	app/recipient/audience  who is meant by lists, tags and conditions; whom messages reach
//	app/recipient/imports   files and records that become recipients
//	app/recipient/optout    the link and the page that end messages; operations on the suppression list
//	app/recipient/suppression  the list of those who are never written to
//	app/recipient/field  one value of a recipient: reading, bounds; the beginnings of names
//	app/recipient/sheet  uploads of people as rows: CSV, XLSX, JSON, in any usual encoding
//	app/content/markup   formatted text as messengers take it
//	app/content/media    what a file is, from its bytes
//	app/vault    sealed files in a folder of this machine, or in one that servers share
//	app/vault/bucket  the same in a bucket of an S3-compatible store
//	app/mapshare    publishes maps for several servers, and fetches what is published
//	app/overview the organization at one glance
//	app/local    commands of the machine for the server that runs
//	app/mapkey    API keys, origins, rates, quotas, usage metering
//	app/mapkey/origin   where a request comes from, and allowlists
//	app/mapkey/managed  map keys that administrators make, in the store
//	messenger    the narrow interface of a way to reach people
//	messenger/telegram   the driver, over MTProto
//	messenger/telegram/dial    the way to a data centre: directly or through a proxy
//	messenger/telegram/fault   what an error of the messenger means
//	messenger/telegram/cursor  how far the updates of an account were taken
//	messenger/telegram/entity  formatted text, between the messenger and this service
//	messenger/platform         the words of outside networks
//	messenger/platform/graph   what the photo and the page network share on the wire
//	messenger/platform/photo   the photo network
//	messenger/platform/page    the page network
//	messenger/platform/calendar  the outside calendar
//	messenger/platform/sim     a server of the networks and the calendar that reaches nobody
//	messenger/platform/sim/calendar  messenger/platform/sim/video  its calendar; the wire of its video network
//	messenger/platform/sim/rule  messenger/platform/sim/answer  its scenes that wait for their moment; how its servers answer
//	messenger/platform/video   the video network
//	messenger/simulator  a server of that protocol which reaches nobody
//	messenger/simulator/mtp    its wire
//	messenger/simulator/world  its phones, accounts and what clients see of them
//	messenger/simulator/world/record  messenger/simulator/world/journal  what is written down of them; the folder that keeps it
//	messenger/simulator/world/scene    the language that says what happens, and its rules
//	messenger/simulator/world/sample  messenger/simulator/world/srp  files that its people send; the proof of a password
//	geo/osm      reads OpenStreetMap extracts (.osm.pbf)
//	geo/buildkit what the builds of index and tiles share: progress, seconds, memory
//	geo/osmtags  what the tags of an object mean: names, what is stored, importance
//	geo/mapbuild turns extracts into an index file
//	geo/index    the index file: format, writing, opening, verifying
//	geo/tile     numbers of tiles, and the plane that they are cut from
//	geo/plane    integer geometry: cut, simplify, clean, join, a point inside
//	geo/mvt      writes one vector tile
//	geo/shortbread  the tile schema: what an object becomes, and from which zoom on
//	geo/coast    coastlines into the sea; the world beyond the extract
//	geo/nodes    where the nodes of extracts stand
//	geo/tagset   numbers for sets of attributes
//	geo/tilesort brings records into the order of tiles, in bounded memory
//	geo/tilebuild   turns extracts into a tile archive
//	geo/outfile  writes a file whole or not at all
//	geo/pmtiles  the tile archive: writing, opening
//	geo/mbtiles  tile archives of others, in SQLite
//	geo/tileset  one archive while it serves
//	geo/terrain  heights out of an archive of elevation images
//	geo/live     keeps an index open while it serves and swaps it for a newer one
//	geo/entry    what searching by words and by place share about entries
//	geo/reading  takes a query apart: readings of what it may ask for
//	geo/spelling words that are declined or have one letter wrong
//	geo/search   finds by words: search, autocomplete, categories
//	geo/search/trait   what a category counts in ranking
//	geo/search/bitmap  sets of small numbers
//	geo/geocode  answers many questions: by text or by fields, with a score; CSV files
//	geo/around   finds by place: reverse, lookup, nearby, districts
//	geo/result   the shapes of the answers: result, details, label, address
//	geo/text     normalisation of names and queries, trigrams, house numbers
//	geo/text/script  letters of Uzbek and Russian in both scripts, tokens, skeletons; ai uses it too
//	geo/category the category table
//	geo/hours    opening hours, with seasons, holidays and the sun
//	geo/country  in which country a point lies
//	geo/geom     coordinates, distances, Hilbert order, simplification
//	geo/ring     polygons from the members of relations
//	geo/admin    administrative levels
//	geo/photo    photos of places, from two outside hosts, with a disk cache
//	geo/route    routes, matrices, isochrones, trips, tracks: client of the routing engine, its words in Uzbek
//	web          the HTTP house: ids, log, figures, safety net, start and stop, the page
//	web/apiv1    the door of the messaging service: callers, rates, repeats, the document
//	web/simworld  the pages of simulated networks, for people who are signed in
//	web/welcome  the pages that one-time links lead to: first person, invitation
//	web/hookclient  sends webhooks, and nowhere it must not
//	web/gate     the key check in front of the map's paths, and the usage report
//	web/mapapi   the handlers of /api/*
//	web/mapcompat  /photon/* and /nominatim/*: answers for programs written for those two
//	web/maptiles the handlers of /tiles/* and /terrain/*
//	web/mapstyle the handlers of /fonts/*, /sprites/* and /styles/*
//	web/mapbundle   the browser bundle at /v1/* and the app shell at /
//	web/console  the console at /console/
//	web/reply    answers that exist already: encodings, entity tags, base address
//	ai           one interface over providers of language models: requests, answers, faults
//	ai/wire      the one HTTP request of a call, and what an error body says
//	ai/openai    the chat completions interface: OpenAI and compatible servers
//	ai/anthropic the Messages interface
//	ai/google    the interface of Gemini
//	ai/demo      a model without a model, for demonstrations
//	ai/providers opens a provider by its kind
//	ai/router    asks the models of a chain: cool-offs, slots, repairs
//	ai/catalog   models and prices, dated
//	ai/lang      language and script of a text, numbers in digits and words, money, dates
//	ai/signals  ai/mask  what a message asks for beside its subject: stop, a person; personal data
//	ai/measure   labelled messages beside the rules, or rules and a model: precision, recall
//	ai/phrase    the words of a text with places, clauses and classes, for rules that look at words
//	ai/decide    what a message of a customer is, and what should follow
//	ai/cluster   groups texts that are alike
//	ai/narrative proves what a text says about figures
//	ai/chunk     cuts texts of knowledge into chunks
//	ai/rank      finds the chunks that answer a question: keywords, glossary, fusion
//	ai/document  text of files: PDF, DOCX, HTML, plain; within bounds
//	ai/web       fetches pages of the web and makes their text, robots.txt
//	ai/search    asks search engines of the web
//	ai/facts  ai/facts/word  ai/ground  facts in texts; what their words say; whether sources say them
//	ai/check     judges a reply before it is sent; whether a persona claims to be a person
//	ai/simulator speaks the wire of the providers without one
//	store        records and indexes of the messaging service, in one file
//	store/internal/layout  store/internal/numbers  keys and values; sets of the numbers of records
//	store/internal/buffer  store/internal/keyring  writes kept back until a commit; the keys of what is sealed
//	store/internal/check  store/internal/prepare  store/internal/clock  proves that all agrees; upgrades by one; shared time
//	store/internal/catalog  store/internal/backup  what a file says about itself; backups as files
//	store/internal/record  store/internal/index  store/internal/query  records without types; what stands beside them; lists
//	store/masterkey  reads the key of what is sealed: a file, a credential, a command
//	store/kv     the ordered keys beneath: transactions, on disk or in memory
//	store/kv/postgres  the same keys on a server that several processes share
//	store/kv/group   makes one commit of the updates that wait
//	store/kv/digest  sums up pairs of keys and values
//	store/kv/message  passes on what updates tell
//	store/kv/bitset  the stored form of sets of small numbers
//	store/kv/pages   walks the pages of a file of which nothing is trusted
//	store/kv/files   files that are made as a whole, and made durable
//	store/recordid  the ids of records
//	store/transfer  store/offline  copies a database between engines; restores and compacts files
//	store/coord  the processes that share a store: who is alive, leases, periodic work, messages
//	store/dispatch  shares out durable work by key among them: claims, fencing, pauses
//	store/queue  jobs in the same file: due times, workers, retries
//	embed        what the binary carries: embed/assets (fonts, sprites, styles, the
//	             world beyond the extract), embed/sdk (bundle and app shell) and
//	             embed/console (the console)
//
// What proves it. The product never imports these:
//
//	messenger/messengertest  what every driver must pass, and real proxies
//	messenger/platform/platformtest  what every outside network must do
//	messenger/simulator/simtest  a simulator for a test, and the driver over it
//	geo/osm/osmtest  where tests find real extracts, and what happens without them
//	ai/aitest    what every provider of language models must pass
//	store/kv/postgres/pgtest  a PostgreSQL server for tests
//	store/storetest  a store for a test, checked when the test ends
//	app/mail/mailtest  a mail server for a test, which keeps every mail
//	app/api/apitest  runs operations of one slice with a caller of the test's choice
//	app/session/passkeytest  an authenticator for passkeys, in software
//	geo/geotest      tests of build, search and around as text: geo/testdata/*.geo
//	                 draw a map, ask it, and hold the answers
//	web/webtest      tests of the HTTP surface as text: web/testdata/*.txt are
//	                 requests and answers against a real server
//	web/webtest/fakes    the hosts outside of a server under test, which can be told to fail
//	web/webtest/described  answers of the API against its own description
//	web/webtest/compare  expected and actual answers: JSON with holes, forms, texts
//	web/webtest/town     map extracts drawn by a story
//	acceptance       the whole program: commands as scripts, load, kills, stops, strangers, backups
//	arch_test.go     the rules of the house
//	houserules       rules about documents, names, operations and goroutines, for arch_test.go
//	bench            figures beside their targets and beside other engines, a module of its own
//	tools            the pinned development tools, a module of their own, and the scripts
//	                 of the Makefile; tools/race.txt: where the race detector looks
//	release          licences of what is shipped; tests of signatures and vulnerability checks
//	deploy           an example of running the image that Containerfile makes
//
// # Imports go down
//
//	main → web → app → {ai, messenger, geo, store}
//
// The engines ({ai, messenger, geo, store}) never import each other, but for geo/text/script,
// a pure leaf that ai builds on. embed is imported by
// web, app and the wiring only. A slice of app may import the slices before it in the list of
// arch_test.go (slicesOfApp), never one after. A need that points upward is a signal
// (app/signal), which runs in the same transaction.
//
// Nothing in app imports net/http: what a promise means does not depend on how
// it is asked for. That holds for app/cli too. It is no exception to the order
// although `svc serve` is one of its commands: web/wiring hands the commands what
// they start (cli.Parts), so app/cli never sees package web. Engines may call others over HTTP (geo/photo, geo/route and the
// providers of ai are clients), but only web serves: outside web, no file of the product mentions
// http.Handler, http.Server or http.ResponseWriter. arch_test.go enforces all of
// this by reading the files.
//
// # A request
//
//	web.identify   gives it an id (X-Request-Id)
//	web.linger     lets a refusal arrive while the client still sends its body
//	web.observe    measures it and writes one log line without its query
//	web.recover    turns a panic, or a page fault of a truncated map, into one 500
//	gate.Wrap      cleans the path, sets CORS, checks the key, counts
//	web.route      sends the path to its owner
//	mapapi         reads parameters leniently, holds one map for the whole request
//	geo/search     finds by words, geo/around by place; geo/result shapes the answer
//
// And of the messaging service:
//
//	apiv1.guard    who calls (session.Identify), rates, origin, permission, maintenance
//	apiv1.replay   repeats the answer of an Idempotency-Key
//	api.E          decodes and checks the input, calls the handler, writes the answer
//	a slice        one transaction: the record, its audit entry, its event, its jobs
//	queue, hook    do what is slow afterwards: imports, deliveries
//
// # Words
//
// docs/glossary.md has all of them. Of the map:
//
//	area          an administrative polygon, used for containment
//	billable      an admitted request of any product but meta
//	entry         one thing that can be found, with an id that lives as long as one index file
//	extract       a part of the map database as a file, .osm.pbf
//	gate          what stands in front of the map's paths: key, origin, rate, quota, counting
//	index, map    the file FILE.svcmap that `svc map build` writes and the server maps into memory
//	key           what a program shows to be let in; its holder is the record in the key file
//	kind          place, street, poi, address or nature
//	mapsrc        the reference to the object in the map database: a letter and a number
//	outcome       what the gate decided about one request
//	product       what a request is metered as: tiles, search, geocoding, places, ...
//	rank          importance of an entry, from 0.02 to 1, made at build time
//	report        FILE.report.json beside an index: what the build found and left out
//	skeleton      a name reduced to its consonants, equal for different spellings and scripts
//	stage         one way of matching: exact, fuzzy, mixed, trigram
//
// # To change something
//
//	to change                     edit                                    verify with
//	a flag or a default           app/cli/settings.go, config.example.yaml go test ./app/cli
//	a command                     app/cli, one file each                  go test ./app/cli ./acceptance
//	who is let in                 app/mapkey                               go test ./app/mapkey ./web/gate
//	words or headers of refusals  web/gate                                go test ./web/gate ./web
//	a category, its synonyms      geo/category/categories.json            go test ./geo/category ./geo/geotest
//	how names are compared        geo/text                                go test ./geo/text ./geo/geotest
//	what a query may mean         geo/reading                             go test ./geo/reading ./geo/geotest
//	how results are ordered       geo/search                              go test ./geo/geotest
//	what is found at a place      geo/around                              go test ./geo/geotest
//	what becomes an entry         geo/mapbuild                            go test ./geo/mapbuild ./geo/geotest
//	the index format              geo/index (raise its version)           go test ./geo/index ./geo/live
//	opening hours                 geo/hours                               go test ./geo/hours
//	a parameter, an answer        web/mapapi, geo/result, README.md       go test ./web/mapapi ./geo/result ./web
//	the hosts of photos           geo/photo/upstream.go                   go test ./geo/photo
//	a page of the console         embed/console (its README.md)           make test; go test ./web/e2e -run Console
//	logs, ids, figures, stopping  web                                     go test ./web
//	the page                      embed/app/index.html                    go test ./web; make run
//	an operation                           its slice's api.go                      go test ./app/SLICE ./web -run Messaging
//	who may call it                        app/api/perm, the line of the operation go test ./web -run WhoMayCall (-update, read)
//	what an operation answers              its slice, web/testdata/messaging       go test ./web -run Messaging (-update, read)
//	a record                               its slice; app/app.go for a migration   go test ./app/SLICE ./store
//	a plan, a limit                        app/org/limits.go                       go test ./app/org
//	a kind of event                        app/event/types.go                      go test ./app/event
//	a mail, its words                      app/mail/words.go, notices.json         go test ./app/mail ./app/notify
//	rates, origins, repeats                web/apiv1                               go test ./web/apiv1
//	what imports what             arch_test.go, this file                 go test .
//	a rule of the contract        docs/contract, and the code that cites it   go test -run HouseRules .
//	the image, how it is run      Containerfile, deploy                   go test ./app/cli -run Container
//	what CI runs, a release       .ci/run, Makefile, tools, release       go test ./release/...; go test -run Race .
//
// The answers in geo/testdata and web/testdata are rewritten by
// `go test ./geo/geotest -update` and `go test ./web -update`; read the diff.
//
// `make test` runs everything, `make check` the linters, `make bench` the figures.
package app
