import { createContext, useContext } from 'react';
import type { Schema } from '../api/client';
import { useFormat } from '../hooks/use-format';
import { useSite } from './use-site';

/** What public pages tell of this installation. The server knows the same names (modules/site/page-marks.ts). */
const names = [
  'year',
  'name',
  'director',
  'type',
  'address',
  'phone',
  'phoneNumber',
  'email',
  'creators',
  'files',
  'people',
] as const;
export type Fact = (typeof names)[number];
type Facts = Readonly<Record<Fact, string | null>>;

/** True while the build draws a page: what is told then stands in it as marks, which the server fills in. */
export const Drawing = createContext(false);

const marks = Object.fromEntries(names.map((name) => [name, `[[${name}]]`])) as Record<Fact, string>;

/** The facts as they are written in the language of the page; null for what is not known. */
export function useFacts(): Facts {
  const drawing = useContext(Drawing);
  const format = useFormat();
  const { data: site } = useSite();
  return drawing ? marks : written(site, format.number);
}

function written(site: Schema<'SiteDto'> | undefined, number: (value: number) => string): Facts {
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
    creators: count(site?.figures.creators),
    files: count(site?.figures.files),
    people: count(site?.figures.people),
  };
}
