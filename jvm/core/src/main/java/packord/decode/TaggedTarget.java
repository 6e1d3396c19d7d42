package packord.decode;

import java.util.Map;
import packord.PackordException;

/**
 * Reads a map into the class that an entry of it, the tag, names. If others come before the tag, or the class has it as
 * a property, they are passed until the tag is found, and the map is read from its begin.
 */
final class TaggedTarget implements Target {
    private final Class<?> type;
    private final String tag;
    private final Map<String, BeanTarget> targets;

    TaggedTarget(Class<?> type, String tag, Map<String, BeanTarget> targets) {
        this.type = type;
        this.tag = tag;
        this.targets = targets;
    }

    private final class Fields implements TypedReader.Entries {
        private final TypedReader in;
        private final boolean reads;
        private boolean isFirst = true;
        private boolean isTag;

        /** What the tag names, once it was read. */
        BeanTarget target;

        /** Takes the entries after a tag that came first and is not a property; else null. */
        BeanTarget.Fields fields;

        /**
         * Makes the entries of a map, whose values before the tag are read, to find what is wrong with them, or passed.
         */
        Fields(TypedReader in, boolean reads) {
            this.in = in;
            this.reads = reads;
        }

        @Override
        public Target keys() {
            return BeanTarget.NAMES;
        }

        @Override
        public void key(Object key, int keyOffset) {
            if (fields != null) fields.key(key, keyOffset);
            else isTag = target == null && tag.equals(key);
        }

        @Override
        public void value(int depth, long pending) {
            if (fields != null) {
                fields.value(depth, pending);
            } else if (isTag) {
                readTag(depth, pending);
            } else if (reads) {
                in.read(depth, pending);
            } else {
                in.skip();
            }
            isFirst = false;
        }

        private void readTag(int depth, long pending) {
            int markerOffset = in.pos;
            Object name = BeanTarget.NAMES.read(in, depth, pending);
            target = name == null ? null : targets.get(name);
            if (target == null) {
                throw in.mismatch(markerOffset, PackordException.detail("unknown variant", String.valueOf(name)));
            }
            if (isFirst && !target.hasProperty(tag)) fields = target.fields(in);
        }
    }

    @Override
    public Object read(TypedReader in, int depth, long pending) {
        if (!in.isMap()) return in.ofExtension(type, "a map", depth, pending);
        int markerOffset = in.pos;
        RecordDecoder.Place start = in.new Place();
        Fields entries = new Fields(in, false);
        boolean isFound = false;
        try {
            in.entries(entries, depth, pending);
            isFound = entries.target != null;
        } catch (RuntimeException fault) {
            PackordException.of(fault);
            if (entries.fields != null) throw fault;
        }
        if (!isFound) {
            // The first fault may be one of a value that was passed.
            start.goBack();
            entries = new Fields(in, true);
            in.entries(entries, depth, pending);
        }
        if (entries.fields != null) return entries.fields.make(markerOffset);
        if (entries.target == null) throw in.mismatch(markerOffset, PackordException.detail("missing field", tag));
        start.goBack();
        return entries.target.read(in, depth, pending);
    }
}
