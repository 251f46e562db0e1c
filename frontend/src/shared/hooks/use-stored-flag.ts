import { useCallback, useState } from 'react';
import { stored } from '../preferences/stored';

/** A yes or no that this browser remembers, with its setter. */
export function useStoredFlag(name: string, initial: boolean): [boolean, (value: boolean) => void] {
  const [flag, setFlag] = useState(() => {
    const value = stored.get(name);
    return value === null ? initial : value === 'true';
  });
  const change = useCallback(
    (value: boolean) => {
      setFlag(value);
      stored.set(name, String(value));
    },
    [name],
  );
  return [flag, change];
}
