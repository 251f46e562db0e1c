import type { Schema } from '../../shared/api/client';

export type ZoneFigures = Schema<'ZoneFiguresDto'>;
export const zoneColumns = ['fileCount', 'memberCount', 'views', 'downloads'] as const;
export type ZoneColumn = (typeof zoneColumns)[number] | 'name';

/** Sorts zones by a column: figures in descending order, names from A to Z; ties by name. */
export function sortZones(zones: readonly ZoneFigures[], column: ZoneColumn, language: string): ZoneFigures[] {
  const collator = new Intl.Collator(language, { numeric: true });
  const byName = (a: ZoneFigures, b: ZoneFigures) => collator.compare(a.name, b.name);
  return [...zones].sort((a, b) => (column === 'name' ? 0 : b[column] - a[column]) || byName(a, b));
}
