# The Ruby gem msgpack for the interoperability tests: reads each message and writes it again.
# Requests and answers have the frames of README.md; the header is ignored.
require 'msgpack'

$stdin.binmode
$stdout.binmode

def transcode(bytes)
  [0, MessagePack.pack(MessagePack.unpack(bytes, allow_unknown_ext: true))]
rescue StandardError => e
  [1, e.class.name]
end

while (head = $stdin.read(4))
  frame = $stdin.read(head.unpack1('N'))
  at = 4 + frame.unpack1('N')
  answer = String.new
  while at < frame.bytesize
    size = frame.byteslice(at, 4).unpack1('N')
    status, bytes = transcode(frame.byteslice(at + 4, size))
    answer << [status, bytes.bytesize].pack('CN') << bytes.b
    at += 4 + size
  end
  $stdout.write([answer.bytesize].pack('N'), answer)
  $stdout.flush
end
