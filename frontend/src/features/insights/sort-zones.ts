import type { Schema } from '../../shared/api/client';

export type ZoneFigures = Schema<'ZoneFiguresDto'>;
export const zoneColumns = ['fileCount', 'memberCount', 'views', 'downloads'] as const;
export type ZoneColumn = (typeof zoneColumns)[number] | 'name';

/** Zones by a column: figures the highest first, names from A to Z; equal ones by name. */
export function sortedZones(zones: readonly ZoneFigures[], by: ZoneColumn, language: string): ZoneFigures[] {
  const names = new Intl.Collator(language, { numeric: true });
  const byName = (a: ZoneFigures, b: ZoneFigures) => names.compare(a.name, b.name);
  return [...zones].sort((a, b) => (by === 'name' ? 0 : b[by] - a[by]) || byName(a, b));
}
