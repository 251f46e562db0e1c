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

/** Why the embedded database cannot run; the message is for the person who started the process and says what to do. */
export class EmbeddedPostgresError extends Error {
  readonly code: EmbeddedPostgresErrorCode;

  constructor(code: EmbeddedPostgresErrorCode, message: string) {
    super(message);
    this.name = 'EmbeddedPostgresError';
    this.code = code;
  }
}
