import { useCallback, useState } from 'react';
import { browserStorage } from '../preferences/browser-storage';

/**
 * One of a few choices remembered in this browser, with its setter. `defaultChoice` applies until the user chooses,
 * even when it changes. A stored value that is no longer a choice is ignored.
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
