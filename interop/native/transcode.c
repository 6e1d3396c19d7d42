/* msgpack-c for the interoperability tests: reads each message and writes it again.
   Requests and answers have the frames of README.md; the header is ignored. */
#include <arpa/inet.h>
#include <msgpack.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static uint32_t length_at(const char *bytes) {
  uint32_t word;
  memcpy(&word, bytes, 4);
  return ntohl(word);
}

static void put_length(msgpack_sbuffer *out, uint32_t length) {
  length = htonl(length);
  msgpack_sbuffer_write(out, (const char *)&length, 4);
}

static void outcome(msgpack_sbuffer *out, char status, const char *bytes, size_t length) {
  msgpack_sbuffer_write(out, &status, 1);
  put_length(out, (uint32_t)length);
  msgpack_sbuffer_write(out, bytes, length);
}

static void transcode(msgpack_sbuffer *out, const char *bytes, size_t length) {
  msgpack_unpacked message;
  msgpack_unpacked_init(&message);
  size_t at = 0;
  if (msgpack_unpack_next(&message, bytes, length, &at) == MSGPACK_UNPACK_SUCCESS && at == length) {
    msgpack_sbuffer written;
    msgpack_packer packer;
    msgpack_sbuffer_init(&written);
    msgpack_packer_init(&packer, &written, msgpack_sbuffer_write);
    msgpack_pack_object(&packer, message.data);
    outcome(out, 0, written.data, written.size);
    msgpack_sbuffer_destroy(&written);
  } else {
    outcome(out, 1, "refused", 7);
  }
  msgpack_unpacked_destroy(&message);
}

int main(void) {
  char head[4];
  while (fread(head, 1, 4, stdin) == 4) {
    size_t size = length_at(head);
    char *frame = malloc(size);
    if (frame == NULL || fread(frame, 1, size, stdin) != size) return 1;
    msgpack_sbuffer answer;
    msgpack_sbuffer_init(&answer);
    for (size_t at = 4 + length_at(frame); at < size; at += 4 + length_at(frame + at))
      transcode(&answer, frame + at + 4, length_at(frame + at));
    uint32_t length = htonl((uint32_t)answer.size);
    fwrite(&length, 4, 1, stdout);
    fwrite(answer.data, 1, answer.size, stdout);
    fflush(stdout);
    msgpack_sbuffer_destroy(&answer);
    free(frame);
  }
  return 0;
}
