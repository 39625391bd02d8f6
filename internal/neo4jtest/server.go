// Package neo4jtest starts a real Neo4j Community server from the jars of Maven Central, for tests and for the
// demonstration. It needs Java 17 or later and Maven; both the jars and what speeds the start up are kept in the user's
// cache folder.
package neo4jtest

import (
	"context"
	"errors"
)

// Version of the server.
const Version = "5.26.30"

// Options of a server. The zero value is a server without authentication, fit for short tests.
type Options struct {
	// Password of the user neo4j; "" starts the server without authentication.
	Password string
	// ReadOnly refuses writes in the database neo4j; give it a Home that has what is to be read.
	ReadOnly bool
	// Heap is the size of the Java heap, such as "2g"; "" for 512m.
	Heap string
	// FullJIT lets the optimising compiler run: slower to start, faster after. Measurements want it.
	FullJIT bool
	// TransactionMemory limits the memory of all transactions (db.memory.transaction.total.max), such as "32m"; "" for
	// the server's own limit.
	TransactionMemory string
	// Conf are further lines of neo4j.conf.
	Conf []string
	// Home is the folder of the server's data, which stays afterwards; "" for a temporary one.
	Home string
	// Keep lets the server outlive this process; it must be stopped by its PID.
	Keep bool
}

// Server is a running Neo4j, or one that was stopped and can be started again on the same home and port.
type Server struct {
	options Options
	home    string
	port    int
}

// Start fetches the server if need be, starts it and waits until it answers. Unless Options.Keep is set it ends with
// this process, whatever ends that.
func Start(ctx context.Context, o Options) (*Server, error) { return nil, errors.New("not built yet") }

// URI is where the server listens, such as bolt://127.0.0.1:40123.
func (s *Server) URI() string { return "" }

// PID is the process id of the server, or 0.
func (s *Server) PID() int { return 0 }

// Home is the folder of the server's data.
func (s *Server) Home() string { return s.home }

// Log returns the end of the server's log.
func (s *Server) Log() string { return "" }

// Stop ends the server in good order. Its home stays until Close.
func (s *Server) Stop() error { return nil }

// Kill ends the server as a power cut would.
func (s *Server) Kill() error { return nil }

// Restart starts a server that was stopped or killed again, on the same home and port.
func (s *Server) Restart(ctx context.Context) error { return nil }

// Close ends the server and removes its temporary home.
func (s *Server) Close() error { return nil }
