/** The result of a check: one sentence, which says what to do if necessary. */
export interface Finding {
  readonly part: string;
  /** `bad`: the app doesn't work; `warn`: it works, with limitations. */
  readonly level: 'ok' | 'warn' | 'bad';
  readonly sentence: string;
}

/** Creates findings of one part. */
export const createFindings = (part: string) => ({
  ok: (sentence: string): Finding => ({ part, level: 'ok', sentence }),
  warn: (sentence: string): Finding => ({ part, level: 'warn', sentence }),
  bad: (sentence: string): Finding => ({ part, level: 'bad', sentence }),
});

/** Returns a short reason for a failure, without secrets. */
export function describeReason(error: unknown): string {
  const { code, message } = error as { code?: string; message?: string };
  return (code ?? message ?? 'unknown').replace(/\/\/[^@\s]*@/g, '//…@').slice(0, 200);
}
