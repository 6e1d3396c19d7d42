// Command example runs the core cases of MessagePack's vectors with another Go library:
// `go run . FOLDER`, where FOLDER has the folders valid and invalid.
package main

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/tinylib/msgp/msgp"
)

type file struct {
	Cases []struct {
		Name, Tag string
		Bytes     any
	}
}

// expand returns the bytes of a case: a string of digits, or a list of parts.
func expand(from any) []byte {
	switch from := from.(type) {
	case string:
		data, _ := hex.DecodeString(from)
		return data
	case []any:
		var all []byte
		for _, part := range from {
			all = append(all, expand(part)...)
		}
		return all
	}
	part := from.(map[string]any)
	if once, found := part["repeat"]; found {
		return bytes.Repeat(expand(once), int(part["times"].(float64)))
	}
	middles := [][]byte{{}}
	if count, found := part["counter"]; found {
		middles = nil
		for i := range int(count.(float64)) {
			middles = append(middles, fmt.Appendf(nil, "%0*d", int(part["digits"].(float64)), i))
		}
	} else {
		for range int(part["power"].(float64)) {
			var longer [][]byte
			for _, begin := range middles {
				for _, letter := range part["product"].([]any) {
					longer = append(longer, slices.Concat(begin, expand(letter)))
				}
			}
			middles = longer
		}
	}
	prefix, suffix := expand(part["prefix"]), expand(part["suffix"])
	var all []byte
	for _, middle := range middles {
		all = append(all, slices.Concat(prefix, middle, suffix)...)
	}
	return all
}

// accepts reports whether the library reads the bytes as one message, without bytes after it.
func accepts(data []byte) bool {
	_, rest, err := msgp.ReadIntfBytes(data)
	return err == nil && len(rest) == 0
}

func main() {
	paths, _ := filepath.Glob(filepath.Join(os.Args[1], "*valid", "*.json"))
	right, wrong := 0, 0
	for _, path := range paths {
		var vectors file
		text, _ := os.ReadFile(path)
		if err := json.Unmarshal(text, &vectors); err != nil {
			panic(err)
		}
		valid := !strings.Contains(path, "invalid")
		for _, one := range vectors.Cases {
			if one.Tag != "core" {
			} else if accepts(expand(one.Bytes)) == valid {
				right++
			} else {
				wrong++
				fmt.Printf("%s: %s: accepted is %t\n", path, one.Name, !valid)
			}
		}
	}
	fmt.Printf("%d right, %d wrong\n", right, wrong)
}
