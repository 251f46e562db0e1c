/** The day of a moment in the viewer's calendar, as a date field has it; empty for never. */
export function toDateInputValue(moment: string | null): string {
  if (moment === null) return '';
  const date = new Date(moment);
  const pad = (part: number) => String(part).padStart(2, '0');
  return `${String(date.getFullYear()).padStart(4, '0')}-${pad(date.getMonth() + 1)}-${pad(date.getDate())}`;
}

/** The end of a day in the viewer's calendar, as the server takes it; null for no day. */
export function toEndOfDay(day: string): string | null {
  if (day === '') return null;
  const end = new Date(`${day}T23:59:59.999`);
  // What is no day is left for the server to refuse in words.
  return Number.isNaN(end.getTime()) ? day : end.toISOString();
}
