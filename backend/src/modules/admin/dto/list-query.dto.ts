import { Transform, Type } from 'class-transformer';
import { ArrayMaxSize, ArrayNotEmpty, IsArray } from 'class-validator';
import { IsDate, IsInt, isISO8601, IsOptional, IsString, MaxDate, MaxLength, Max, Min, MinDate } from 'class-validator';
import { AdminListQueryDto } from '../../../platform/http/lists/admin-list.js';
import { IsOneOf, OptionalField } from '../../../platform/http/parsing/fields.js';
import { localized } from '../../../platform/http/parsing/validation.js';
import { queues, type QueueName } from '../../../platform/jobs/queues.js';
import { planIds, type PlanId } from '../../plans/plan.policy.js';
import { userStates, type UserState } from '../admin.policy.js';
import { freezeList } from '../../../platform/constants/freeze-list.js';

const unknownValueMessage = localized('Unknown value.', 'Bilinmeyen değer.');
const timeMessage = localized('This must be a time (ISO 8601)', 'Bu değer bir zaman olmalıdır (ISO 8601)');
/** Range of timestamps that filters accept; the database accepts all of them. */
const earliest = new Date('1970-01-01T00:00:00Z');
const latest = new Date('9999-12-31T00:00:00Z');
/** Parses strict ISO 8601; rejects other formats that `Date` accepts. */
const IsoDateTime = () =>
  Transform(({ value }) => new Date(isISO8601(value, { strict: true, strictSeparator: true }) ? String(value) : NaN));
const idMessage = localized('This must be an id', 'Bu değer bir kimlik numarası olmalıdır');

export const userRoles = freezeList(['user', 'admin', 'super-admin']);
export type UserRoleFilter = (typeof userRoles)[number];

export class UserQueryDto extends AdminListQueryDto {
  @IsOneOf(userStates, unknownValueMessage)
  state?: UserState;

  @IsOneOf(planIds, unknownValueMessage)
  plan?: PlanId;

  @IsOneOf(userRoles, unknownValueMessage)
  role?: UserRoleFilter;
}

export class AdminZoneQueryDto extends AdminListQueryDto {
  @IsOneOf(['private', 'public'], unknownValueMessage)
  type?: 'private' | 'public';

  /** Only zones of this owner. */
  @IsOptional()
  @Type(() => Number)
  @IsInt(idMessage)
  @Min(1, idMessage)
  @Max(Number.MAX_SAFE_INTEGER, idMessage)
  ownerId?: number;
}

/** Filters of logs, including a time range. */
export class LogQueryDto extends AdminListQueryDto {
  /** Type, such as `user.signed-in`. */
  @IsOptional()
  @IsString()
  @MaxLength(60)
  type?: string;

  /** Only entries from this time on. */
  @IsOptional()
  @IsoDateTime()
  @IsDate(timeMessage)
  @MinDate(earliest, timeMessage)
  @MaxDate(latest, timeMessage)
  from?: Date;

  /** Only entries before this time. */
  @IsOptional()
  @IsoDateTime()
  @IsDate(timeMessage)
  @MinDate(earliest, timeMessage)
  @MaxDate(latest, timeMessage)
  to?: Date;

  /** Only entries about this person. */
  @IsOptional()
  @Type(() => Number)
  @IsInt(idMessage)
  @Min(1, idMessage)
  @Max(Number.MAX_SAFE_INTEGER, idMessage)
  userId?: number;
}

const jobStates = freezeList(['queued', 'running', 'dead']);
const queueNames = Object.keys(queues);

export class JobQueryDto extends AdminListQueryDto {
  @IsOneOf(jobStates, unknownValueMessage)
  state?: (typeof jobStates)[number];

  @IsOneOf(queueNames, unknownValueMessage)
  queue?: QueueName;
}

const reasons = freezeList(['erased', 'failed', 'complaint']);

export class SuppressionQueryDto extends AdminListQueryDto {
  @IsOneOf(reasons, unknownValueMessage)
  reason?: (typeof reasons)[number];
}

const entryIdsMessage = localized(
  'Please give a list of at most 1,000 entry ids',
  'Lütfen en fazla 1.000 kayıt kimliğinden oluşan bir liste verin',
);

/** Either entries by id, or all bounced addresses since a time. */
export class LiftManyDto {
  /** At most 1,000. */
  @OptionalField()
  @IsArray(entryIdsMessage)
  @ArrayNotEmpty(entryIdsMessage)
  @ArrayMaxSize(1000, entryIdsMessage)
  @IsInt({ each: true, ...entryIdsMessage })
  @Min(1, { each: true, ...entryIdsMessage })
  @Max(Number.MAX_SAFE_INTEGER, { each: true, ...entryIdsMessage })
  ids?: number[];

  /** All addresses that bounced since then, for all owners. */
  @IsOptional()
  @IsoDateTime()
  @IsDate(timeMessage)
  @MinDate(earliest, timeMessage)
  @MaxDate(latest, timeMessage)
  failedSince?: Date;
}
