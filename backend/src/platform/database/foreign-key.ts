import { p } from '@mikro-orm/core';

type Target = Parameters<typeof p.manyToOne>[0];

/** A foreign key column. The constraint is named `{table}_{column}_foreign`. */
const foreignKeyTo = <T extends Target, C extends string>(target: T, table: string, column: C) =>
  p.manyToOne(target).mapToPk().fieldName(column).foreignKeyName(`${table}_${column}_foreign`);

/** Foreign key to a parent row: deleting the parent deletes this row. */
export const belongsTo = <T extends Target, C extends string>(target: T, table: string, column: C) =>
  foreignKeyTo(target, table, column).deleteRule('cascade');

/** Foreign key to an optional row: it becomes null when that row is deleted. */
export const refersTo = <T extends Target, C extends string>(target: T, table: string, column: C) =>
  foreignKeyTo(target, table, column).nullable().deleteRule('set null');
