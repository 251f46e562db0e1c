import { useCallback, useState } from 'react';
import { browserStorage } from '../preferences/browser-storage';

/** A boolean remembered in this browser, with its setter. */
export function useStoredFlag(name: string, defaultValue: boolean): [boolean, (value: boolean) => void] {
  const [flag, setFlag] = useState(() => {
    const value = browserStorage.get(name);
    return value === null ? defaultValue : value === 'true';
  });
  const change = useCallback(
    (value: boolean) => {
      setFlag(value);
      browserStorage.set(name, String(value));
    },
    [name],
  );
  return [flag, change];
}
