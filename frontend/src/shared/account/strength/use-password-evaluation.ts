import { useEffect, useRef, useState } from 'react';
import { useDebounced } from '../../hooks/use-debounced';
import { PasswordEvaluatorClient } from './password-evaluator-client';
import type { PasswordEvaluation, PasswordOwner } from './password-evaluator';

/** In milliseconds; long enough not to interrupt a screen reader at every letter. */
const EVALUATION_DEBOUNCE = 250;
/** Shorter passwords are rejected for their length alone. */
const MIN_PASSWORD_LENGTH = 8;

/**
 * Predicts the server's evaluation of a password, shortly after typing stops; null while unknown.
 * @param enabled false until the user is about to type: evaluating loads large dictionaries
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

  // The last evaluation stays visible while the user types on; a flickering meter is hard to read.
  return password.length < MIN_PASSWORD_LENGTH ? null : evaluation;
}
