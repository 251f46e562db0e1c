import type { Schema } from '../../shared/api/client';
import type { Sort } from '../../shared/browse/sort';
import type { Language } from '../../shared/preferences/language';

export type SharedZone = Schema<'ZoneDto'>;

export const sharedSortKeys = ['name', 'role', 'updated'] as const;
export type SharedSortKey = (typeof sharedSortKeys)[number];

type Compare = (a: SharedZone, b: SharedZone) => number;

const roleRank: Record<SharedZone['memberRole'], number> = { member: 0, admin: 1, owner: 2 };

/** Sorts favourites first, then by the chosen key, then by name. Roles are ordered by their permissions. */
export function sortSharedZones(
  zones: readonly SharedZone[],
  { by, order }: Sort<SharedSortKey>,
  language: Language,
): SharedZone[] {
  const { compare } = new Intl.Collator(language, { numeric: true });
  const byName: Compare = (a, b) => compare(a.name, b.name);
  const keys: Record<SharedSortKey, Compare> = {
    name: byName,
    role: (a, b) => roleRank[a.memberRole] - roleRank[b.memberRole],
    updated: (a, b) => Date.parse(a.updatedAt) - Date.parse(b.updatedAt),
  };
  const direction = order === 'asc' ? 1 : -1;
  return zones.toSorted(
    (a, b) => Number(b.isFavorite) - Number(a.isFavorite) || direction * keys[by](a, b) || byName(a, b) || a.id - b.id,
  );
}
