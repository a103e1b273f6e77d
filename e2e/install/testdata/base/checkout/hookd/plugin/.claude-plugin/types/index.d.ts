the client's own
