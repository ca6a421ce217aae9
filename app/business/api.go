package business

import (
	"svc/app/api"
	"svc/app/api/perm"
)

const (
	read   = perm.AIRead
	manage = perm.AIManage
)

// Endpoints are the operations of the slice.
func (s *Service) Endpoints() []api.Endpoint {
	taken, busy := api.Errors(api.ErrConflict), api.Errors(api.ErrState)
	return []api.Endpoint{
		api.E("GET /ai/businesses", "businesses.list", read, "List businesses.", s.list),
		api.E("POST /ai/businesses", "businesses.create", manage, "Create a business with a default funnel.", s.create, api.Errors(api.ErrPlanLimit, api.ErrConflict)),
		api.E("GET /ai/businesses/{id}", "businesses.get", read, "Read a business.", s.get),
		api.E("PATCH /ai/businesses/{id}", "businesses.update", manage, "Change a business, archive it or bring it back.", api.Write(s.db, s.update), taken),
		api.E("DELETE /ai/businesses/{id}", "businesses.delete", manage, "Delete a business with its offers, funnels, identities and settings.", api.Write(s.db, s.remove)),

		api.E("GET /ai/businesses/{id}/offers", "offers.list", read, "List what a business offers, the highest priority first, or export it as CSV.", s.listOffers),
		api.E("POST /ai/businesses/{id}/offers", "offers.create", manage, "Add an offer.", s.createOffer, taken),
		api.E("POST /ai/businesses/{id}/offers/import", "offers.import", manage, "Import a CSV file or a workbook of offers; those that have its names are changed.", s.importOffers,
			api.MaxBody(maxImportBody), api.Errors(api.ErrConflict, errImportSize, api.ErrInvalidUpload)),
		api.E("PATCH /ai/offers/{id}", "offers.update", manage, "Change an offer.", api.Write(s.db, s.updateOffer), taken),
		api.E("DELETE /ai/offers/{id}", "offers.delete", manage, "Delete an offer.", api.Write(s.db, s.deleteOffer)),

		api.E("GET /ai/businesses/{id}/funnels", "funnels.list", read, "List the sales funnels of a business.", api.Read(s.db, s.listFunnels)),
		api.E("POST /ai/businesses/{id}/funnels", "funnels.create", manage, "Add a funnel, without stages.", s.createFunnel, taken),
		api.E("GET /ai/funnels/{id}", "funnels.get", read, "Read a funnel with its stages.", api.Read(s.db, s.getFunnel)),
		api.E("PATCH /ai/funnels/{id}", "funnels.update", manage, "Rename a funnel, or make it the default.", api.Write(s.db, s.updateFunnel), taken),
		api.E("DELETE /ai/funnels/{id}", "funnels.delete", manage, "Delete a funnel that is not in use.", api.Write(s.db, s.deleteFunnel), taken),
		api.E("PUT /ai/funnels/{id}/stages", "funnels.replace_stages", manage, "Replace all stages of a funnel at once.", s.replaceStages),

		api.E("GET /ai/businesses/{id}/identities", "identities.list", read, "List the personas of a business.", api.Read(s.db, s.listIdentities)),
		api.E("POST /ai/businesses/{id}/identities", "identities.create", manage, "Add a persona; none may claim to be a person.", s.createIdentity, taken),
		api.E("PATCH /ai/identities/{id}", "identities.update", manage, "Change a persona.", api.Write(s.db, s.updateIdentity), taken),
		api.E("DELETE /ai/identities/{id}", "identities.delete", manage, "Delete a persona that is not in use.", api.Write(s.db, s.deleteIdentity), taken),

		api.E("GET /ai/communication-profiles", "communication_profiles.list", read, "List how the seller can speak, built-in profiles first.", s.listCommunication),
		api.E("POST /ai/communication-profiles", "communication_profiles.create", manage, "Add a communication profile.", s.createCommunication, taken),
		api.E("PATCH /ai/communication-profiles/{id}", "communication_profiles.update", manage, "Change a communication profile of your own.", s.updateCommunication,
			taken, busy),
		api.E("DELETE /ai/communication-profiles/{id}", "communication_profiles.delete", manage, "Delete a communication profile that is not in use.",
			s.deleteCommunication, taken, busy),
		api.E("POST /ai/communication-profiles/{id}/copy", "communication_profiles.copy", manage, "Copy a communication profile to change the copy.", s.copyCommunication, taken),

		api.E("GET /ai/language-profiles", "language_profiles.list", read, "List how the seller writes each language, built-in profiles first.", s.listLanguage),
		api.E("POST /ai/language-profiles", "language_profiles.create", manage, "Add a language profile.", s.createLanguage, taken),
		api.E("PATCH /ai/language-profiles/{id}", "language_profiles.update", manage, "Change a language profile of your own.", s.updateLanguage, taken, busy),
		api.E("DELETE /ai/language-profiles/{id}", "language_profiles.delete", manage, "Delete a language profile that is not in use.", s.deleteLanguage, taken, busy),
		api.E("POST /ai/language-profiles/{id}/copy", "language_profiles.copy", manage, "Copy a language profile to change the copy.", s.copyLanguage, taken),

		api.E("GET /ai/businesses/{id}/seller-settings", "seller_settings.get", read, "Read how much the seller may do; defaults until it was set.", api.Read(s.db, s.getSettings)),
		api.E("PUT /ai/businesses/{id}/seller-settings", "seller_settings.put", manage, "Say how much the seller may do.", s.putSettings),
		api.E("GET /ai/businesses/{id}/accounts", "business_accounts.get", read, "List the accounts for which a business answers.", api.Read(s.db, s.getAccounts)),
		api.E("PUT /ai/businesses/{id}/accounts", "business_accounts.put", manage, "Replace the accounts for which a business answers.", s.putAccounts, taken),
	}
}

type idIn struct {
	ID string `path:"id" maxLength:"64"`
}

type listIn struct {
	ID string `path:"id" maxLength:"64"`
	api.PageIn
}
