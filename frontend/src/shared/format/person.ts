/** What is known of a person; any part may be missing. */
export interface Person {
  firstName?: string | null;
  lastName?: string | null;
  email?: string | null;
  profileImageUrl?: string | null;
}

/** A last name of "." stands for none: it is what a one-word name is stored with. */
function lastNameOf({ lastName }: Person): string {
  const name = lastName?.trim() ?? '';
  return name === '.' ? '' : name;
}

/** First and last name, else the e-mail address, else an empty text. */
export function displayNameOf(person: Person): string {
  const name = [person.firstName?.trim() ?? '', lastNameOf(person)].filter(Boolean).join(' ');
  return name || (person.email ?? '');
}

/** The first letter of the first name, else of the e-mail address, else U. */
export function initialOf(person: Person): string {
  const source = person.firstName?.trim() || person.email?.trim() || 'U';
  return (Array.from(source)[0] ?? 'U').toLocaleUpperCase();
}
