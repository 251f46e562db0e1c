import { applyDecorators } from '@nestjs/common';
import { ApiQuery } from '@nestjs/swagger';
import { Type } from 'class-transformer';
import {
  IsInt,
  IsOptional,
  IsString,
  Max,
  MaxLength,
  Min,
  ValidateBy,
  type ValidationArguments,
} from 'class-validator';
import type { Response } from 'express';
import { sql, type SelectQueryBuilder } from 'kysely';
import { commonErrors } from '../../errors/common.errors.js';
import { ApiErrors } from '../errors/api-errors.decorator.js';
import { encodeCursor } from './cursor.js';
import { localized } from '../parsing/validation.js';

/** Maximum and default number of rows per response; the next page is in the Link header. */
export const LIST_LIMIT = 1000;

const limitMessage = localized(
  'limit must be a whole number from 1 to 1000',
  'limit 1 ile 1000 arasında bir tam sayı olmalıdır',
);

export class ListQueryDto {
  /** Rows per page, 1 to 1,000. */
  @IsOptional()
  @Type(() => Number)
  @IsInt(limitMessage)
  @Min(1, limitMessage)
  @Max(LIST_LIMIT, limitMessage)
  limit?: number;

  /** Start of the page, from the Link header of the previous page. */
  @IsOptional()
  @IsString()
  @MaxLength(1000)
  cursor?: string;
}

/** Largest `offset`; no list is that long. */
const MAX_OFFSET = 10_000_000;

const offsetMessage = localized(
  `offset must be a whole number from 0 to ${MAX_OFFSET}`,
  `offset 0 ile ${MAX_OFFSET} arasında bir tam sayı olmalıdır`,
);

/** Query parameters of lists that can also be read from any position, as a scroll bar does. */
export class WindowQueryDto extends ListQueryDto {
  /** Number of rows before the first row of the page, instead of `cursor`. */
  @IsOptional()
  @Type(() => Number)
  @IsInt(offsetMessage)
  @Min(0, offsetMessage)
  @Max(MAX_OFFSET, offsetMessage)
  @ValidateBy(
    { name: 'withoutCursor', validator: { validate: (_, args) => !hasCursor(args) } },
    localized('offset and cursor exclude each other', 'offset ile cursor birlikte kullanılamaz'),
  )
  offset?: number;
}

const hasCursor = (args?: ValidationArguments) => (args?.object as WindowQueryDto | undefined)?.cursor !== undefined;

/** Rows of a sorted list, as few as possible of which are skipped. */
export interface RowWindow {
  readonly skip: number;
  readonly limit: number;
  /** The rows are skipped and read in the opposite order, from the end of the list. */
  readonly isReversed: boolean;
}

/** Returns how to read up to `limit` rows from `offset` of a list with `total` rows from its nearer end. */
export function toWindow(offset: number, limit: number, total: number): RowWindow {
  const count = Math.max(0, Math.min(limit, total - offset));
  const after = total - offset - count;
  return count > 0 && after < offset
    ? { skip: after, limit: count, isReversed: true }
    : { skip: offset, limit: count, isReversed: false };
}

/** A page of a list; `next` is the cursor of the following page, or null at the end. */
export interface Page<T> {
  readonly items: T[];
  readonly total: number;
  readonly next: string | null;
}

/**
 * Creates a page from `limit + 1` rows.
 * @param keysOf the sort keys of a row, in the order of the query
 */
export function toPage<T>(
  rows: T[],
  limit: number,
  total: number,
  keysOf: (row: T) => (string | number | null)[],
): Page<T> {
  const items = rows.slice(0, limit);
  const last = items.at(-1);
  return { items, total, next: rows.length > limit && last ? encodeCursor(keysOf(last)) : null };
}

/** Counts the matching rows. */
export async function countRows<D, T extends keyof D>(matching: SelectQueryBuilder<D, T, unknown>): Promise<number> {
  const counted = await matching.select(sql<number>`count(*)`.as('total')).executeTakeFirstOrThrow();
  return Number((counted as { total: number }).total);
}

/** Sets `X-Total-Count` and, if there are more rows, `Link: …; rel="next"`; returns the rows, the response body. */
export function sendPage<T>(response: Response, page: Page<T>): T[] {
  response.setHeader('X-Total-Count', String(page.total));
  if (page.next !== null) {
    const url = new URL(response.req.originalUrl, 'http://list');
    url.searchParams.delete('offset');
    url.searchParams.set('cursor', page.next);
    response.setHeader('Link', `<${url.pathname}${url.search}>; rel="next"`);
  }
  return page.items;
}

/** Documents the parameters and headers of a list. */
export const ApiList = () =>
  applyDecorators(
    ApiQuery({ name: 'limit', required: false, schema: { type: 'integer', minimum: 1, maximum: LIST_LIMIT } }),
    ApiQuery({ name: 'cursor', required: false, schema: { type: 'string' } }),
    ApiErrors(commonErrors.VALIDATION_FAILED),
  );

/** Documents the further parameter of a list that takes a `WindowQueryDto`. */
export const ApiOffset = () =>
  ApiQuery({
    name: 'offset',
    required: false,
    description: 'Number of rows before the first row of the page, instead of `cursor`.',
    schema: { type: 'integer', minimum: 0, maximum: MAX_OFFSET },
  });
