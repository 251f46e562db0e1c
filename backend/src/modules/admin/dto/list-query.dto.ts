import { Transform, Type } from 'class-transformer';
import { ArrayMaxSize, ArrayNotEmpty, IsArray } from 'class-validator';
import { IsDate, IsInt, isISO8601, IsOptional, IsString, MaxDate, MaxLength, Max, Min, MinDate } from 'class-validator';
import { AdminListQueryDto } from '../../../platform/http/lists/admin-list.js';
import { OneOf, Optional } from '../../../platform/http/reading/fields.js';
import { say } from '../../../platform/http/reading/validation.js';
import { queues, type QueueName } from '../../../platform/jobs/queues.js';
import { planIds, type PlanId } from '../../plans/plan.policy.js';
import { userStates, type UserState } from '../admin.policy.js';
import { catalogue } from '../../../platform/catalogue/catalogue.js';

const unknownValue = say('Unknown value.', 'Bilinmeyen değer.');
const time = say('This must be a time (ISO 8601)', 'Bu değer bir zaman olmalıdır (ISO 8601)');
/** Beyond these lies no record, and further out no time that the database knows. */
const earliest = new Date('1970-01-01T00:00:00Z');
const latest = new Date('9999-12-31T00:00:00Z');
/** A text that is a time as programs write it; what else `Date` would take for one is none. */
const Instant = () =>
  Transform(({ value }) => new Date(isISO8601(value, { strict: true, strictSeparator: true }) ? String(value) : NaN));
const id = say('This must be an id', 'Bu değer bir kimlik numarası olmalıdır');

export const userRoles = catalogue(['user', 'admin', 'super-admin']);
export type UserRoleFilter = (typeof userRoles)[number];

export class UserQueryDto extends AdminListQueryDto {
  @OneOf(userStates, unknownValue)
  state?: UserState;

  @OneOf(planIds, unknownValue)
  plan?: PlanId;

  @OneOf(userRoles, unknownValue)
  role?: UserRoleFilter;
}

export class AdminZoneQueryDto extends AdminListQueryDto {
  @OneOf(['private', 'public'], unknownValue)
  type?: 'private' | 'public';

  /** Only zones of this owner. */
  @IsOptional()
  @Type(() => Number)
  @IsInt(id)
  @Min(1, id)
  @Max(Number.MAX_SAFE_INTEGER, id)
  ownerId?: number;
}

/** Records of something that happened, with the time in which it did. */
export class LogQueryDto extends AdminListQueryDto {
  /** Type, such as `user.signed-in`. */
  @IsOptional()
  @IsString()
  @MaxLength(60)
  type?: string;

  /** Only entries from this time on. */
  @IsOptional()
  @Instant()
  @IsDate(time)
  @MinDate(earliest, time)
  @MaxDate(latest, time)
  from?: Date;

  /** Only entries before this time. */
  @IsOptional()
  @Instant()
  @IsDate(time)
  @MinDate(earliest, time)
  @MaxDate(latest, time)
  to?: Date;

  /** Only entries about this person. */
  @IsOptional()
  @Type(() => Number)
  @IsInt(id)
  @Min(1, id)
  @Max(Number.MAX_SAFE_INTEGER, id)
  userId?: number;
}

const jobStates = catalogue(['queued', 'running', 'dead']);
const queueNames = Object.keys(queues);

export class JobQueryDto extends AdminListQueryDto {
  @OneOf(jobStates, unknownValue)
  state?: (typeof jobStates)[number];

  @OneOf(queueNames, unknownValue)
  queue?: QueueName;
}

const reasons = catalogue(['erased', 'failed', 'complaint']);

export class SuppressionQueryDto extends AdminListQueryDto {
  @OneOf(reasons, unknownValue)
  reason?: (typeof reasons)[number];
}

const whichEntries = say(
  'Please give a list of at most 1,000 entry ids',
  'Lütfen en fazla 1.000 kayıt kimliğinden oluşan bir liste verin',
);

/** Either entries by their ids, or all that failed since a time. */
export class LiftManyDto {
  /** At most 1,000. */
  @Optional()
  @IsArray(whichEntries)
  @ArrayNotEmpty(whichEntries)
  @ArrayMaxSize(1000, whichEntries)
  @IsInt({ each: true, ...whichEntries })
  @Min(1, { each: true, ...whichEntries })
  @Max(Number.MAX_SAFE_INTEGER, { each: true, ...whichEntries })
  ids?: number[];

  /** All addresses that bounced since then, for all owners. */
  @IsOptional()
  @Instant()
  @IsDate(time)
  @MinDate(earliest, time)
  @MaxDate(latest, time)
  failedSince?: Date;
}
