# Data::MessagePack as the interoperability tests ask it: reads each message and writes it again.
# The frames are those of README.md, the answers too; the header is not looked at.
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
    read(STDIN, my $frame, $size) == $size or die 'a frame is not whole';
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
