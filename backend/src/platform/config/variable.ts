/** An environment variable: its parser, description and default. */
export interface Variable<T> {
  readonly name: string;
  readonly parse: (value: string) => T;
  /** The value when the variable is unset or empty; documented as `shownDefault`. */
  readonly fallback: T;
  readonly shownDefault: string;
  readonly description: string;
}

/** Defines a variable. The documentation shows its default as it is unless `shown` is given. */
export function variable<T>(
  name: string,
  parse: (value: string) => T,
  fallback: T,
  about: string,
  shown = String(fallback ?? ''),
): Variable<T> {
  return { name, parse, fallback, shownDefault: shown, description: about };
}

/** Default of variables that have no value when unset. */
export const optional = null as string | null;
