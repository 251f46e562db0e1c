import { ApiProperty } from '@nestjs/swagger';

/** Where one queue stands. */
export class QueueStateDto {
  queue: string;
  /** Waiting, and their time has come. */
  due: number;
  /** Waiting for their time, among them those that failed and are tried again. */
  later: number;
  running: number;
  dead: number;
  /** Since when the job waits that has waited longest. */
  oldestDueAt: Date | null;
}

export class TableSizeDto {
  name: string;
  /** With its indexes. */
  bytes: number;
  /** As the database last estimated them. */
  rows: number;
}

/** How the last weekly comparison of stored objects and the database went. */
export class ComparisonDto {
  at: string;
  /** Objects that were there. */
  objects: number;
  /** Of these, those that nothing names. */
  strays: number;
  /** Moved into quarantine by it. */
  moved: number;
  /** Files whose object is missing. */
  missing: number;
  /** So many would have gone that nothing was moved. */
  stopped: boolean;
}

export class StorageStateDto {
  /** Whether the storage is that of this installation. */
  @ApiProperty({ enum: ['own', 'missing', 'foreign', 'later', 'in-use', 'unreachable'] })
  state: 'own' | 'missing' | 'foreign' | 'later' | 'in-use' | 'unreachable';
  /** On the fullest disk of the process that answers; null when it cannot be told. */
  freeBytes: number | null;
  /** At so few free bytes files are refused. */
  reserveBytes: number | null;
  comparison: ComparisonDto | null;
}

export class MailServerDto {
  /** When it last took a mail, to the minute. */
  takenAt: Date | null;
  /** Since when it has taken none; null while it does. */
  refusingSince: Date | null;
  refusedAt: Date | null;
  /** What it said last, without addresses of people. */
  reason: string | null;
}

export class SystemStateDto {
  version: string;
  nodeVersion: string;
  databaseVersion: string;
  /** The newest migration that has been run. */
  schemaVersion: string;
  /** Of the process that answers. */
  startedAt: Date;
  /** Of the process that answers. */
  memoryBytes: number;
  databaseBytes: number;
  /** The largest tables. */
  tables: TableSizeDto[];
  @ApiProperty({ enum: ['local', 'gcs'] })
  storageType: 'local' | 'gcs';
  storage: StorageStateDto;
  /** Bytes of all files, those in the trash included. */
  storedBytes: number;
  /** Whether mails go to a mail server, or to the mailbox for development. */
  sendsMail: boolean;
  mailServer: MailServerDto;
  queues: QueueStateDto[];
}
