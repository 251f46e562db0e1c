import { useCallback, useState } from 'react';
import { stored } from '../preferences/stored';

/** One of a few choices that this browser remembers, with its setter. What is no choice any more counts as `initial`. */
export function useStoredChoice<T extends string>(
  name: string,
  choices: readonly T[],
  initial: T,
): [T, (value: T) => void] {
  const [choice, setChoice] = useState<T>(() => choices.find((known) => known === stored.get(name)) ?? initial);
  const change = useCallback(
    (value: T) => {
      setChoice(value);
      stored.set(name, value);
    },
    [name],
  );
  return [choice, change];
}
