import { defineEntity, p } from '@mikro-orm/core';

/**
 * How far the roll-ups reach (`activity`): they hold what was recorded before `through`; later records are counted when
 * asked. `recount` is when full values were written last.
 */
export const RollUpSchema = defineEntity({
  name: 'RollUp',
  tableName: 'roll_ups',
  properties: {
    name: p.string().length(20).primary(),
    through: p.datetime(),
  },
});
export class RollUp extends RollUpSchema.class {}
RollUpSchema.setClass(RollUp);
