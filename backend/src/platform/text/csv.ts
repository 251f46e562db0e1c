/** What spreadsheets interpret as the start of a formula, including leading spaces. */
const FORMULA = /^[\s]*[=+\-@\t\r]/;

/**
 * Formats a CSV line (RFC 4180), including the line end. Text that a spreadsheet would run as a formula is prefixed
 * with an apostrophe.
 */
export function csvLine(cells: readonly (string | number | boolean | Date | null)[]): string {
  return `${cells.map(csvCell).join(',')}\r\n`;
}

function csvCell(value: string | number | boolean | Date | null): string {
  if (value === null) return '';
  if (value instanceof Date) return value.toISOString();
  if (typeof value !== 'string') return String(value);
  const safe = FORMULA.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
