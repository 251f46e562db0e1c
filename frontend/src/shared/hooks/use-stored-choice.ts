import { useCallback, useState } from 'react';
import { stored } from '../preferences/stored';

/**
 * One of a few choices that this browser remembers, with its setter. `initial` holds until somebody chooses, also when it
 * becomes another one; what is no choice any more counts for none.
 */
export function useStoredChoice<T extends string>(
  name: string,
  choices: readonly T[],
  initial: T,
): [T, (value: T) => void] {
  const [choice, setChoice] = useState<T | undefined>(() => choices.find((known) => known === stored.get(name)));
  const change = useCallback(
    (value: T) => {
      setChoice(value);
      stored.set(name, value);
    },
    [name],
  );
  return [choice ?? initial, change];
}
