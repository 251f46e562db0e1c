/**
 * A list of constants that nobody can change, its entries neither: many share it, and one that sorted it in place would
 * change it for all of them. Every exported list of constants is made by this (a rule of the linter).
 */
export function freezeList<const T extends readonly unknown[]>(entries: T): T {
  return deepFreeze(entries);
}

function deepFreeze<T>(value: T): T {
  if (value === null || typeof value !== 'object' || Object.isFrozen(value)) return value;
  Object.values(value).forEach(deepFreeze);
  return Object.freeze(value);
}
