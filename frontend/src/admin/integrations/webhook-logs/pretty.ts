/** No sender nests its bodies so deeply; indented, a body that does would grow to many times its size. */
const deepest = 100;

/** A body as people read it: JSON in lines, anything else as it came. */
export function pretty(body: string): string {
  try {
    const value: unknown = JSON.parse(body);
    return isFlat(value, deepest) ? JSON.stringify(value, null, 2) : body;
  } catch {
    return body;
  }
}

function isFlat(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return true;
  return levels > 0 && Object.values(value).every((inner) => isFlat(inner, levels - 1));
}
