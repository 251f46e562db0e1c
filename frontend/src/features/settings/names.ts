import { lastNameOf, NO_LAST_NAME, type Person } from '../../shared/format/person';

export interface FullName {
  firstName: string;
  lastName: string;
}

/** Splits a name at its first space. A single word becomes the first name, with the placeholder for no last name. */
export function splitName(name: string): FullName {
  const [firstName = '', ...rest] = name.trim().split(/\s+/);
  return { firstName, lastName: rest.join(' ') || NO_LAST_NAME };
}

/** Joins first and last name; empty if there is none. */
export function joinName({ firstName, lastName }: Person): string {
  return [firstName?.trim(), lastNameOf({ lastName })].filter(Boolean).join(' ');
}

/** Removes what a username can't contain: keeps lower-case letters, digits, underscores and dashes. */
export function sanitiseUsername(input: string): string {
  return input.toLowerCase().replace(/[^a-z0-9_-]/g, '');
}
