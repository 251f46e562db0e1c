/**
 * Resolves like `work`, or rejects after a timeout. The work itself is not cancelled.
 * @throws Error with the message `sentence` on timeout
 */
export async function withTimeout<T>(milliseconds: number, work: Promise<T>, sentence: string): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(sentence)), milliseconds);
  });
  try {
    return await Promise.race([work, timeout]);
  } finally {
    clearTimeout(timer);
  }
}
