package main

import (
	"errors"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/changeover/changeover/domain/exchange"
)

// bodyLimit bounds a body read from standard input, in bytes; a record must
// fit into the 1 MiB that its readers take.
const bodyLimit = 1 << 20

func newPostCmd(s *shared) *cobra.Command {
	var req exchange.PostRequest
	cmd := &cobra.Command{
		Use:   "post",
		Short: "Leave a handoff for a repo, for paths in it, or for one session",
		Long: "Leave a handoff. It is written once; every session that works on the repo, and on\n" +
			"one of the paths where any are named, is told of it at its next prompt, and at every\n" +
			"start. --wake lets idle sessions begin a turn for it.",
		Example: "  exchange handoff post --repo site --path api --body \"the API of /search changed\"\n" +
			"  exchange handoff post --session 071a81ba-6892-4d6c-86b3-46f6db0b309f --body - < notes.md",
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) > 0 {
				return fmt.Errorf("%q is no flag: the text goes into --body", args[0])
			}
			return nil
		},
		RunE: func(*cobra.Command, []string) error {
			req.Cwd = s.cwd()
			if req.Body == "-" {
				body, err := readBody(s.Streams.In)
				if err != nil {
					return s.refuse(err)
				}
				req.Body = body
			}
			r, err := exchange.Mail{World: s.World}.Post(req)
			if err != nil {
				return s.refuse(err)
			}
			return s.report(r.Lines(), len(r.Problems) > 0)
		},
	}
	f := cmd.Flags()
	f.StringVar(&req.Repo, "repo", "", "address repo `R`, relative to the root")
	f.StringArrayVar(&req.Paths, "path", nil, "narrow it to path `P` in the repo (repeatable)")
	f.StringVar(&req.Session, "session", "", "address one session by its `ID`")
	f.BoolVar(&req.Wake, "wake", false, "ask the sessions that it is for to take it at once, where the marker's deliver is wake")
	f.StringVar(&req.Body, "body", "", "the `TEXT` to leave; - reads standard input")
	if err := cmd.MarkFlagRequired("body"); err != nil {
		panic(err) // the flag is defined just above
	}
	return cmd
}

func readBody(in io.Reader) (string, error) {
	data, err := io.ReadAll(io.LimitReader(in, bodyLimit+1))
	if err != nil {
		return "", fmt.Errorf("read the body from standard input: %w", err)
	}
	if len(data) > bodyLimit {
		return "", errors.New("the body is larger than 1 MiB: put the bulk into a file and name it; nothing was posted")
	}
	return string(data), nil
}
