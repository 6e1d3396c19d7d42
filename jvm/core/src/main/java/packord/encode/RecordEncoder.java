package packord.encode;

import java.util.Arrays;
import packord.Options;
import packord.record.EncoderStructures;
import packord.record.Structure;

/** The part of the encoder that writes ids and definitions of records. */
abstract class RecordEncoder extends ScalarEncoder {
    /** Makes an encoder. */
    RecordEncoder(Options options) {
        super(options);
    }

    /** Writes the id of a structure, after its definition if needed. False if it cannot have one. */
    final boolean recordHeader(EncoderStructures records, Structure structure) {
        EncoderStructures.Use use = records.use(structure);
        if (use == EncoderStructures.Use.PLAIN) return false;
        if (use == EncoderStructures.Use.DEFINE) {
            extHeader(Structure.EXT_TYPE, records.idLength(structure));
        }
        int id = records.id(structure);
        put(id & 0xff);
        if (records.idLength(structure) == 2) put(id >> 8);
        if (use == EncoderStructures.Use.DEFINE) definedKeys(structure);
        return true;
    }

    private void definedKeys(Structure structure) {
        byte[] packed = structure.packedKeys();
        if (packed != null) {
            raw(packed, 0, packed.length);
        } else {
            hold();
            int start = pos;
            arrayHeader(structure.size());
            for (String key : structure.keys()) str(key);
            structure.rememberPacked(Arrays.copyOfRange(buf, start, pos));
            letGo();
        }
    }
}
