package relay_test

import (
	"testing"

	"github.com/changeover/changeover/domain/relay"
)

func TestReadAnswer_KnowsAFenceInAList(t *testing.T) {
	checkReadings(t, []reading{
		{"on the item's line", "- ```\n  <handoff>a</handoff>\n  ```", relay.Answer{}},
		{"on a numbered item's line", "1. ```xml\n   <handoff>a</handoff>\n   ```\n\n<handoff>b</handoff>", handoff("b")},
		{"below the item", "10. Write:\n\n    ```\n    x\n\n    <handoff>a</handoff>\n    ```\n", relay.Answer{}},
		{"below the item, then a block", "10. Run:\n\n    ```\n    make\n    ```\n\n<handoff>b</handoff>", handoff("b")},
		{"set in by a tab", "- x\n\n\t```\n\t<handoff>a</handoff>\n\n\t```\n<handoff>b</handoff>", handoff("b")},
		{"two lists deep", "- 1) ~~~\n     <handoff>a</handoff>\n     ~~~", relay.Answer{}},
		{"never closed, the list ends", "- ```\n  make\n\n<handoff>b</handoff>", handoff("b")},
		{"never closed, another item begins", "- ```\n  make\n- <handoff>b</handoff>", handoff("b")},
		{"a fence that shows a list with one", "```\n10. x\n\n    ```\n    y\n    ```\n```\n<handoff>b</handoff>", handoff("b")},
		{"a line of hyphens", "- - -\n<handoff>b</handoff>", handoff("b")},
		{"a sentence that begins with a number", "2026. ```x``` is <handoff>b</handoff>", handoff("b")},
	})
}

func TestReadAnswer_KnowsAFenceInAQuotation(t *testing.T) {
	checkReadings(t, []reading{
		{"quoted", "> ```\n> x\n>\n> <handoff>a</handoff>\n> ```\n<handoff>b</handoff>", handoff("b")},
		{"never closed, the quotation ends", "> ```\n> make\n\n<handoff>b</handoff>", handoff("b")},
		{"quoted in an item", "- > ```\n  > <handoff>a</handoff>\n  > ```", relay.Answer{}},
	})
}
