export type EmbeddedPostgresErrorCode =
  | 'BINARIES_MISSING'
  | 'BINARIES_BROKEN'
  | 'DATA_FOLDER_IN_USE'
  | 'DATA_FOLDER_UNREADABLE'
  | 'DATA_FOLDER_WRONG_VERSION'
  | 'DATABASE_LOST'
  | 'DATABASE_ELSEWHERE'
  | 'START_FAILED'
  | 'STOPPED_UNEXPECTEDLY';

/** The embedded database can't run. The message tells the operator what to do. */
export class EmbeddedPostgresError extends Error {
  readonly code: EmbeddedPostgresErrorCode;

  constructor(code: EmbeddedPostgresErrorCode, message: string) {
    super(message);
    this.name = 'EmbeddedPostgresError';
    this.code = code;
  }
}
