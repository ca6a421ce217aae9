package mapfile

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"svc/app/cli/terminal"
	"svc/app/cli/usage"
	"svc/geo/geom"
	"svc/geo/index"
	"svc/geo/result"
	"svc/geo/search"
)

// explainLimit is the number of answers that are explained.
const explainLimit = 10

// Explain is the command svc map explain. configured adds the flags that say which map is
// meant, and mapOf reads them: "" for none.
func Explain(rules usage.Rules, configured func(*cobra.Command), mapOf func(*cobra.Command) (string, error)) *cobra.Command {
	var lang, near string
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "explain QUERY",
		Short: "Say how a search query is read and why each answer stands where it does",
		Long: `Search the map for a query as /api/search does, and draw how the query was read.

A query has a few readings: names with the areas around them, an address, a category in
or near a place, a crossing, a coordinate, a postcode. They are tried in order; each
line says what a reading found. A reading that answers every word ends the search. Then
come the answers with the parts of their scores: 0.6 × text + 0.3 × rank + the prior of
the kind + the rest (closeness, words for the kind of street or area, losses).`,
		Example: `  svc map explain --map malta.svcmap "pharmacy near sliema"
  svc map explain --config /etc/svc/config.yaml --near 41.31,69.24 "navoiy 12"
  svc map explain --map malta.svcmap --json "republic street valletta"`,
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 || strings.TrimSpace(strings.Join(args, " ")) == "" {
				return rules.Usage(cmd, "write the query to explain, for example \"pharmacy near sliema\"")
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			path, err := mapOf(cmd)
			if err != nil {
				return err
			}
			if path == "" {
				return errors.New("name the map with --map FILE.svcmap or in the configuration")
			}
			if !slices.Contains(result.Languages, lang) {
				return rules.Usage(cmd, "--lang: %q is not one of %s", lang, strings.Join(result.Languages, ", "))
			}
			q := search.Query{Text: strings.Join(args, " "), Lang: lang, Limit: explainLimit}
			if near != "" {
				if q.Ref, err = parseNear(near); err != nil {
					return fmt.Errorf("--near: %w", err)
				}
			}
			x, err := index.Open(path)
			if err != nil {
				return err
			}
			defer func() { _ = x.Close() }() // it was only read
			explanation := search.New(x).Explain(q)
			if asJSON {
				return terminal.JSON(cmd.OutOrStdout(), explanation)
			}
			return PrintExplanation(cmd.OutOrStdout(), explanation)
		},
	}
	configured(cmd)
	cmd.Flags().StringVar(&lang, "lang", "uz", "language of the answers: uz, ru, en or uz-Cyrl")
	cmd.Flags().StringVar(&near, "near", "", "reference point as lat,lon in degrees")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print everything as JSON")
	return cmd
}

// parseNear reads a reference point: lat,lon.
func parseNear(s string) (*geom.Point, error) {
	a, b, _ := strings.Cut(s, ",")
	lat, errLat := strconv.ParseFloat(strings.TrimSpace(a), 64)
	lon, errLon := strconv.ParseFloat(strings.TrimSpace(b), 64)
	if errLat != nil || errLon != nil || !(lat >= -90 && lat <= 90 && lon >= -180 && lon <= 180) {
		return nil, fmt.Errorf("%q is no point; write lat,lon in degrees, for example 41.31,69.24", s)
	}
	p := geom.FromDegrees(lat, lon)
	return &p, nil
}
