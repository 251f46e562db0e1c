import { useEffect, useState } from 'react';

/** Gives `value` once it has not changed for `delayMs`; until then the one before. */
export function useDebounced<T>(value: T, delayMs: number): T {
  const [debouncedValue, setDebouncedValue] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setDebouncedValue(value), delayMs);
    return () => clearTimeout(timer);
  }, [value, delayMs]);
  return debouncedValue;
}
