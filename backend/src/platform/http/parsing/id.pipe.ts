import { Injectable, Param, type PipeTransform } from '@nestjs/common';
import { commonErrors } from '../../errors/common.errors.js';

/** Reads an id in a path. What cannot be an id is not found, like an id that nothing has. */
@Injectable()
export class IdPipe implements PipeTransform<string, number> {
  transform(value: string): number {
    const id = Number(value);
    if (!/^[1-9]\d{0,15}$/.test(value) || !Number.isSafeInteger(id)) throw commonErrors.NOT_FOUND();
    return id;
  }
}

/** The id in the path under `name`. */
export const IdParam = (name = 'id') => Param(name, IdPipe);
