/** Binary units in bytes; "100 MB" and "1 GB" in plans and limits mean these. */
export const KIB = 2 ** 10;
export const MIB = 2 ** 20;
export const GIB = 2 ** 30;

/** Returns a size for messages in any language: `100 MB`, `2.5 GB`. */
export function formatBinarySize(bytes: number): string {
  const isLarge = bytes >= GIB;
  return `${Math.round((bytes / (isLarge ? GIB : MIB)) * 10) / 10} ${isLarge ? 'GB' : 'MB'}`;
}
