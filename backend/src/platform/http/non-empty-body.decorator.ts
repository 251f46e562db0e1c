import { Body } from '@nestjs/common';
import { commonErrors } from '../errors/common.errors.js';

const rejectEmptyBody = {
  transform(change: object | undefined) {
    if (Object.values(change ?? {}).every((value) => value === undefined)) throw commonErrors.NOTHING_TO_CHANGE();
    return change;
  },
};

/** The body of an update with only optional fields, of which at least one is required. @throws NOTHING_TO_CHANGE */
export const NonEmptyBody = () => Body(rejectEmptyBody);
