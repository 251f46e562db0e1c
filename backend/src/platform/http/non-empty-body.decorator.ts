import { Body } from '@nestjs/common';
import { commonErrors } from '../errors/common.errors.js';

const rejectEmptyBody = {
  transform(change: object | undefined) {
    if (Object.values(change ?? {}).every((value) => value === undefined)) throw commonErrors.NOTHING_TO_CHANGE();
    return change;
  },
};

/** The body of a change whose fields may all be left out, of which one is there. @throws NOTHING_TO_CHANGE */
export const NonEmptyBody = () => Body(rejectEmptyBody);
