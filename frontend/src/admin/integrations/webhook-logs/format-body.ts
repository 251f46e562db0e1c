/** No sender nests JSON this deeply; indented, such a body would grow to many times its size. */
const MAX_DEPTH = 100;

/** Pretty-prints JSON; returns anything else unchanged. */
export function formatBody(body: string): string {
  try {
    const value: unknown = JSON.parse(body);
    return isWithinDepth(value, MAX_DEPTH) ? JSON.stringify(value, null, 2) : body;
  } catch {
    return body;
  }
}

function isWithinDepth(value: unknown, maxDepth: number): boolean {
  if (typeof value !== 'object' || value === null) return true;
  return maxDepth > 0 && Object.values(value).every((inner) => isWithinDepth(inner, maxDepth - 1));
}
