// Package exchange answers two questions for the coding-agent sessions of one
// directory tree: is somebody else working here, and does somebody need
// something from me. It holds roots, claims, handoffs and their moves, the
// matching of scopes, the rendering of other people's text, and the verbs of
// the exchange command and of the hooks.
package exchange
