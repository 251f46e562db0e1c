import { p } from '@mikro-orm/core';

type Target = Parameters<typeof p.manyToOne>[0];

/** The id of a row of another table. The constraint is named after the table and the column, as all of them are. */
const foreignKeyTo = <T extends Target, C extends string>(target: T, table: string, column: C) =>
  p.manyToOne(target).mapToPk().fieldName(column).foreignKeyName(`${table}_${column}_foreign`);

/** The row that this one goes with when it is deleted. */
export const belongsTo = <T extends Target, C extends string>(target: T, table: string, column: C) =>
  foreignKeyTo(target, table, column).deleteRule('cascade');

/** A row that this one outlives: null once it is deleted. */
export const refersTo = <T extends Target, C extends string>(target: T, table: string, column: C) =>
  foreignKeyTo(target, table, column).nullable().deleteRule('set null');
