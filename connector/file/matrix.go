package file

// readMatrix reads a MatrixMarket file.
func readMatrix(t *table) error { return t.in.errorf("not yet") }

// readMETIS reads a METIS file.
func readMETIS(t *table) error { return t.in.errorf("not yet") }
