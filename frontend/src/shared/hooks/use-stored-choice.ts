import { useCallback, useState } from 'react';
import { browserStorage } from '../preferences/browser-storage';

/**
 * One of a few choices that this browser remembers, with its setter. `initial` holds until somebody chooses, also when it
 * becomes another one; what is no choice any more counts for none.
 */
export function useStoredChoice<T extends string>(
  name: string,
  choices: readonly T[],
  defaultChoice: T,
): [T, (value: T) => void] {
  const [choice, setChoice] = useState<T | undefined>(() =>
    choices.find((option) => option === browserStorage.get(name)),
  );
  const change = useCallback(
    (value: T) => {
      setChoice(value);
      browserStorage.set(name, value);
    },
    [name],
  );
  return [choice ?? defaultChoice, change];
}
