module github.com/linchpin-graph/linchpin

go 1.26
