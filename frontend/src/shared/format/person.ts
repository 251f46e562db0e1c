/** Any part may be missing. */
export interface Person {
  firstName?: string | null;
  lastName?: string | null;
  email?: string | null;
  profileImageUrl?: string | null;
}

/** A last name of "." means none: people with a one-word name are stored with it. */
function lastNameOf({ lastName }: Person): string {
  const name = lastName?.trim() ?? '';
  return name === '.' ? '' : name;
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
