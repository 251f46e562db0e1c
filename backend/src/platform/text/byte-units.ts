/** Binary units in bytes; "100 MB" and "1 GB" in plans and limits mean these. */
export const KIB = 2 ** 10;
export const MIB = 2 ** 20;
export const GIB = 2 ** 30;

const units = ['B', 'KB', 'MB', 'GB'];

/** Returns a size for messages in any language: `100 MB`, `2.5 GB`. */
export function formatBinarySize(bytes: number): string {
  const index = bytes < KIB ? 0 : Math.min(units.length - 1, Math.floor(Math.log2(bytes) / 10));
  return `${Math.round((bytes / KIB ** index) * 10) / 10} ${units[index]}`;
}
