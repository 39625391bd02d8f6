package main

import (
	"context"
	"os"
	"time"

	"github.com/linchpin-graph/linchpin/config"
	"github.com/linchpin-graph/linchpin/connector/neo4j"
	"github.com/linchpin-graph/linchpin/engine"
	"github.com/linchpin-graph/linchpin/internal/hostmem"
	"github.com/linchpin-graph/linchpin/jobs"
)

// open connects to the database of the config. The password is looked up whenever the server refuses the last one, so
// that a service outlives a change of it.
func (a *app) open(ctx context.Context, c *config.Config) (*neo4j.DB, error) {
	retry := c.Neo4j.Retry
	if retry == 0 {
		retry = -1 // there 0 stands for the default
	}
	return neo4j.Open(ctx, neo4j.Options{
		URI: c.Neo4j.URI, Database: c.Neo4j.Database, Username: c.Neo4j.Username,
		PasswordFunc: func(context.Context) (string, error) {
			password, err := c.Neo4j.CurrentPassword()
			return password.Reveal(), err
		},
		CA: c.Neo4j.CA, Certificate: c.Neo4j.Certificate, Key: c.Neo4j.Key,
		Connections: c.Neo4j.Connections, Timeout: c.Neo4j.Timeout, Retry: retry, Logger: a.logger(),
	})
}

// runner returns what runs the jobs of a config.
func (a *app) runner(c *config.Config, db *neo4j.DB, r jobs.Reporter) *jobs.Runner {
	return &jobs.Runner{
		Database: db, Engine: engine.NewSession(), Reporter: r, State: c.State,
		Host: hostname(), Version: version, Now: time.Now, Memory: hostmem.Available,
	}
}

func hostname() string {
	name, err := os.Hostname()
	if err != nil {
		return "unknown host"
	}
	return name
}

// withDatabase loads the config, connects, and calls do.
func (a *app) withDatabase(ctx context.Context, do func(context.Context, *config.Config, *neo4j.DB) error) error {
	c, err := a.loadJobs()
	if err != nil {
		return err
	}
	return a.connected(ctx, c, do)
}

// withJobs is withDatabase for commands about jobs of the config: a name that is not there is found out before the
// server is asked.
func (a *app) withJobs(
	ctx context.Context, names []string, do func(context.Context, *config.Config, *neo4j.DB, []config.Job) error,
) error {
	c, err := a.loadJobs(names...)
	if err != nil {
		return err
	}
	found, err := findJobs(c, names)
	if err != nil {
		return err
	}
	return a.connected(ctx, c, func(ctx context.Context, c *config.Config, db *neo4j.DB) error {
		return do(ctx, c, db, found)
	})
}

func (a *app) connected(
	ctx context.Context, c *config.Config, do func(context.Context, *config.Config, *neo4j.DB) error,
) error {
	db, err := a.open(ctx, c)
	if err != nil {
		return err
	}
	defer func() {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), 200*time.Millisecond)
		defer cancel()
		_ = db.Close(ctx) // the process ends; what a closing connection says changes nothing
	}()
	return do(ctx, c, db)
}
