package cobracli

import (
	"errors"
	"fmt"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// nearEnough is how many letters a flag may be off to be taken for a slip.
const nearEnough = 2

// suggestFlag adds to the error about an unknown flag the one that was meant, where
// one is near.
func suggestFlag(cmd *cobra.Command, err error) error {
	var unknown *pflag.NotExistError
	if !errors.As(err, &unknown) || unknown.GetSpecifiedShortnames() != "" {
		return err
	}
	best, least := "", nearEnough+1
	cmd.Flags().VisitAll(func(f *pflag.Flag) {
		if n := distance(unknown.GetSpecifiedName(), f.Name); !f.Hidden && n < least {
			best, least = f.Name, n
		}
	})
	if best == "" {
		return err
	}
	return fmt.Errorf("%w; did you mean --%s?", err, best)
}

// distance is how many letters are to be put in, taken out or replaced to make one
// word of the other.
func distance(a, b string) int {
	from, to := []rune(a), []rune(b)
	row := make([]int, len(to)+1)
	for j := range row {
		row[j] = j
	}
	for i, r := range from {
		corner := row[0]
		row[0] = i + 1
		for j, s := range to {
			step := corner
			if r != s {
				step++
			}
			corner = row[j+1]
			row[j+1] = min(step, row[j]+1, corner+1)
		}
	}
	return row[len(to)]
}
