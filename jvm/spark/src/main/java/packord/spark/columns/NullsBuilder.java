package packord.spark.columns;

import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.vectorized.ColumnVector;

/** Makes vectors of the type that has no value but null. */
final class NullsBuilder extends VectorBuilder {
    NullsBuilder(DataType type, Rules rules) {
        super(type, rules);
    }

    @Override
    ColumnVector vector() {
        return new Vector.Nulls(type, nulls, nullCount);
    }
}
