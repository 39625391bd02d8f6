package neo4j

import (
	"fmt"
	"testing"

	"github.com/linchpin-graph/linchpin/internal/faultproxy"
)

// TestPack lets the server pack ids: the greatest that fit come back, and one more is an error, at either end.
func TestPack(t *testing.T) {
	_, db := fresh(t)
	const most, first = 1<<nodeBits - 1, int64(1) << 33
	for _, c := range []struct {
		source, target, place int64
		fits                  bool
	}{
		{0, 0, 0, true}, {0, most, 0, true}, {most, 0, recordSize - 1, true}, {most, most, 1<<placeBits - 1, true},
		{1, 2, 3, true},
		{most + 1, 0, 0, false}, {0, most + 1, 0, false}, {1 << 40, 1, 1, false}, {1, 1 << 40, 1, false},
	} {
		// The range's ids are greater than any that a file of this machine could hold.
		text := "RETURN " + pack("$a", "$b", "$r", "$i")
		rows, err := db.query(t.Context(), "test", text,
			map[string]any{"a": c.source, "b": c.target, "r": first + c.place, "i": first})
		if !c.fits {
			if !hasCode(err, "Neo.ClientError.Statement.ArithmeticError") {
				t.Errorf("%+v: %v, %v; want an ArithmeticError", c, rows, err)
			}
			continue
		}
		if err != nil {
			t.Fatalf("%+v: %v", c, err)
		}
		source, target, id := unpack(rows[0][0].(int64), first)
		if source != c.source || target != c.target || id != first+c.place {
			t.Errorf("%+v came back as %d, %d, %d", c, source, target, id-first)
		}
	}
	if recordSize > 1<<placeBits {
		t.Errorf("a record of %d relationships does not fit into %d bits", recordSize, placeBits)
	}
}

// TestUnpacked exports through a proxy that answers as the server does when an id does not fit.
func TestUnpacked(t *testing.T) {
	s, plain := fresh(t, mixed)
	plain.form = byLists
	want, err := plain.Export(t.Context(), projection("E"), nil)
	if err != nil {
		t.Fatal(err)
	}
	proxy, err := faultproxy.Start(fmt.Sprintf("127.0.0.1:%d", s.Port()))
	if err != nil {
		t.Fatal(err)
	}
	defer proxy.Close()
	db := open(t, s, func(o *Options) { o.URI = "bolt://" + proxy.Address() })
	db.form = byRanges
	for message := 1; message < 100; message++ {
		proxy.Arm(faultproxy.Fault{Kind: faultproxy.Refuse, Code: "Neo.ClientError.Statement.ArithmeticError",
			Text: "long overflow (injected)",
			At:   faultproxy.Trigger{Step: "export", Message: message}})
		got, err := db.Export(t.Context(), projection("E"), nil)
		fired := proxy.Fired()
		proxy.Heal()
		if err != nil || !fired {
			continue // the refusal met a statement that packs nothing
		}
		if got.Digest() != want.Digest() {
			t.Errorf("refused at message %d: another digest", message)
		}
		return
	}
	t.Error("no refusal was met by asking again without packing")
}
