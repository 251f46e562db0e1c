import { sql, type RawBuilder, type SelectQueryBuilder } from 'kysely';
import type { AdminListQueryDto, AdminPage } from './admin-list.js';
import { countRows } from './list.js';
import { fieldError } from '../parsing/validation.js';

/** Rows of a page when `perPage` is not given. */
const PER_PAGE = 50;

/** How a list may be sorted. */
export interface AdminSorting {
  /** The fields that may be sorted by, with their columns; the first one is the default, newest first. */
  readonly fields: Readonly<Record<string, string | RawBuilder<unknown>>>;
  /** The column that tells equals apart. */
  readonly id: string;
}

/** What a list is of. */
interface AdminListing<D, T extends keyof D, E, U extends keyof E, Row, Shown> {
  /** The rows that fit the filters. */
  readonly filtered: SelectQueryBuilder<D, T, unknown>;
  /** The same with what they may be sorted by, when `matching` does not know that. */
  readonly sortable?: SelectQueryBuilder<D, T, unknown>;
  /** What is shown of a row, without the filters. */
  readonly rows: SelectQueryBuilder<E, U, Row>;
  readonly toRow: (row: Row) => Shown;
}

/**
 * One page of an admin list. Its ids are found first, and what is shown is read for these alone: the pages before it are
 * passed over without looking at more than the index, so that the last page costs little more than the first.
 * @throws VALIDATION_FAILED for a field that cannot be sorted by
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
  // A first page with room left is the whole list.
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
 * All rows of a list, the newest first, read in batches, so that memory does not grow with their number.
 * @param id the column of their ids
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
