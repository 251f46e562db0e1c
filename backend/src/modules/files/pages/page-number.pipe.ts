import { Injectable, Param, type PipeTransform } from '@nestjs/common';
import { ApiParam } from '@nestjs/swagger';
import { fileErrors } from '../files.errors.js';

/** Reads the number of a page in a path. What cannot be one is not found, like a page that a document does not have. */
@Injectable()
export class PageNumberPipe implements PipeTransform<string, number> {
  transform(value: string): number {
    if (!/^[1-9]\d{0,4}$/.test(value)) throw fileErrors.PAGE_NOT_FOUND();
    return Number(value);
  }
}

/** The number of the page in the path, from 1. */
export const PageNumber = () => Param('page', PageNumberPipe);

/** Documents it. */
export const ApiPageNumber = () => ApiParam({ name: 'page', schema: { type: 'integer', minimum: 1 } });
