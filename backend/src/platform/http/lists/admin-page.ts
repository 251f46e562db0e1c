import { sql, type RawBuilder, type SelectQueryBuilder } from 'kysely';
import type { AdminListQueryDto, AdminPage } from './admin-list.js';
import { countRows } from './list.js';
import { fieldError } from '../parsing/validation.js';

/** Default of `perPage`. */
const PER_PAGE = 50;

/** How a list can be sorted. */
export interface AdminSorting {
  /** Sortable fields and their columns; the first is the default, in descending order. */
  readonly fields: Readonly<Record<string, string | RawBuilder<unknown>>>;
  /** The column that makes the order unique. */
  readonly id: string;
}

/** The queries of a list. */
interface AdminListing<D, T extends keyof D, E, U extends keyof E, Row, Shown> {
  /** The rows that match the filters. */
  readonly filtered: SelectQueryBuilder<D, T, unknown>;
  /** The same with the sort columns, if `filtered` doesn't have them. */
  readonly sortable?: SelectQueryBuilder<D, T, unknown>;
  /** The displayed columns, without filters. */
  readonly rows: SelectQueryBuilder<E, U, Row>;
  readonly toRow: (row: Row) => Shown;
}

/**
 * Loads a page of an admin list. Finds the ids first, and then reads the displayed columns of only these rows. Skipping
 * the earlier pages only reads the index, so the last page costs little more than the first.
 * @throws VALIDATION_FAILED for a field that can't be sorted by
 */
export async function loadAdminPage<D, T extends keyof D, E, U extends keyof E, Row, Shown>(
  listQuery: AdminListQueryDto,
  sorting: AdminSorting,
  { filtered, sortable = filtered, rows, toRow }: AdminListing<D, T, E, U, Row, Shown>,
): Promise<AdminPage<Shown>> {
  const { page: number = 1, perPage: limit = PER_PAGE, order = 'desc' } = listQuery;
  const offset = (number - 1) * limit;
  const direction = order.toLowerCase() === 'asc' ? 'asc' : 'desc';
  const [column, id] = [sortColumn(listQuery.sort, sorting), sql.ref(sorting.id)];
  const ids = sortable
    .select(id.as('id'))
    .orderBy(column, direction)
    .orderBy(id, direction)
    .limit(limit)
    .offset(offset);
  const found = await rows
    .where(sql<boolean>`${id} in ${ids}`)
    .orderBy(column, direction)
    .orderBy(id, direction)
    .execute();
  const page = found.map((row) => toRow(row as Row));
  // If the first page isn't full, it is the whole list.
  if (offset === 0 && page.length < limit) return { rows: page, total: page.length };
  return { rows: page, total: await countRows(filtered) };
}

function sortColumn(sort: string | undefined, { fields }: AdminSorting): RawBuilder<unknown> {
  const name = sort ?? Object.keys(fields)[0]!;
  const column = Object.hasOwn(fields, name) ? fields[name] : undefined;
  if (!column)
    throw fieldError('sort', {
      en: "Sorting by this field isn't supported.",
      tr: 'Bu alana göre sıralama desteklenmiyor.',
    });
  return typeof column === 'string' ? sql.ref(column) : column;
}

/** Rows read at a time. */
export const EXPORT_BATCH = 1000;

/**
 * Yields all rows of a list, newest first, read in batches so that memory use doesn't depend on their number.
 * @param id the id column
 */
export async function* streamNewestFirst<D, T extends keyof D, Row extends { readonly id: number }, Shown>(
  rows: SelectQueryBuilder<D, T, Row>,
  id: string,
  toRow: (row: Row) => Shown,
): AsyncGenerator<Shown> {
  const newest = rows.orderBy(sql.ref(id), 'desc').limit(EXPORT_BATCH);
  for (let before: number | null = null, full = true; full;) {
    const next = before === null ? newest : newest.where(sql<boolean>`${sql.ref(id)} < ${before}`);
    const batch = (await next.execute()) as Row[];
    for (const row of batch) yield toRow(row);
    before = batch.at(-1)?.id ?? null;
    full = batch.length === EXPORT_BATCH;
  }
}
