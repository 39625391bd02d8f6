package neo4j

import (
	"context"
	"strconv"
	"strings"

	"github.com/linchpin-graph/linchpin/export"
)

// captions are the properties that may name a node, the best first.
var captions = []string{"name", "title", "label", "code", "key", "id"}

// captionsWith are captions, after caption if there is one.
func captionsWith(caption string) []string {
	if caption == "" {
		return captions
	}
	return append([]string{caption}, captions...)
}

// NodeNames returns what people call the nodes, in the order of their ids: the first of their properties caption, name,
// title, label, code, key and id that is a text or a number. It is "" for a node with none of them. caption may be
// empty.
func (db *DB) NodeNames(ctx context.Context, ids export.IDs, caption string) ([]string, error) {
	// The values are told apart here: IS :: STRING is true of null, and servers before 5.9 do not have it.
	var values []string
	for _, p := range captionsWith(caption) {
		values = append(values, "n."+quote(p))
	}
	out := make([]string, ids.Len())
	rows, err := db.query(ctx, "names", "UNWIND range(0, size($ids) - 1) AS i MATCH (n) WHERE "+db.id("n")+" = $ids[i] "+
		"RETURN i, ["+strings.Join(values, ", ")+"]", map[string]any{"ids": parameter(ids)})
	if err != nil {
		return nil, err
	}
	for _, row := range rows {
		i, _ := row[0].(int64)
		out[i] = firstName(list(row[1]))
	}
	return out, nil
}

// firstName returns the first value that is a number or a text that is not blank, as a text.
func firstName(values []any) string {
	for _, v := range values {
		switch x := v.(type) {
		case string:
			if strings.TrimSpace(x) != "" {
				return x
			}
		case int64:
			return strconv.FormatInt(x, 10)
		case float64:
			return strconv.FormatFloat(x, 'g', -1, 64)
		}
	}
	return ""
}
