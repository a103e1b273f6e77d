package config_test

import (
	"errors"
	"testing"

	"github.com/matryer/is"

	"github.com/changeover/changeover/domain/baton/config"
)

func TestConfig_ChooseDiet(t *testing.T) {
	c := parse(t, `{"tokenDiet":{"profiles":{"mine":{}}}}`)
	tests := []struct {
		name     string
		in       config.WantedDiet
		want     string
		warnings []string
	}{
		{"configuration", config.WantedDiet{}, "balanced", nil},
		{"project", config.WantedDiet{Project: "lite"}, "lite", nil},
		{"session before project", config.WantedDiet{Session: "mine", Project: "lite"}, "mine", nil},
		{"flag before all", config.WantedDiet{Flag: "ultra", Session: "mine", Project: "lite"}, "ultra", nil},
		{"session's is gone", config.WantedDiet{Session: "old", Project: "lite"}, "lite", []string{`the diet "old" of the session is not there any more`}},
		{"both are gone", config.WantedDiet{Session: "old", Project: "older"}, "balanced", []string{
			`the diet "old" of the session is not there any more`, `the diet "older" of the project is not there any more`,
		}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			is := is.New(t)
			got, warnings, err := c.ChooseDiet(tt.in)
			is.NoErr(err)
			is.Equal(got, tt.want)
			is.Equal(warnings, tt.warnings)
		})
	}
}

func TestConfig_ChooseDietRefusesAFlagThatNamesNone(t *testing.T) {
	is := is.New(t)
	_, _, err := parse(t, `{"tokenDiet":{"profiles":{"mine":{},"a":{}}}}`).ChooseDiet(config.WantedDiet{Flag: "keto"})
	var unknown *config.UnknownDietError
	is.True(errors.As(err, &unknown))
	is.Equal(err.Error(), `no diet is called "keto": off, lite, balanced, caveman, ultra, a, mine are known`)
}

func TestConfig_DietIsOffEverywhereWhenDisabled(t *testing.T) {
	is := is.New(t)
	got, _, err := parse(t, `{"tokenDiet":{"enabled":false}}`).ChooseDiet(config.WantedDiet{Flag: "ultra", Session: "lite"})
	is.NoErr(err)
	is.Equal(got, "off")
}
