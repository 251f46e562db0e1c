interface Named {
  readonly firstName?: string | null;
  readonly lastName?: string | null;
}

/** First and last name as people read them; a last name "." stands for none. */
export function personName({ firstName, lastName }: Named): string {
  return [firstName, lastName === '.' ? null : lastName].filter(Boolean).join(' ');
}
