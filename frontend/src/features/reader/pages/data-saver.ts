/** What browsers that know it tell of the line. */
interface NetworkConnection {
  readonly saveData?: boolean;
  readonly effectiveType?: string;
}

/** Whether somebody wants few bytes, or the line carries few: then nothing is fetched that is only nicer. */
export function isDataSaverOn(): boolean {
  const { connection } = navigator as Navigator & { connection?: NetworkConnection };
  return connection?.saveData === true || /2g|3g/.test(connection?.effectiveType ?? '');
}
