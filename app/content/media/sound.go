package media

import (
	"bytes"
	"encoding/binary"
)

// ogg reads Opus, which is how messengers record voices, and the others in the same
// container.
func ogg(content []byte) (Info, bool, error) {
	const page = 27 // of a header without its table
	if len(content) < page+1 || !bytes.HasPrefix(content, []byte("OggS")) {
		return Info{}, false, nil
	}
	packet := content[page:]
	if n := int(content[page-1]); n <= len(packet) {
		packet = packet[n:]
	}
	end := uint64(0)
	if last := bytes.LastIndex(content, []byte("OggS")); last+14 <= len(content) {
		end = binary.LittleEndian.Uint64(content[last+6:])
	}
	if end > 1<<62 {
		end = 0 // no sound ends on that page
	}
	switch {
	case bytes.HasPrefix(packet, []byte("OpusHead")) && len(packet) >= 12:
		const rate = 48_000 // whatever the sound was recorded with
		if skip := uint64(binary.LittleEndian.Uint16(packet[10:])); end > skip {
			end -= skip
		}
		return Info{Kind: Voice, Type: "audio/ogg", Seconds: seconds(end, rate)}, true, nil
	case bytes.HasPrefix(packet, []byte("\x01vorbis")) && len(packet) >= 16:
		return Info{Kind: Audio, Type: "audio/ogg", Seconds: seconds(end, uint64(binary.LittleEndian.Uint32(packet[12:])))}, true, nil
	case bytes.HasPrefix(packet, []byte("\x80theora")):
		return Info{Kind: Video, Type: "video/ogg"}, true, nil
	}
	return Info{Kind: Audio, Type: "audio/ogg"}, true, nil
}

func flac(content []byte) (Info, bool, error) {
	if len(content) < 26 || !bytes.HasPrefix(content, []byte("fLaC")) {
		return Info{}, false, nil
	}
	n := binary.BigEndian.Uint64(content[18:]) // 20 bits of rate, 8 of other things, 36 of samples
	return Info{Kind: Audio, Type: "audio/flac", Seconds: seconds(n&(1<<36-1), n>>44)}, true, nil
}

// sound reads MP3 and AAC, which have no head of their own: frames follow each
// other, and a file is one when the second stands where the first says.
func sound(content []byte) (Info, bool, error) {
	b, tagged := content, false
	if len(b) > 10 && bytes.HasPrefix(b, []byte("ID3")) {
		tagged = true
		size := int(b[6]&127)<<21 | int(b[7]&127)<<14 | int(b[8]&127)<<7 | int(b[9]&127)
		b = b[min(len(b), 10+size):]
	}
	if s, ok := aac(b); ok {
		return Info{Kind: Audio, Type: "audio/aac", Seconds: s}, true, nil
	}
	first, ok := readMP3(b)
	if ok {
		_, ok = readMP3(b[min(len(b), first.size):])
	}
	if !ok {
		return Info{Kind: Audio, Type: "audio/mpeg"}, tagged, nil
	}
	return Info{Kind: Audio, Type: "audio/mpeg", Seconds: first.seconds(b)}, true, nil
}

// mp3 is the head of one frame.
type mp3 struct {
	size, rate, bitrate, samples, side int
}

var (
	mp3Rates    = [3]int{44_100, 48_000, 32_000}
	mp3Bitrates = map[[2]int][15]int{ // by version (1, 2) and layer, in kbit/s
		{1, 1}: {0, 32, 64, 96, 128, 160, 192, 224, 256, 288, 320, 352, 384, 416, 448},
		{1, 2}: {0, 32, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320, 384},
		{1, 3}: {0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320},
		{2, 1}: {0, 32, 48, 56, 64, 80, 96, 112, 128, 144, 160, 176, 192, 224, 256},
		{2, 2}: {0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160},
		{2, 3}: {0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160},
	}
)

// readMP3 reads the head of the frame at the beginning of b.
func readMP3(b []byte) (f mp3, ok bool) {
	if len(b) < 4 || b[0] != 0xff || b[1]&0xe0 != 0xe0 {
		return f, false
	}
	version, layer := b[1]>>3&3, 4-int(b[1]>>1&3)
	bitrate, rate := int(b[2]>>4), int(b[2]>>2&3)
	if version == 1 || layer == 4 || bitrate == 0 || bitrate == 15 || rate == 3 {
		return f, false
	}
	row, halves := 1, 0
	f.samples, f.side = 1152, 32
	if version != 3 {
		row, halves = 2, 1
		if version == 0 {
			halves = 2
		}
		f.side = 17
		if layer == 3 {
			f.samples = 576
		}
	}
	if b[3]>>6 == 3 { // one channel
		f.side = map[int]int{32: 17, 17: 9}[f.side]
	}
	f.rate, f.bitrate = mp3Rates[rate]>>halves, mp3Bitrates[[2]int{row, layer}][bitrate]*1000
	padding := int(b[2] >> 1 & 1)
	if layer == 1 {
		f.samples = 384
		f.size = (12*f.bitrate/f.rate + padding) * 4
	} else {
		f.size = f.samples/8*f.bitrate/f.rate + padding
	}
	return f, f.size > 4
}

// seconds is how long the file plays: by the count of frames that encoders leave in
// the first one, else by its bitrate.
func (f mp3) seconds(b []byte) int {
	if at := 4 + f.side; len(b) >= at+12 {
		if tag := string(b[at : at+4]); (tag == "Xing" || tag == "Info") && b[at+7]&1 != 0 {
			return seconds(uint64(binary.BigEndian.Uint32(b[at+8:]))*uint64(f.samples), uint64(f.rate))
		}
	}
	return seconds(uint64(len(b))*8, uint64(f.bitrate))
}

var aacRates = [13]uint64{96_000, 88_200, 64_000, 48_000, 44_100, 32_000, 24_000, 22_050, 16_000, 12_000, 11_025, 8_000, 7_350}

// aac counts the frames of an ADTS file.
func aac(b []byte) (length int, ok bool) {
	frames, rate := uint64(0), uint64(0)
	for len(b) >= 7 && b[0] == 0xff && b[1]&0xf6 == 0xf0 {
		index := int(b[2] >> 2 & 15)
		size := int(b[3]&3)<<11 | int(b[4])<<3 | int(b[5]>>5)
		if index >= len(aacRates) || size < 7 {
			return 0, false
		}
		rate = aacRates[index]
		frames++
		b = b[min(size, len(b)):]
	}
	const few = 2 // bytes that look like one head may be anything
	return seconds(frames*1024, rate), frames >= few
}

// matroska reads WebM and its relatives, as far as their type goes.
func matroska(content []byte) (Info, bool, error) {
	if !bytes.HasPrefix(content, []byte("\x1a\x45\xdf\xa3")) {
		return Info{}, false, nil
	}
	if bytes.Contains(content[:min(64, len(content))], []byte("webm")) {
		return Info{Kind: Video, Type: "video/webm"}, true, nil
	}
	return Info{Kind: Video, Type: "video/x-matroska"}, true, nil
}
