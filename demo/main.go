// Demo is the main job on a real graph, start to finish: it starts a Neo4j, loads the world's airports and the routes
// between them, lets linchpin score both, and asks Cypher what holds the network together.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"

	"github.com/neo4j/neo4j-go-driver/v5/neo4j"
)

func main() {
	keep := flag.Bool("keep", false, "leave the server running")
	drawTo := flag.String("pictures", "", "write the map and the page as pictures into this folder, for the documentation")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := demo(ctx, *keep, *drawTo); err != nil {
		fmt.Fprintln(os.Stderr, "demo:", err)
		os.Exit(1)
	}
}

func demo(ctx context.Context, keep bool, drawTo string) (err error) {
	server, err := findServer(ctx, keep)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, server.close(err != nil || !keep)) }()
	driver, err := neo4j.NewDriverWithContext(server.uri, server.auth())
	if err != nil {
		return err
	}
	defer driver.Close(context.WithoutCancel(ctx))
	if err := load(ctx, driver, server.database); err != nil {
		return fmt.Errorf("load air-routes: %w", err)
	}
	for _, args := range [][]string{
		{"validate"}, {"estimate", "hubs"}, {"run", "hubs", "miles"}, {"history"},
	} {
		if err := linchpin(ctx, server, args...); err != nil {
			return err
		}
	}
	for _, q := range questions {
		if err := q.ask(ctx, driver, server.database); err != nil {
			return fmt.Errorf("%s: %w", q.title, err)
		}
	}
	if err := linchpin(ctx, server, "report", "hubs", "-o", "build/demo/report.html"); err != nil {
		return err
	}
	if drawTo != "" {
		if err := drawMap(ctx, server, filepath.Join(drawTo, "air-routes.svg")); err != nil {
			return fmt.Errorf("draw the map: %w", err)
		}
	}
	if err := linchpin(ctx, server, "run", "without-anchorage"); err != nil {
		return err
	}
	if err := takeover.ask(ctx, driver, server.database); err != nil {
		return fmt.Errorf("%s: %w", takeover.title, err)
	}
	return showPage(ctx, server, keep, drawTo)
}

// linchpin runs the program as a person would, after showing the command.
func linchpin(ctx context.Context, s *server, args ...string) error {
	fmt.Printf("\n$ linchpin %s\n", strings.Join(args, " "))
	cmd := command(ctx, s, args...)
	cmd.Stdout, cmd.Stderr = os.Stdout, os.Stderr
	if err := cmd.Run(); err != nil {
		return fmt.Errorf("linchpin %s: %w", args[0], err)
	}
	return nil
}

// command is a call of the program with the demonstration's config.
func command(ctx context.Context, s *server, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, "bin/linchpin", append([]string{"--config", "demo/linchpin.yml"}, args...)...)
	cmd.Env = append(os.Environ(), "LINCHPIN_NEO4J_URI="+s.uri, "LINCHPIN_STATE=build/demo")
	return cmd
}
