// A user's own Go code, in a module of its own as his would be.
module other

go 1.26
