// Package modelserver is a model server on the loopback interface for tests
// that drive real agent clients. It answers what the test scripts and keeps
// every request, because a request's body is what the model reads.
package modelserver

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"sync"
	"time"
)

const (
	maxBody      = 64 << 20
	shutdownTime = 5 * time.Second
)

// Responder chooses the answer to a request. It is called from several
// goroutines at once, and never for a request that is the client's own.
type Responder func(Request) Answer

// Server answers one or more clients and records what they asked. It speaks
// the messages and the responses dialect; another one is one more route.
type Server struct {
	respond Responder
	now     func() time.Time
	http    *http.Server
	url     string
	done    chan struct{}
	served  sync.WaitGroup

	mu       sync.Mutex
	requests []Request
	changed  chan struct{}
	answers  int
}

// Start listens on a free loopback port and serves until Close, also after ctx
// has ended.
func Start(ctx context.Context, respond Responder, now func() time.Time) (*Server, error) {
	var config net.ListenConfig
	listener, err := config.Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return nil, fmt.Errorf("listen for clients: %w", err)
	}
	s := &Server{
		respond: respond,
		now:     now,
		url:     "http://" + listener.Addr().String(),
		done:    make(chan struct{}),
		changed: make(chan struct{}),
	}
	mux := http.NewServeMux()
	mux.HandleFunc("POST /v1/messages", s.record(s.message))
	mux.HandleFunc("POST /v1/messages/count_tokens", s.record(s.countTokens))
	mux.HandleFunc("POST "+responsesPath, s.record(s.response))
	s.http = &http.Server{Handler: mux, ReadHeaderTimeout: time.Minute}
	s.served.Go(func() {
		// Serve returns an error in every case; after Close it says no more
		// than that, and before it the clients' requests fail visibly.
		_ = s.http.Serve(listener)
	})
	return s, nil
}

// URL is the address to give to a client as its base URL.
func (s *Server) URL() string { return s.url }

// Close releases held answers, ends open connections and waits for them.
func (s *Server) Close() error {
	close(s.done)
	ctx, cancel := context.WithTimeout(context.Background(), shutdownTime)
	defer cancel()
	err := s.http.Shutdown(ctx)
	if err != nil {
		err = s.http.Close()
	}
	s.served.Wait()
	if err != nil {
		return fmt.Errorf("close model server: %w", err)
	}
	return nil
}

// Requests returns all requests so far in the order of their arrival, the
// client's own among them.
func (s *Server) Requests() []Request {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]Request(nil), s.requests...)
}

// Turns returns the requests so far that a model would answer in a session:
// all but the client's own and the counting of tokens.
func (s *Server) Turns() []Request {
	var turns []Request
	for _, r := range s.Requests() {
		if !r.Own() {
			turns = append(turns, r)
		}
	}
	return turns
}

// Wait returns the first turn, past ones included, that cond accepts. It
// returns the error of ctx when none came in time.
func (s *Server) Wait(ctx context.Context, cond func(Request) bool) (Request, error) {
	for {
		s.mu.Lock()
		changed := s.changed
		s.mu.Unlock()
		for _, r := range s.Turns() {
			if cond(r) {
				return r, nil
			}
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return Request{}, fmt.Errorf("wait for a request: %w", ctx.Err())
		}
	}
}

func (s *Server) record(next func(http.ResponseWriter, *http.Request, Request)) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		raw, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxBody))
		if err != nil {
			http.Error(w, "the body could not be read: "+err.Error(), http.StatusBadRequest)
			return
		}
		parse := parseRequest
		if r.URL.Path == responsesPath {
			parse = parseResponses
		}
		request, err := parse(r.URL.Path, raw, s.now())
		if err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		s.mu.Lock()
		s.requests = append(s.requests, request)
		close(s.changed)
		s.changed = make(chan struct{})
		s.mu.Unlock()
		next(w, r, request)
	}
}

func (s *Server) countTokens(w http.ResponseWriter, _ *http.Request, request Request) {
	writeJSON(w, map[string]int{"input_tokens": len(request.Text())/4 + 1})
}

func (s *Server) nextAnswer() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.answers++
	return s.answers
}

func writeJSON(w http.ResponseWriter, value any) {
	w.Header().Set("Content-Type", "application/json")
	// A client that went away is the client's business.
	_ = json.NewEncoder(w).Encode(value)
}
