import type { Person } from '../../shared/format/person';

export interface FullName {
  firstName: string;
  lastName: string;
}

/** Splits a name at its first space. One word is a first name, with "." for the last. */
export function splitName(name: string): FullName {
  const [firstName = '', ...rest] = name.trim().split(/\s+/);
  return { firstName, lastName: rest.join(' ') || '.' };
}

/** First and last name as one; empty when there is none. */
export function joinName({ firstName, lastName }: Person): string {
  const visibleLastName = lastName?.trim() === '.' ? '' : lastName?.trim();
  return [firstName?.trim(), visibleLastName].filter(Boolean).join(' ');
}

/** What a username may hold of what was typed: lower-case letters, digits, underscores and dashes. */
export function sanitiseUsername(input: string): string {
  return input.toLowerCase().replace(/[^a-z0-9_-]/g, '');
}
