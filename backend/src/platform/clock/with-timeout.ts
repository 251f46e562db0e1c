/**
 * What a promise resolves to, if it does so in time; the work behind it goes on.
 * @param patience milliseconds
 * @throws Error with `sentence` when it takes longer
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
