import { Injectable, Param, type PipeTransform } from '@nestjs/common';
import { ApiParam } from '@nestjs/swagger';
import { fileErrors } from '../files.errors.js';

/** Parses the version number in a path. An invalid number results in 404, like a version that does not exist. */
@Injectable()
export class VersionNumberPipe implements PipeTransform<string, number> {
  transform(value: string): number {
    if (!/^[1-9]\d{0,8}$/.test(value)) throw fileErrors.VERSION_NOT_FOUND();
    return Number(value);
  }
}

/** The version number in the path, starting at 1. */
export const VersionNumber = () => Param('number', VersionNumberPipe);

export const ApiVersionNumber = () => ApiParam({ name: 'number', schema: { type: 'integer', minimum: 1 } });
