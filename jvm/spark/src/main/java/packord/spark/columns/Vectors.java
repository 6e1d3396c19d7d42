package packord.spark.columns;

import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.vectorized.ColumnVector;

/** Vectors of numbers that are there as an array. */
public final class Vectors {
  private Vectors() {}

  /** Returns longs without nulls; the first is {@code values[from]}. */
  public static ColumnVector of(long[] values, int from) {
    return new Vector.Longs(DataTypes.LongType, values, from, null, 0);
  }

  /** Returns doubles without nulls; the first is {@code values[from]}. */
  public static ColumnVector of(double[] values, int from) {
    return new Vector.Doubles(DataTypes.DoubleType, values, from, null, 0);
  }
}
