/** Returns the local date of a moment, as the value of a date field; empty for never. */
export function toDateInputValue(moment: string | null): string {
  if (moment === null) return '';
  const date = new Date(moment);
  const pad = (part: number) => String(part).padStart(2, '0');
  return `${String(date.getFullYear()).padStart(4, '0')}-${pad(date.getMonth() + 1)}-${pad(date.getDate())}`;
}

/** Returns the end of a local day as an ISO timestamp for the server; null for no day. */
export function toEndOfDay(day: string): string | null {
  if (day === '') return null;
  const end = new Date(`${day}T23:59:59.999`);
  // Invalid dates are passed on, so that the server returns an error message.
  return Number.isNaN(end.getTime()) ? day : end.toISOString();
}
