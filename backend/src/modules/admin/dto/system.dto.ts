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
  /** Bytes of all files, those in the trash included. */
  storedBytes: number;
  /** Whether mails go to a mail server, or to the mailbox for development. */
  sendsMail: boolean;
  queues: QueueStateDto[];
}
