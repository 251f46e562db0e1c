/**
 * Returns the list deeply frozen. Constants are shared, so sorting one in place would change it for everybody. A lint
 * rule requires this function for every exported list of constants.
 */
export function freezeList<const T extends readonly unknown[]>(entries: T): T {
  return deepFreeze(entries);
}

function deepFreeze<T>(value: T): T {
  if (value === null || typeof value !== 'object' || Object.isFrozen(value)) return value;
  Object.values(value).forEach(deepFreeze);
  return Object.freeze(value);
}
