module github.com/linchpin-graph/linchpin/site

go 1.26

require github.com/imfing/hextra v0.9.7
