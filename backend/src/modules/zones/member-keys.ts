import { foldForSearch } from '../../platform/text/fold.js';

interface Named {
  readonly email: string;
  readonly firstName?: string | null;
  readonly lastName?: string | null;
  readonly username?: string | null;
}

/** The columns of a membership by which members are sorted and searched. A last name "." stands for none. */
export function nameKeys(person: Named): { name_key: string; search_key: string } {
  const lastName = person.lastName === '.' ? '' : (person.lastName ?? '');
  const name = `${person.firstName ?? ''} ${lastName}`.trim();
  return {
    name_key: foldForSearch(name).slice(0, 255),
    search_key: foldForSearch(`${name} ${person.username ?? ''} ${person.email}`.trim()),
  };
}
