/** Any part may be missing. */
export interface Person {
  firstName?: string | null;
  lastName?: string | null;
  email?: string | null;
  profileImageUrl?: string | null;
}

/** Stored as the last name of people with a one-word name. */
export const NO_LAST_NAME = '.';

/** Returns the last name; empty if there is none. */
export function lastNameOf({ lastName }: Pick<Person, 'lastName'>): string {
  const name = lastName?.trim() ?? '';
  return name === NO_LAST_NAME ? '' : name;
}

/** First and last name, else the email address, else an empty string. */
export function displayNameOf(person: Person): string {
  const name = [person.firstName?.trim() ?? '', lastNameOf(person)].filter(Boolean).join(' ');
  return name || (person.email ?? '');
}

/** First letter of the first name, else of the email address, else U. */
export function initialOf(person: Person): string {
  const source = person.firstName?.trim() || person.email?.trim() || 'U';
  return (Array.from(source)[0] ?? 'U').toLocaleUpperCase();
}
