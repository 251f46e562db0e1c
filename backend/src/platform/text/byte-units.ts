/** Binary units in bytes; "100 MB" and "1 GB" in plans and limits mean these. */
export const KIB = 2 ** 10;
export const MIB = 2 ** 20;
export const GIB = 2 ** 30;
