package packord.encode;

import java.math.BigInteger;
import java.util.function.Consumer;
import packord.ExtensionPacker;

/**
 * What an extension writes to. It lives for one value, or for the payload of one ext, and then refuses to write. It
 * holds an extension to its promise of exactly one value.
 */
final class SingleValuePacker implements ExtensionPacker {
    private final Encoder encoder;
    private final boolean inPayload;
    private boolean closed;
    private int values;
    private long payloadLeft;
    private boolean broken;
    private RuntimeException refusal;

    /** Makes a packer of one value; {@code inPayload} allows any number of values and bytes. */
    SingleValuePacker(Encoder encoder, boolean inPayload) {
        this.encoder = encoder;
        this.inPayload = inPayload;
    }

    @Override
    public void packExtension(int type, byte[] payload) {
        beginValue();
        encoder.extension(type, payload);
    }

    @Override
    public void packExtensionOf(int type, Consumer<ExtensionPacker> content) {
        beginValue();
        boolean done = false;
        try {
            encoder.extensionOf(type, content);
            done = true;
        } finally {
            broken |= !done;
        }
    }

    @Override
    public void packBigInteger(BigInteger value) {
        beginValue();
        encoder.anyInteger(value);
    }

    @Override
    public void packValue(Object value) {
        write(value, inPayload);
    }

    @Override
    public void packScalar(Object value) {
        write(value, false);
    }

    private void write(Object value, boolean inContainer) {
        beginValue();
        int start = encoder.pos;
        int depth = encoder.depth;
        boolean done = false;
        encoder.hold();
        try {
            if (inContainer) encoder.enter(null);
            encoder.write(value);
            encoder.depth = depth;
            done = true;
        } finally {
            encoder.letGo();
            if (!done) failed(start, depth);
        }
    }

    /** An extension may catch the error and write another value, unless a part was written. */
    private void failed(int start, int depth) {
        encoder.depth = depth;
        values--;
        broken |= encoder.pos != start;
    }

    @Override
    public void packExtensionTypeHeader(byte type, int length) {
        beginValue();
        encoder.extensionHeader(type, length);
        payloadLeft = length;
    }

    @Override
    public void writePayload(byte[] payload) {
        checkOpen();
        if (!inPayload && payload.length > payloadLeft) {
            throw refuse("more bytes of payload than its header announces");
        }
        payloadLeft -= payload.length;
        encoder.raw(payload, 0, payload.length);
    }

    private void beginValue() {
        checkOpen();
        if (values++ > 0 && !inPayload) throw refuse("more than one value");
    }

    private void checkOpen() {
        if (closed) throw encoder.refused("an extension wrote after its value was finished");
    }

    private RuntimeException refuse(String what) {
        refusal = encoder.refused("an extension wrote " + what);
        return refusal;
    }

    /** Refuses all writing from now on. */
    void close() {
        closed = true;
    }

    /** Checks that the extension has written one whole value, or a whole payload. */
    void checkComplete() {
        if (refusal != null) throw refusal;
        if (broken) throw refuse("a part of a value");
        if (inPayload) return;
        if (values == 0) throw refuse("no value");
        if (payloadLeft > 0) throw refuse("fewer bytes of payload than its header announces");
    }
}
