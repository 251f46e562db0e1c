import type { Schema } from '../../shared/api/client';
import type { Sort } from '../../shared/browse/sort';
import type { Language } from '../../shared/preferences/language';

export type Zone = Schema<'ZoneDto'>;

export const zoneSortKeys = ['name', 'type', 'files', 'members', 'updated'] as const;
export type ZoneSortKey = (typeof zoneSortKeys)[number];

type Compare = (a: Zone, b: Zone) => number;

/** Sorts favourites first, then by the chosen key, then by name. Names are compared by the rules of the language. */
export function sortZones(zones: readonly Zone[], { by, order }: Sort<ZoneSortKey>, language: Language): Zone[] {
  const { compare } = new Intl.Collator(language, { numeric: true });
  const byName: Compare = (a, b) => compare(a.name, b.name);
  const keys: Record<ZoneSortKey, Compare> = {
    name: byName,
    type: (a, b) => compare(a.type, b.type),
    files: (a, b) => a.fileCount - b.fileCount,
    members: (a, b) => a.memberCount - b.memberCount,
    updated: (a, b) => Date.parse(a.updatedAt) - Date.parse(b.updatedAt),
  };
  const direction = order === 'asc' ? 1 : -1;
  return zones.toSorted(
    (a, b) => Number(b.isFavorite) - Number(a.isFavorite) || direction * keys[by](a, b) || byName(a, b) || a.id - b.id,
  );
}
