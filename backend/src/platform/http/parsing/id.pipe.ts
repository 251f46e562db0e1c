import { Injectable, Param, type PipeTransform } from '@nestjs/common';
import { commonErrors } from '../../errors/common.errors.js';

/** Parses an id in a path. An invalid id is treated as not found, like an unknown one. */
@Injectable()
export class IdPipe implements PipeTransform<string, number> {
  transform(value: string): number {
    const id = Number(value);
    if (!/^[1-9]\d{0,15}$/.test(value) || !Number.isSafeInteger(id)) throw commonErrors.NOT_FOUND();
    return id;
  }
}

/** The id in the path parameter `name`. */
export const IdParam = (name = 'id') => Param(name, IdPipe);
