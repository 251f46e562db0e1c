import { sql, type RawBuilder } from 'kysely';

/** Whose data it is. */
export interface DataSubject {
  readonly id: number;
  readonly email: string;
}

/** Somebody who deleted the account. By the same address they may have come back since, as another person. */
export interface ErasedDataSubject extends DataSubject {
  readonly requestedAt: Date;
}

/** Which rows of a table are a person's. */
type Condition<P extends DataSubject = DataSubject> = (person: P) => RawBuilder<unknown>;

/** One list of the export. */
export interface ExportedList {
  /** Its name in the export. */
  readonly name: string;
  /** Columns, in the order of the export, under their names in camel case or what `as` says. */
  readonly fields: string;
  /** Those with the person's id in `user_id` when left out. */
  readonly of?: Condition;
  /** The table and those joined to it; the table of the entry when left out. */
  readonly from?: string;
  /** By what the rows are sorted and read in batches: columns and their types; `id bigint` when left out. */
  readonly pagedBy?: string;
  /** For rows that are always few, in the place of `pagedBy`: all of them at once, in this order. */
  readonly atOnce?: string;
}

/** What code of the module that owns the rows does, because a statement is not enough. */
export type ErasureStep =
  | 'noteAddress'
  | 'deleteZones'
  | 'leaveZones'
  | 'removeInvitations'
  | 'abandonUploads'
  | 'endSubscription'
  | 'withdrawVotes'
  | 'removeReports'
  | 'releasePurchases';

/** A statement on rows of the table, or of the one that `in` names. */
interface ErasureStatement {
  readonly in?: string;
  readonly of: Condition<ErasedDataSubject>;
}

/**
 * What becomes of rows when the account of their person goes. The first two are done by foreign keys when the person's
 * row is deleted; what the others do comes before, in the order of the map, and may be done again.
 */
export type ErasureRule =
  | 'goes with the account'
  | 'stays without the person'
  | (ErasureStatement & { readonly remove: 'at once' })
  | (ErasureStatement & { readonly remove: 'in batches'; readonly by: string })
  | (ErasureStatement & { readonly blank: string })
  | { readonly step: ErasureStep }
  /** Nothing is done here, for the reason given. */
  | { readonly otherwise: string };

/** What is held of people in one table, as it is written down. */
export interface PersonalTableDefinition {
  readonly table: string;
  /** Columns that name a person, lead to one, or tell where one was. */
  readonly columns: string;
  /** Left out for what the person gets in another list, or what would open a door to whoever reads the export. */
  readonly exported?: ExportedList | readonly ExportedList[];
  /** Rows go with the account when left out. */
  readonly erased?: readonly ErasureRule[];
}

/** The same with all that was left out. */
export interface PersonalTable extends PersonalTableDefinition {
  readonly exported: readonly ExportedList[];
  readonly erased: readonly ErasureRule[];
}

/** The rows in whose column stands the person's id. */
export const matchesUserId =
  (column: string): Condition =>
  ({ id }) =>
    sql`${sql.ref(column)} = ${id}`;

/** The rows in whose column stands the person's address. */
export const matchesEmail =
  (column: string): Condition =>
  ({ email }) =>
    sql`${sql.ref(column)} = ${email}`;

/** The same, but for rows newer than the request to delete the account: they are for whoever has the address by then. */
export const matchedEmailAtRequest =
  (column: string): Condition<ErasedDataSubject> =>
  ({ email, requestedAt }) =>
    sql`${sql.ref(column)} = ${email} and created_at <= ${requestedAt}`;
