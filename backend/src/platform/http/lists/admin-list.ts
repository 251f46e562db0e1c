import { applyDecorators } from '@nestjs/common';
import { ApiQuery } from '@nestjs/swagger';
import { Type } from 'class-transformer';
import { IsIn, IsInt, IsOptional, IsString, Max, MaxLength, Min } from 'class-validator';
import type { Response } from 'express';
import type { RawBuilder } from 'kysely';
import { commonErrors } from '../../errors/common.errors.js';
import { normaliseForSearch, normaliseForSearchSql } from '../../text/normalise-for-search.js';
import { ApiErrors } from '../errors/api-errors.decorator.js';
import { localized } from '../parsing/validation.js';

const MAX_PER_PAGE = 1000;
/** Deeper pages are not available, because each costs the database all rows before it; users filter instead. */
const MAX_PAGES = 100_000;

const integerMessage = (max: number) =>
  localized(`Must be a whole number from 1 to ${max}`, `1 ile ${max} arasında bir tam sayı olmalıdır`);

/** Query parameters of all admin lists. */
export class AdminListQueryDto {
  /** Page number, starting at 1. */
  @IsOptional()
  @Type(() => Number)
  @IsInt(integerMessage(MAX_PAGES))
  @Min(1, integerMessage(MAX_PAGES))
  @Max(MAX_PAGES, integerMessage(MAX_PAGES))
  page?: number;

  /** Rows per page; 50 by default. */
  @IsOptional()
  @Type(() => Number)
  @IsInt(integerMessage(MAX_PER_PAGE))
  @Min(1, integerMessage(MAX_PER_PAGE))
  @Max(MAX_PER_PAGE, integerMessage(MAX_PER_PAGE))
  perPage?: number;

  /** Name of a field of the rows. */
  @IsOptional()
  @IsString()
  @MaxLength(40)
  sort?: string;

  @IsOptional()
  @IsIn(['asc', 'desc', 'ASC', 'DESC'], localized('Must be asc or desc', 'asc veya desc olmalıdır'))
  order?: string;

  @IsOptional()
  @IsString()
  @MaxLength(200)
  q?: string;
}

export interface AdminPage<T> {
  readonly rows: T[];
  readonly total: number;
}

/** Sets `X-Total-Count`; returns the rows, the response body. */
export function sendAdminPage<T>(response: Response, { rows, total }: AdminPage<T>): T[] {
  response.setHeader('X-Total-Count', String(total));
  return rows;
}

/** Returns a LIKE pattern that matches `q` literally. */
export const containsPattern = (q: string): string => `%${q.replace(/[\\%_]/g, (sign) => `\\${sign}`)}%`;

/**
 * The same for columns that are searched with `search_fold(…)`. Normalises first: a full-width % or \ becomes a plain
 * one, which must then be escaped.
 */
export const searchPattern = (q: string): RawBuilder<string> =>
  normaliseForSearchSql(containsPattern(normaliseForSearch(q.trim())));

/** Documents the query parameters of an admin list. */
export const ApiAdminList = () =>
  applyDecorators(
    ApiQuery({ name: 'page', required: false, schema: { type: 'integer', minimum: 1 } }),
    ApiQuery({ name: 'perPage', required: false, schema: { type: 'integer', minimum: 1, maximum: MAX_PER_PAGE } }),
    ApiQuery({ name: 'sort', required: false, schema: { type: 'string' } }),
    ApiQuery({ name: 'order', required: false, schema: { type: 'string', enum: ['asc', 'desc'] } }),
    ApiQuery({ name: 'q', required: false, schema: { type: 'string', maxLength: 200 } }),
    ApiErrors(commonErrors.VALIDATION_FAILED),
  );
