import { ApiProperty } from '@nestjs/swagger';
import { auditTypes, type AuditType } from '../../../platform/audit/audit-types.js';
import type { JobState } from '../../../platform/jobs/job.entity.js';
import { ActivityItemDto } from '../../activity/activity-item.dto.js';
import { IsOneOf } from '../../../platform/http/parsing/fields.js';
import { AdminListQueryDto } from '../../../platform/http/lists/admin-list.js';
import { localized } from '../../../platform/http/parsing/validation.js';
import { securityEventKinds, type SecurityEventKind } from '../../../platform/security-events/security-event-kinds.js';

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
  /** Excluding the owner and expired memberships. */
  memberCount: number;
  /** Size of its files in bytes, including the trash. */
  totalBytes: number;
  ownerId: number;
  ownerEmail: string;
  createdAt: Date;
  /** Actions that the viewer may perform. Administrators can't see the content of the zone. */
  can: AdminZoneAbilitiesDto;
}

export class AdminActivityDto extends ActivityItemDto {
  userId: number | null;
}

export class AuditEntryDto {
  id: number;
  @ApiProperty({ enum: auditTypes, enumName: 'AuditType' })
  type: AuditType;
  /** Who did it; null for the service itself and for deleted accounts. */
  actorId: number | null;
  actorEmail: string | null;
  /** The affected person. */
  subjectId: number | null;
  subjectEmail: string | null;
  /** Details. */
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
  /** Number of retried jobs. */
  retried: number;
}

/** A scheduled job. */
export class ClockJobDto {
  /** The same as name. */
  id: string;
  name: string;
  /** UTC; six fields begin with the seconds. */
  cron: string;
  /** The latest enqueued run, or the installation date if later; null if none yet. */
  lastSlot: Date | null;
  nextSlot: Date;
  /** Number of its waiting, running and failed jobs. */
  queued: number;
  running: number;
  dead: number;
}

export class SuppressionDto {
  id: number;
  /** The owner whose emails the address no longer receives; null for all owners. */
  ownerId: number | null;
  ownerEmail: string | null;
  @ApiProperty({ enum: ['erased', 'failed', 'complaint'] })
  reason: 'erased' | 'failed' | 'complaint';
  createdAt: Date;
  canLift: boolean;
}

export class LiftedSuppressionsDto {
  /** Number of addresses that receive emails again, without spam complaints and deleted accounts. */
  lifted: number;
}

/** A stored object without a reference in the database, in quarantine. */
export class QuarantinedObjectDto {
  id: number;
  /** Storage key, used again when it's restored. */
  key: string;
  /** Bytes. */
  size: number;
  foundAt: Date;
  /** Whether the viewer may restore or delete it. */
  canRestore: boolean;
}

export class SecurityQueryDto extends AdminListQueryDto {
  @IsOneOf(securityEventKinds, localized('Unknown value.', 'Bilinmeyen değer.'))
  kind?: SecurityEventKind;
}

/** Security events of one type, user and network on one day. */
export class SecurityEventDto {
  id: number;
  @ApiProperty({ enum: securityEventKinds, enumName: 'SecurityKind' })
  kind: SecurityEventKind;
  /** Cause or details; empty if a day has too many events. */
  detail: string;
  /** The affected user; null if there is no account. */
  userId: number | null;
  userEmail: string | null;
  /** The client's IP address, or its network for IPv6; null if unknown. */
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
