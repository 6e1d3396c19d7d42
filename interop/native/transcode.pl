# Data::MessagePack for the interoperability tests: reads each message and writes it again.
# Requests and answers have the frames of README.md; the header is ignored.
use strict;
use warnings;
use Data::MessagePack;

binmode STDIN;
binmode STDOUT;
$| = 1;
my $peer = Data::MessagePack->new->utf8(1);

sub transcode {
    my ($bytes) = @_;
    my $written = eval { $peer->pack($peer->unpack($bytes)) };
    return defined $written ? (0, $written) : (1, 'refused');
}

while (read(STDIN, my $head, 4) == 4) {
    my $size = unpack 'N', $head;
    read(STDIN, my $frame, $size) == $size or die 'a frame is not complete';
    my $at = 4 + unpack 'N', $frame;
    my $answer = '';
    while ($at < $size) {
        my $length = unpack 'N', substr $frame, $at, 4;
        my ($status, $bytes) = transcode(substr $frame, $at + 4, $length);
        $answer .= pack('CN', $status, length $bytes) . $bytes;
        $at += 4 + $length;
    }
    print pack('N', length $answer), $answer;
}
