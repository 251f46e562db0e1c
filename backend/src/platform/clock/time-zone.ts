/** True for IANA time zone names such as Europe/Istanbul; false for offsets such as +03:00. */
export function isTimeZone(value: unknown): boolean {
  if (typeof value !== 'string' || value.length > 60 || !/^[A-Za-z][\w+/-]*$/.test(value)) return false;
  try {
    new Intl.DateTimeFormat('en', { timeZone: value });
    return true;
  } catch {
    return false;
  }
}
