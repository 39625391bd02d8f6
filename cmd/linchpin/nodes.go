package main

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/linchpin-graph/linchpin/fleet"
)

func newNodesCommand(a *app) *cobra.Command {
	var address, tokenFile string
	c := &cobra.Command{
		Use:     "nodes",
		GroupID: groupBatch,
		Short:   "List the nodes of a service's fleet, with their rates",
		Long: `Asks a running linchpin serve for the nodes of its fleet: what each computes, how many of its shards counted, and how many
sources it does per second. The address is that of the config (serve.listen) unless --url says otherwise. The token, where
the service asks for it, is that of the config, of --token-file or of LINCHPIN_SERVE_TOKEN.` +
			exitSection(statusDone, statusFailed, statusUsage, statusUnreachable),
		Example: `  linchpin nodes
  linchpin nodes --url https://scores.example.org:7688 --token-file token`,
		Args: noArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			s, err := a.serviceAt(address, tokenFile)
			if err != nil {
				return err
			}
			response, err := s.do(c.Context(), http.MethodGet, "/api/fleet", nil)
			if err != nil {
				return err
			}
			defer response.Body.Close()
			var state fleet.State
			if err := json.NewDecoder(response.Body).Decode(&state); err != nil {
				return fmt.Errorf("the service's answer: %w", err)
			}
			return a.printFleet(state)
		},
	}
	c.Flags().StringVar(&address, "url", "", "`ADDRESS` of the service, such as https://scores.example.org")
	c.Flags().StringVar(&tokenFile, "token-file", "", "`FILE` with the token of the service")
	return c
}

// serviceAt is the client of a service at an address, or of that of the config.
func (a *app) serviceAt(address, tokenFile string) (*client, error) {
	if address != "" {
		c := &client{url: strings.TrimSuffix(address, "/")}
		c.token, _ = nodeToken("") // a service may answer without one
		var err error
		if tokenFile != "" {
			c.token, err = nodeToken(tokenFile)
		}
		return c, err
	}
	cfg, err := a.loadJobs()
	if err != nil {
		return nil, err
	}
	return ownService(cfg)
}

// printFleet prints how nodes and shared runs stand.
func (a *app) printFleet(s fleet.State) error {
	if a.json {
		return a.printJSON(s)
	}
	if len(s.Nodes) == 0 {
		fmt.Fprintln(a.stdout, "no nodes")
	} else {
		t := &table{header: []string{"NODE", "DEVICE", "SHARDS", "SOURCES/S", "SEEN", "COMPUTES"}}
		for _, n := range s.Nodes {
			computes := n.Shard
			if n.Unfit != "" {
				computes = n.Unfit
			}
			t.add(n.Name, n.Device, fmt.Sprint(n.Shards), fmt.Sprintf("%.0f", n.PerSecond),
				fmt.Sprint(time.Since(n.Seen).Round(time.Second))+" ago", computes)
		}
		if err := t.print(a.stdout); err != nil {
			return err
		}
	}
	for _, r := range s.Runs {
		fmt.Fprintf(a.stdout, "%s: %.0f %% of %d sources done, in %d shards; %d with nodes\n",
			r.Measure, r.Percent(), r.Sources, r.Shards, r.Out)
	}
	return nil
}
