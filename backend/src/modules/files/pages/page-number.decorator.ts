import { Injectable, Param, type PipeTransform } from '@nestjs/common';
import { ApiParam } from '@nestjs/swagger';
import { fileErrors } from '../files.errors.js';

/** Parses the page number in a path. An invalid number results in 404, like a page that does not exist. */
@Injectable()
export class PageNumberPipe implements PipeTransform<string, number> {
  transform(value: string): number {
    if (!/^[1-9]\d{0,4}$/.test(value)) throw fileErrors.PAGE_NOT_FOUND();
    return Number(value);
  }
}

/** The page number in the path, starting at 1. */
export const PageNumber = () => Param('page', PageNumberPipe);

export const ApiPageNumber = () => ApiParam({ name: 'page', schema: { type: 'integer', minimum: 1 } });
