/** The Network Information API, which not all browsers support. */
interface NetworkConnection {
  readonly saveData?: boolean;
  readonly effectiveType?: string;
}

/**
 * Whether to save data: the user asked for it, or the connection is slow. Then optional sharper images aren't loaded.
 */
export function isDataSaverOn(): boolean {
  const { connection } = navigator as Navigator & { connection?: NetworkConnection };
  return connection?.saveData === true || /2g|3g/.test(connection?.effectiveType ?? '');
}
