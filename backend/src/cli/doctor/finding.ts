/** What was found of one part, in a sentence that says what to do if anything is to be done. */
export interface Finding {
  readonly part: string;
  /** `bad`: the product does not work with it; `warn`: it works, and something will be missed. */
  readonly level: 'ok' | 'warn' | 'bad';
  readonly sentence: string;
}

/** Makes the findings of one part. */
export const createFindings = (part: string) => ({
  ok: (sentence: string): Finding => ({ part, level: 'ok', sentence }),
  warn: (sentence: string): Finding => ({ part, level: 'warn', sentence }),
  bad: (sentence: string): Finding => ({ part, level: 'bad', sentence }),
});

/** Why something failed, in few words that hold no secret. */
export function describeReason(error: unknown): string {
  const { code, message } = error as { code?: string; message?: string };
  return (code ?? message ?? 'unknown').replace(/\/\/[^@\s]*@/g, '//…@').slice(0, 200);
}
