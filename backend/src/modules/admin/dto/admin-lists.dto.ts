import { ApiProperty } from '@nestjs/swagger';
import { auditTypes, type AuditType } from '../../../platform/audit/audit-types.js';
import type { JobState } from '../../../platform/jobs/job.entity.js';
import { ActivityItemDto } from '../../activity/activity-item.dto.js';
import { OneOf } from '../../../platform/http/reading/fields.js';
import { AdminListQueryDto } from '../../../platform/http/lists/admin-list.js';
import { say } from '../../../platform/http/reading/validation.js';
import { securityKinds, type SecurityKind } from '../../../platform/trail/security-kinds.js';

export class AdminZoneAbilitiesDto {
  delete: boolean;
}

export class AdminZoneDto {
  id: number;
  name: string;
  description: string;
  @ApiProperty({ enum: ['private', 'public'] })
  type: 'private' | 'public';
  isPublic: boolean;
  fileCount: number;
  /** Without the owner and without expired memberships. */
  memberCount: number;
  /** Bytes of its files, those in the trash included. */
  totalBytes: number;
  ownerId: number;
  ownerEmail: string;
  createdAt: Date;
  /** What the viewer may do. What lies in the zone stays closed to administrators. */
  can: AdminZoneAbilitiesDto;
}

export class AdminActivityDto extends ActivityItemDto {
  userId: number | null;
}

export class AuditEntryDto {
  id: number;
  @ApiProperty({ enum: auditTypes, enumName: 'AuditType' })
  type: AuditType;
  /** Who did it; null for the service itself, and for somebody who deleted the account. */
  actorId: number | null;
  actorEmail: string | null;
  /** The person to whom it was done. */
  subjectId: number | null;
  subjectEmail: string | null;
  /** Particulars. */
  @ApiProperty({ type: 'object', additionalProperties: true })
  params: Record<string, unknown>;
  ipAddress: string | null;
  createdAt: Date;
}

export class AdminJobDto {
  id: number;
  queue: string;
  name: string;
  /** Ids and plain values. */
  @ApiProperty({ type: 'object', additionalProperties: true })
  payload: object;
  @ApiProperty({ enum: ['queued', 'running', 'dead'] })
  state: JobState;
  attempts: number;
  maxAttempts: number;
  /** When it is due. */
  runAt: Date;
  lastError: string | null;
  createdAt: Date;
}

export class RetriedJobsDto {
  /** How many jobs are due again. */
  retried: number;
}

/** A job that the clock enqueues. */
export class ClockJobDto {
  /** The same as name. */
  id: string;
  name: string;
  /** UTC; six fields begin with the seconds. */
  cron: string;
  /** The latest tick that was enqueued, or when the installation began if that was later; null when none was yet. */
  lastSlot: Date | null;
  nextSlot: Date;
  /** Its jobs that wait, run or have given up. */
  queued: number;
  running: number;
  dead: number;
}

export class SuppressionDto {
  id: number;
  /** Whose mails the address gets no more; null for everybody's. */
  ownerId: number | null;
  ownerEmail: string | null;
  @ApiProperty({ enum: ['erased', 'failed', 'complaint'] })
  reason: 'erased' | 'failed' | 'complaint';
  createdAt: Date;
  canLift: boolean;
}

export class LiftedSuppressionsDto {
  /** How many are written to again; complaints and deleted accounts stay. */
  lifted: number;
}

/** An object that nothing in the database names. */
export class QuarantinedObjectDto {
  id: number;
  /** Where it lay, and lies again when it is restored. */
  key: string;
  /** Bytes. */
  size: number;
  foundAt: Date;
  /** Whether the viewer may put it back, or delete it. */
  canRestore: boolean;
}

export class SecurityQueryDto extends AdminListQueryDto {
  @OneOf(securityKinds, say('This value is not known.', 'Bu değer bilinmiyor.'))
  kind?: SecurityKind;
}

/** What happened of a kind on one day, to one person, from one network. */
export class SecurityEventDto {
  id: number;
  @ApiProperty({ enum: securityKinds, enumName: 'SecurityKind' })
  kind: SecurityKind;
  /** Why, or of what; empty where a day has too many to keep them apart. */
  detail: string;
  /** Whom it concerned; null for nobody that has an account. */
  userId: number | null;
  userEmail: string | null;
  /** The client's address, or of IPv6 its network; null when it is not known. */
  network: string | null;
  count: number;
  firstAt: Date;
  lastAt: Date;
}

export class SecurityDayDto {
  /** UTC, such as `2026-11-21`. */
  day: string;
  failedSignIns: number;
  lockOuts: number;
  refusedWebhooks: number;
  newDevices: number;
}
