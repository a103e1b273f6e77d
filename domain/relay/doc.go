// Package relay carries work between two live coding-agent sessions: a planner
// that divides a goal and a builder that carries out one step at a time. It
// holds the link between them, its handshake and rounds, what a turn's answer
// says, what may enter a model and what may not. Events go in, decisions come
// out: nothing here touches the world.
package relay
