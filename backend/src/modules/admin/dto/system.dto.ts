import { ApiProperty } from '@nestjs/swagger';

/** State of a queue. */
export class QueueStateDto {
  queue: string;
  /** Waiting jobs that are due. */
  due: number;
  /** Jobs scheduled for later, including retries. */
  later: number;
  running: number;
  dead: number;
  /** When the oldest due job became due. */
  oldestDueAt: Date | null;
}

export class TableSizeDto {
  name: string;
  /** Including indexes. */
  bytes: number;
  /** As last estimated by the database. */
  rows: number;
}

/** Result of the last weekly comparison of stored objects with the database. */
export class ComparisonDto {
  at: string;
  /** Number of stored objects. */
  objects: number;
  /** Number of orphaned objects. */
  strays: number;
  /** Number of objects moved to quarantine. */
  moved: number;
  /** Files whose object is missing. */
  missing: number;
  /** True if the check stopped because too many objects were orphaned. */
  stopped: boolean;
}

export class StorageStateDto {
  /** Whether the storage belongs to this site. */
  @ApiProperty({ enum: ['own', 'missing', 'foreign', 'later', 'in-use', 'unreachable'] })
  state: 'own' | 'missing' | 'foreign' | 'later' | 'in-use' | 'unreachable';
  /** Free bytes on the fullest disk of the responding process; null if unknown. */
  freeBytes: number | null;
  /** Uploads are rejected below this number of free bytes. */
  reserveBytes: number | null;
  comparison: ComparisonDto | null;
}

export class MailServerDto {
  /** When it last accepted an email, to the minute. */
  takenAt: Date | null;
  /** Since when it has been rejecting emails; null while it accepts them. */
  refusingSince: Date | null;
  refusedAt: Date | null;
  /** Its last answer, without email addresses. */
  reason: string | null;
}

export class SystemStateDto {
  /** Version of the responding process, as in CHANGELOG.md. */
  version: string;
  nodeVersion: string;
  databaseVersion: string;
  /** The newest migration that has been run. */
  schemaVersion: string;
  /** Of the responding process. */
  startedAt: Date;
  /** Of the responding process. */
  memoryBytes: number;
  databaseBytes: number;
  /** The largest tables. */
  tables: TableSizeDto[];
  @ApiProperty({ enum: ['local', 'gcs', 's3'] })
  storageType: 'local' | 'gcs' | 's3';
  storage: StorageStateDto;
  /** Bytes of all files, including the trash. */
  storedBytes: number;
  /** Whether emails go to an email server, or to the development mailbox. */
  sendsMail: boolean;
  mailServer: MailServerDto;
  queues: QueueStateDto[];
}
