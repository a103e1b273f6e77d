package modelserver_test

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/matryer/is"

	"github.com/changeover/changeover/e2e/modelserver"
)

const (
	turn  = `{"model":"m","stream":true,"system":[{"type":"text","text":"rules"}],"tools":[{"name":"Bash"}],"messages":[{"role":"user","content":"please count"}]}`
	title = `{"model":"small","messages":[{"role":"user","content":"please count"}]}`
)

func TestServer_StreamsTextAndToolUse(t *testing.T) {
	is := is.New(t)
	server := start(t, func(modelserver.Request) modelserver.Answer {
		return modelserver.Say(
			modelserver.Text("counting"),
			modelserver.ToolUse("tool_1", "Bash", json.RawMessage(`{"command":"ls"}`)),
		)
	})
	events := strings.Split(strings.TrimSpace(post(t, server, "/v1/messages", turn)), "\n\n")
	want := []string{
		`event: message_start`,
		`event: content_block_start`, `event: content_block_delta`, `event: content_block_stop`,
		`event: content_block_start`, `event: content_block_delta`, `event: content_block_stop`,
		`event: message_delta`, `event: message_stop`,
	}
	is.Equal(len(events), len(want))
	for i, e := range events {
		is.True(strings.HasPrefix(e, want[i]+"\ndata: {")) // order of events
	}
	is.True(strings.Contains(events[2], `"text":"counting"`))
	is.True(strings.Contains(events[5], `"partial_json":"{\"command\":\"ls\"}"`))
	is.True(strings.Contains(events[7], `"stop_reason":"tool_use"`))
}

func TestServer_AnswersOwnRequestsWithoutTheScript(t *testing.T) {
	is := is.New(t)
	server := start(t, func(modelserver.Request) modelserver.Answer {
		t.Error("the script was asked for the client's own request")
		return modelserver.Answer{}
	})
	var answer struct {
		StopReason string `json:"stop_reason"`
	}
	is.NoErr(json.Unmarshal([]byte(post(t, server, "/v1/messages", title)), &answer))
	is.Equal(answer.StopReason, "end_turn")
	is.True(strings.Contains(post(t, server, "/v1/messages/count_tokens", turn), `"input_tokens":`))
	is.Equal(len(server.Requests()), 2)
	is.Equal(len(server.Turns()), 0)
}

func TestServer_WaitSeesPastAndComingRequests(t *testing.T) {
	is := is.New(t)
	server := start(t, new(modelserver.Script).Respond)
	found := make(chan error, 1)
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	go func() {
		_, err := server.Wait(ctx, func(r modelserver.Request) bool { return r.LastText() == "please count" })
		found <- err
	}()
	post(t, server, "/v1/messages", turn)
	is.NoErr(<-found) // coming
	past, err := server.Wait(ctx, func(modelserver.Request) bool { return true })
	is.NoErr(err)
	is.Equal(string(past.Body), turn)
}

func TestServer_TellsWhenAnAnswerHasEnded(t *testing.T) {
	for path, body := range map[string]string{"/v1/messages": turn, "/v1/responses": `{"model":"m","input":[]}`} {
		t.Run(path, func(t *testing.T) {
			is := is.New(t)
			ended := make(chan time.Time, 1)
			server := start(t, func(modelserver.Request) modelserver.Answer {
				answer := modelserver.Say(modelserver.Text("counting"))
				answer.Ended = func(at time.Time) { ended <- at }
				return answer
			})
			post(t, server, path, body)
			is.True(!(<-ended).IsZero())
		})
	}
}

func TestServer_WaitEndsWithItsContext(t *testing.T) {
	is := is.New(t)
	server := start(t, new(modelserver.Script).Respond)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err := server.Wait(ctx, func(modelserver.Request) bool { return true })
	is.True(errors.Is(err, context.Canceled))
}

func TestServer_HoldsAnAnswerBack(t *testing.T) {
	is := is.New(t)
	hold := make(chan struct{})
	server := start(t, func(modelserver.Request) modelserver.Answer {
		return modelserver.Answer{Blocks: []modelserver.AnswerBlock{modelserver.Text("late")}, Hold: hold}
	})
	answered := make(chan string, 1)
	go func() { answered <- post(t, server, "/v1/messages", turn) }()
	_, err := server.Wait(t.Context(), func(modelserver.Request) bool { return true })
	is.NoErr(err)
	select {
	case <-answered:
		t.Fatal("the answer did not wait")
	default:
	}
	close(hold)
	is.True(strings.Contains(<-answered, "late"))
}

func TestServer_RefusesWhatIsNoJSON(t *testing.T) {
	is := is.New(t)
	server := start(t, new(modelserver.Script).Respond)
	response, err := http.Post(server.URL()+"/v1/messages", "application/json", strings.NewReader("{"))
	is.NoErr(err)
	is.NoErr(response.Body.Close())
	is.Equal(response.StatusCode, http.StatusBadRequest)
}

func start(t *testing.T, respond modelserver.Responder) *modelserver.Server {
	t.Helper()
	server, err := modelserver.Start(t.Context(), respond, time.Now)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := server.Close(); err != nil {
			t.Error(err)
		}
	})
	return server
}

func post(t *testing.T, server *modelserver.Server, path, body string) string {
	t.Helper()
	response, err := http.Post(server.URL()+path, "application/json", strings.NewReader(body))
	if err != nil {
		t.Error(err)
		return ""
	}
	defer func() { _ = response.Body.Close() }() // the body has been read
	got, err := io.ReadAll(response.Body)
	if err != nil {
		t.Error(err)
	}
	return string(got)
}
