import { useFormat } from '../hooks/use-format';
import { useSite, type Site } from './use-site';

/** What public pages tell of this installation. */
export type Fact =
  | 'year'
  | 'name'
  | 'director'
  | 'type'
  | 'address'
  | 'phone'
  | 'phoneNumber'
  | 'email'
  | 'creators'
  | 'files'
  | 'people';
type Facts = Readonly<Record<Fact, string | null>>;

/** The facts as they are written in the language of the page; null for what is not known. */
export function useFacts(): Facts {
  const format = useFormat();
  const { data: site } = useSite();
  return written(site, format.number);
}

function written(site: Site | undefined, number: (value: number) => string): Facts {
  const { name, director, type, address, phone } = site?.company ?? {};
  const count = (value: number | null | undefined) => (value == null ? null : number(value));
  return {
    year: String(new Date().getFullYear()),
    name: name ?? null,
    director: director ?? null,
    type: type ?? null,
    address: address ?? null,
    phone: phone ?? null,
    phoneNumber: phone?.replace(/[^\d+]/g, '') ?? null,
    email: site?.contactEmail ?? null,
    creators: count(site?.figures?.creators),
    files: count(site?.figures?.files),
    people: count(site?.figures?.people),
  };
}
