import { useEffect, useRef, useState } from 'react';
import { useDebounced } from '../../hooks/use-debounced';
import { PasswordJudge } from './judge-client';
import type { PasswordEvaluation, PasswordOwner } from './judging';

/** Long enough that a screen reader is not interrupted at every letter. */
const afterTyping = 250;
/** What is shorter is refused for that alone. */
const shortest = 8;

/**
 * What the server is going to say of a password, shortly after typing stops; null while that is not known.
 * @param wanted false until somebody is about to type: judging loads large dictionaries
 */
export function useJudgement(password: string, owner: PasswordOwner, wanted: boolean): PasswordEvaluation | null {
  const judge = useRef<PasswordJudge | null>(null);
  const [judgement, setJudgement] = useState<PasswordEvaluation | null>(null);
  const settled = useDebounced(JSON.stringify({ password, owner }), afterTyping);

  useEffect(() => {
    if (!wanted) return;
    const made = new PasswordJudge(setJudgement);
    judge.current = made;
    return () => {
      judge.current = null;
      made.end();
    };
  }, [wanted]);

  useEffect(() => {
    const asked = JSON.parse(settled) as { password: string; owner: PasswordOwner };
    if (asked.password) judge.current?.ask(asked.password, asked.owner);
  }, [settled, wanted]);

  // While somebody types on, the last judgement stays: a meter that comes and goes is hard to read.
  return password.length < shortest ? null : judgement;
}
