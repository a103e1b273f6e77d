package project_test

import (
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/matryer/is"

	"github.com/changeover/changeover/domain/baton/project"
	"github.com/changeover/changeover/domain/port"
)

func TestBytes(t *testing.T) {
	is := is.New(t)
	r, _ := project.Registry{}.Add(project.Wanted{Path: "/src/a", Settings: project.Settings{
		DefaultDiet: "lite", PrimaryAgent: "claude", FallbackAgent: "codex", FallbackPatterns: []string{"x"},
	}}, now, same)
	r, _ = r.Used("a", later).Add(project.Wanted{Path: "/src/b"}, now, same)
	want := `{
  "activeProjectId": "a",
  "projects": [
    {
      "id": "a",
      "name": "a",
      "path": "/src/a",
      "createdAt": "2026-05-28T09:00:00.000Z",
      "updatedAt": "2026-05-28T09:00:00.000Z",
      "lastUsedAt": "2026-05-28T10:00:00.000Z",
      "defaultDiet": "lite",
      "primaryAgent": "claude",
      "fallbackAgent": "codex",
      "fallbackPatterns": [
        "x"
      ]
    },
    {
      "id": "b",
      "name": "b",
      "path": "/src/b",
      "createdAt": "2026-05-28T09:00:00.000Z",
      "updatedAt": "2026-05-28T09:00:00.000Z"
    }
  ]
}
`
	is.Equal(cmp.Diff(string(r.Bytes()), want), "")
	is.Equal(string(project.Registry{}.Bytes()), "{\n  \"activeProjectId\": null,\n  \"projects\": []\n}\n")
}

func TestRead_KeepsWhatALaterVersionAdded(t *testing.T) {
	is := is.New(t)
	const text = `{"activeProjectId":null,"theme":{"b":1,"a":2},"projects":[{"id":"a","name":"A","path":"/a","createdAt":"2026-05-28T09:00:00.000Z","updatedAt":"2026-05-28T09:00:00.000Z","tags":["x"],"lastUsedAt":null}]}`
	r, err := project.Read([]byte("\ufeff" + text))
	is.NoErr(err)
	got := string(r.Used("a", later).Bytes())
	want := `{
  "activeProjectId": null,
  "projects": [
    {
      "id": "a",
      "name": "A",
      "path": "/a",
      "createdAt": "2026-05-28T09:00:00.000Z",
      "updatedAt": "2026-05-28T09:00:00.000Z",
      "lastUsedAt": "2026-05-28T10:00:00.000Z",
      "tags": [
        "x"
      ]
    }
  ],
  "theme": {
    "b": 1,
    "a": 2
  }
}
`
	is.Equal(cmp.Diff(got, want), "")
}

// Row 73: what is damaged is told from what is not.
func TestRead_Damaged(t *testing.T) {
	const entry = `{"id":"a","name":"A","path":"/a"}`
	for _, bad := range []string{
		"", "{", "[]", "{}", `{"projects":null}`, `{"projects":{}}`, `{"projects":[1]}`, `{"projects":[{}]}`, `{"activeProjectId":1,"projects":[]}`,
		`{"projects":[{"id":"a","name":"A"}]}`, `{"projects":[{"name":"A","path":"/a"}]}`, `{"projects":[` + entry + `,` + entry + `]}`,
		`{"projects":[` + entry + `,{"id":"A","path":"/b"}]}`, `{"projects":[` + entry + `,{"id":"b","path":"/a"}]}`,
		`{"projects":[{"id":"a","path":"/a","createdAt":"then"}]}`, `{"projects":[{"id":"a","path":"/a","fallbackPatterns":"x"}]}`,
		`{"projects":[]} {}`, "{\"projects\":[]}\xff",
	} {
		t.Run(bad, func(t *testing.T) {
			is := is.New(t)
			r, err := project.Read([]byte(bad))
			is.True(errors.Is(err, project.ErrDamaged))
			is.Equal(len(r.Projects), 0)
		})
	}
	is := is.New(t)
	r, err := project.Read([]byte(`{"activeProjectId":"a","projects":[` + entry + `]}`))
	is.NoErr(err)
	is.Equal(r.Projects[0].Name, "A")
}

func TestBackupName(t *testing.T) {
	is := is.New(t)
	is.Equal(project.BackupName("/h/projects.json", now), "/h/projects.json.corrupt-2026-05-28T09-00-00-000Z.bak")
}

// Row 74.
func TestFilePath(t *testing.T) {
	is := is.New(t)
	variables := map[string]string{}
	e := port.Environment{Lookup: func(name string) string { return variables[name] }, Home: "/home/u"}
	got, err := project.FilePath(e)
	is.NoErr(err)
	is.Equal(got, "/home/u/.relay-baton/projects.json")
	variables["RELAY_BATON_PROJECTS_FILE"] = "/elsewhere/p.json"
	got, err = project.FilePath(e)
	is.NoErr(err)
	is.Equal(got, "/elsewhere/p.json")
	variables, e.Home = nil, ""
	_, err = project.FilePath(e)
	is.True(errors.Is(err, port.ErrNoHome))
}
