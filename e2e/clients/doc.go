// Package clients tests Changeover against the real agent clients: it drives
// interactive sessions in pseudo-terminals, with a model server on the
// loopback interface in place of the model. The tests have the build tag
// clients and need what `make test-clients` builds and installs first.
package clients
