package faultproxy

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"io"
	"math"
	"slices"
)

// Tags of the Bolt messages that the proxy tells apart.
const (
	tagHello  = 0x01
	tagReset  = 0x0F
	tagRun    = 0x10
	tagBegin  = 0x11
	tagCommit = 0x12
	tagRoute  = 0x66
	tagLogon  = 0x6A
	tagDone   = 0x70
	tagRecord = 0x71
)

// message is one Bolt message: the bytes of its chunks as they travel, and what they hold. A body of no bytes is a sign
// of life.
type message struct{ raw, body []byte }

// readMessage reads up to the chunk of length 0 that ends a message.
func readMessage(r *bufio.Reader) (message, error) {
	var m message
	for {
		var length [2]byte
		if _, err := io.ReadFull(r, length[:]); err != nil {
			return m, err
		}
		m.raw = append(m.raw, length[:]...)
		n := int(binary.BigEndian.Uint16(length[:]))
		if n == 0 {
			return m, nil
		}
		from := len(m.raw)
		m.raw = append(m.raw, make([]byte, n)...)
		if _, err := io.ReadFull(r, m.raw[from:]); err != nil {
			return m, err
		}
		m.body = append(m.body, m.raw[from:]...)
	}
}

// tag is the kind of the message, or -1 of a sign of life.
func (m message) tag() int {
	if len(m.body) < 2 {
		return -1
	}
	return int(m.body[1])
}

// step is what a message says about the part of a run that it belongs to: connections are opened in the step connect,
// and each transaction of linchpin names its own in its metadata. Other messages belong to the step before.
func (m message) step(before string) string {
	switch m.tag() {
	case tagHello, tagLogon, tagRoute:
		return "connect"
	case tagBegin, tagRun:
		if s := m.metadata("step"); s != "" {
			return s
		}
	}
	return before
}

// metadata finds a text of the transaction's metadata by its key, which has at most 15 letters. A statement may have
// parameters of that name, too.
func (m message) metadata(key string) string {
	packed := func(s string) []byte { return append([]byte{0x80 + byte(len(s))}, s...) }
	_, all, _ := bytes.Cut(m.body, packed("tx_metadata"))
	_, value, found := bytes.Cut(all, packed(key))
	if !found || len(value) < 2 {
		return ""
	}
	from, n := 1, int(value[0]&0xF)
	if value[0] == 0xD0 { // a text of up to 255 bytes
		from, n = 2, int(value[1])
	} else if value[0]>>4 != 0x8 {
		return ""
	}
	return string(value[from:min(from+n, len(value))])
}

// answer frames a message of the server that carries one map, or none.
func answer(tag byte, fields ...map[string]any) []byte {
	body := []byte{0xB0 + byte(len(fields)), tag}
	for _, f := range fields {
		body = pack(body, f)
	}
	raw := binary.BigEndian.AppendUint16(nil, uint16(len(body)))
	return append(append(raw, body...), 0, 0)
}

// failure is a FAILURE in both of its forms: before Bolt 5.7, and since.
func failure(code, text string) []byte {
	return answer(0x7F, map[string]any{"code": code, "message": text, "neo4j_code": code, "gql_status": "50N42",
		"description": text, "diagnostic_record": map[string]any{}})
}

func ignored() []byte { return answer(0x7E) }

func success(fields map[string]any) []byte { return answer(tagDone, fields) }

// pack appends a value in PackStream: texts, integers, lists and maps of them, as far as answers need.
func pack(to []byte, value any) []byte {
	head := func(tiny, sized byte, n int) {
		if n < 16 {
			to = append(to, tiny+byte(n))
		} else {
			to = binary.BigEndian.AppendUint16(append(to, sized), uint16(min(n, math.MaxUint16)))
		}
	}
	switch v := value.(type) {
	case string:
		head(0x80, 0xD1, len(v))
		return append(to, v...)
	case int:
		return binary.BigEndian.AppendUint64(append(to, 0xCB), uint64(v))
	case []any:
		head(0x90, 0xD5, len(v))
		for _, x := range v {
			to = pack(to, x)
		}
	case map[string]any:
		head(0xA0, 0xD9, len(v))
		keys := make([]string, 0, len(v))
		for key := range v {
			keys = append(keys, key)
		}
		slices.Sort(keys)
		for _, key := range keys {
			to = pack(pack(to, key), v[key])
		}
	default:
		panic("faultproxy: PackStream of an unknown type")
	}
	return to
}
