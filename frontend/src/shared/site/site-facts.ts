import { useFormat } from '../hooks/use-format';
import { useSite, type Site } from './use-site';

/** Facts about this installation that public pages show. */
export type SiteFact =
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
type SiteFacts = Readonly<Record<SiteFact, string | null>>;

/** The facts, formatted in the page's language; null if unknown. */
export function useSiteFacts(): SiteFacts {
  const format = useFormat();
  const { data: site } = useSite();
  return formatFacts(site, format.number);
}

function formatFacts(site: Site | undefined, formatNumber: (value: number) => string): SiteFacts {
  const { name, director, type, address, phone } = site?.company ?? {};
  const count = (value: number | null | undefined) => (value == null ? null : formatNumber(value));
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
