import { sql, type RawBuilder } from 'kysely';

export interface DataSubject {
  readonly id: number;
  readonly email: string;
}

/**
 * A user who deleted their account. Someone may have registered again with the same address since, as a different user.
 */
export interface ErasedDataSubject extends DataSubject {
  readonly requestedAt: Date;
}

/** Selects a user's rows of a table. */
type Condition<P extends DataSubject = DataSubject> = (person: P) => RawBuilder<unknown>;

export interface ExportedList {
  readonly name: string;
  /** Columns, in the order of the export, named in camel case or by `as`. */
  readonly fields: string;
  /** Defaults to the rows with the user's id in `user_id`. */
  readonly of?: Condition;
  /** The table and its joins; defaults to the table of the entry. */
  readonly from?: string;
  /** Columns and types to sort and paginate by; defaults to `id bigint`. */
  readonly pagedBy?: string;
  /** Instead of `pagedBy`, for lists that are always short: reads all rows at once, in this order. */
  readonly atOnce?: string;
}

/** Steps that run code of the module that owns the rows, because a statement is not enough. */
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

/** A statement on rows of the table, or of the one named by `in`. */
interface ErasureStatement {
  readonly in?: string;
  readonly of: Condition<ErasedDataSubject>;
}

export interface RowErasure extends ErasureStatement {
  readonly remove: 'at once';
}

/** Where there may be many rows; `by` names the columns of their key. */
export interface BatchErasure extends ErasureStatement {
  readonly remove: 'in batches';
  readonly by: string;
}

/** Sets the columns in `blank` to null. */
export interface ColumnErasure extends ErasureStatement {
  readonly blank: string;
}

/**
 * What happens to rows when the account is deleted. Foreign keys do the first two when the user's row is deleted. The
 * others run before that, in the order of the map, and may run repeatedly.
 */
export type ErasureRule =
  | 'goes with the account'
  | 'stays without the person'
  | RowErasure
  | BatchErasure
  | ColumnErasure
  | { readonly step: ErasureStep }
  /** Nothing is done here, for the given reason. */
  | { readonly otherwise: string };

/** The definition of the personal data in one table. */
export interface PersonalTableDefinition {
  readonly table: string;
  /** Columns that identify a person, refer to one, or reveal a location. */
  readonly columns: string;
  /** Omitted if the user gets the data in another list, or if it would contain a secret. */
  readonly exported?: ExportedList | readonly ExportedList[];
  /** Defaults to 'goes with the account'. */
  readonly erased?: readonly ErasureRule[];
}

/** A definition with all defaults filled in. */
export interface PersonalTable extends PersonalTableDefinition {
  readonly exported: readonly ExportedList[];
  readonly erased: readonly ErasureRule[];
}

/** Matches rows with the user's id in the column. */
export const matchesUserId =
  (column: string): Condition =>
  ({ id }) =>
    sql`${sql.ref(column)} = ${id}`;

/** Matches rows with the user's address in the column. */
export const matchesEmail =
  (column: string): Condition =>
  ({ email }) =>
    sql`${sql.ref(column)} = ${email}`;

/**
 * Like `matchesEmail`, but without rows created after the deletion request: those belong to the address's new holder.
 */
export const matchedEmailAtRequest =
  (column: string): Condition<ErasedDataSubject> =>
  ({ email, requestedAt }) =>
    sql`${sql.ref(column)} = ${email} and created_at <= ${requestedAt}`;
