/** One environment variable: how it is read, what it means, and what holds when it is not set. */
export interface Variable<T> {
  readonly name: string;
  readonly parse: (value: string) => T;
  /** The value when the variable is unset or empty; shown in the documentation as `shown`. */
  readonly fallback: T;
  readonly shownDefault: string;
  readonly description: string;
}

/** A variable whose default is shown as it is, unless `shown` says otherwise. */
export function variable<T>(
  name: string,
  parse: (value: string) => T,
  fallback: T,
  about: string,
  shown = String(fallback ?? ''),
): Variable<T> {
  return { name, parse, fallback, shownDefault: shown, description: about };
}

/** No value, unless the variable is set. */
export const optional = null as string | null;
