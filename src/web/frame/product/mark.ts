/** The mark of the product, lines of two in a square of sixteen: the scale of a tide gauge, and waves. */
export const markLines =
  "M5 0v16M1 1h4M2.5 4.5H5M1 8h4M2.5 11.5H5M1 15h4" +
  "M7 9q2.2-3 4.5 0t4.5 0M7 13.5q2.2-3 4.5 0t4.5 0"
