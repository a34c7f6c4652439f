// This target's first file.
