package export

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"os"
)

// The seal stands between the record batch and the footer of the Arrow file, where readers do not look: sealMagic, the
// CRC-32C of every other byte of the file, and the same inverted. So no byte of the file can change unnoticed, and the
// file is still an ordinary Arrow file.
const (
	sealMagic = "LINCHPIN"
	sealBytes = len(sealMagic) + 8
	arrowTail = 10 // length of the footer, "ARROW1"
)

// errNotOurs marks a file that is not a snapshot.
var errNotOurs = errors.New("not a snapshot of linchpin")

// seal moves the footer of the file just written and puts the seal before it.
func seal(p *PendingFile, crc uint32) error {
	if err := p.Flush(); err != nil {
		return err
	}
	size, err := p.file.Seek(0, 2)
	if err != nil {
		return err
	}
	var tail [arrowTail]byte
	if _, err := p.file.ReadAt(tail[:], size-arrowTail); err != nil {
		return err
	}
	footer := make([]byte, int64(binary.LittleEndian.Uint32(tail[:]))+arrowTail)
	at := size - int64(len(footer))
	if _, err := p.file.ReadAt(footer, at); err != nil {
		return err
	}
	mark := binary.LittleEndian.AppendUint32([]byte(sealMagic), crc)
	mark = binary.LittleEndian.AppendUint32(mark, ^crc)
	_, err = p.file.WriteAt(append(mark, footer...), at)
	return err
}

// checkSeal verifies the file's checksum.
func checkSeal(data []byte) error {
	if len(data) == 0 {
		return errors.New("the file is empty")
	}
	magic := []byte("ARROW1\x00\x00")
	if !bytes.HasPrefix(data, magic[:min(len(magic), len(data))]) {
		return errNotOurs
	}
	size := len(data)
	if size < len(magic)+sealBytes+arrowTail || !bytes.HasSuffix(data, magic[:6]) {
		return errors.New("the file is truncated or altered: it does not end as a snapshot does")
	}
	at := size - arrowTail - int(binary.LittleEndian.Uint32(data[size-arrowTail:])) - sealBytes
	if at < len(magic) || string(data[at:at+len(sealMagic)]) != sealMagic {
		return fmt.Errorf("%w, or altered: it has no seal", errNotOurs)
	}
	mark := data[at+len(sealMagic):]
	want := binary.LittleEndian.Uint32(mark)
	crc := Checksum(Checksum(0, data[:at]), data[at+sealBytes:])
	if crc != want || binary.LittleEndian.Uint32(mark[4:]) != ^want {
		return errors.New("the file was altered: its checksum does not match")
	}
	return nil
}

// regularSize returns the size of a file that can be mapped.
func regularSize(f *os.File) (int, error) {
	info, err := f.Stat()
	if err != nil {
		return 0, err
	}
	if !info.Mode().IsRegular() {
		return 0, errors.New("not a regular file")
	}
	return int(info.Size()), nil
}
