import { useEffect, useRef, useState } from 'react';
import { useDebounced } from '../../hooks/use-debounced';
import { PasswordEvaluatorClient } from './password-evaluator-client';
import type { PasswordEvaluation, PasswordOwner } from './password-evaluator';

/** Long enough that a screen reader is not interrupted at every letter. */
const EVALUATION_DEBOUNCE = 250;
/** What is shorter is refused for that alone. */
const MIN_PASSWORD_LENGTH = 8;

/**
 * What the server is going to say of a password, shortly after typing stops; null while that is not known.
 * @param wanted false until somebody is about to type: judging loads large dictionaries
 */
export function usePasswordEvaluation(
  password: string,
  owner: PasswordOwner,
  enabled: boolean,
): PasswordEvaluation | null {
  const clientRef = useRef<PasswordEvaluatorClient | null>(null);
  const [evaluation, setEvaluation] = useState<PasswordEvaluation | null>(null);
  const debouncedInput = useDebounced(JSON.stringify({ password, owner }), EVALUATION_DEBOUNCE);

  useEffect(() => {
    if (!enabled) return;
    const client = new PasswordEvaluatorClient(setEvaluation);
    clientRef.current = client;
    return () => {
      clientRef.current = null;
      client.terminate();
    };
  }, [enabled]);

  useEffect(() => {
    const input = JSON.parse(debouncedInput) as { password: string; owner: PasswordOwner };
    if (input.password) clientRef.current?.evaluate(input.password, input.owner);
  }, [debouncedInput, enabled]);

  // While somebody types on, the last judgement stays: a meter that comes and goes is hard to read.
  return password.length < MIN_PASSWORD_LENGTH ? null : evaluation;
}
