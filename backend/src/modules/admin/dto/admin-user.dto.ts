import { ApiProperty } from '@nestjs/swagger';
import { IsBoolean, IsIn } from 'class-validator';
import { Optional } from '../../../platform/http/fields.js';
import { say } from '../../../platform/http/validation.js';
import { UsageDto } from '../../plans/dto/plan.dto.js';
import { userStates, type UserAbilities, type UserState } from '../admin.policy.js';

export class UserAbilitiesDto implements UserAbilities {
  activate: boolean;
  deactivate: boolean;
  changeRole: boolean;
  changePlan: boolean;
  endSessions: boolean;
  sendReset: boolean;
}

export class AdminUserDto {
  id: number;
  email: string;
  firstName: string | null;
  lastName: string | null;
  username: string | null;
  @ApiProperty({ enum: ['user', 'admin'] })
  role: 'user' | 'admin';
  isSuperAdmin: boolean;
  emailVerified: boolean;
  /** Pending: the address has not been verified. */
  @ApiProperty({ enum: userStates })
  state: UserState;
  plan: string;
  /** Zones owned. */
  zoneCount: number;
  createdAt: Date;
  deactivatedAt: Date | null;
  /** What the viewer may do. */
  can: UserAbilitiesDto;
}

export class AdminUserDetailDto extends AdminUserDto {
  language: string;
  timeZone: string | null;
  /** The plan paid for; free when none is. */
  subscribedPlan: string;
  /** The plan granted without payment. */
  grantedPlan: string | null;
  /** Limits of the plan and what is used of them; mails those of this month. */
  usage: UsageDto[];
  /** Whether payments are collected for the account at Stripe. */
  hasSubscription: boolean;
  /** Open sessions. */
  sessions: number;
  lastSeenAt: Date | null;
  /** Memberships in zones of others. */
  memberships: number;
}

const knownRole = say('The role must be user or admin', 'Rol kullanıcı veya yönetici olmalıdır');
const yesOrNo = say('This must be true or false', 'Bu değer true veya false olmalıdır');

/** What is left out stays. */
export class ChangeRoleDto {
  @Optional()
  @IsIn(['user', 'admin'], knownRole)
  @ApiProperty({ enum: ['user', 'admin'], required: false })
  role?: 'user' | 'admin';

  @Optional()
  @IsBoolean(yesOrNo)
  isSuperAdmin?: boolean;
}

export class EndedSessionsDto {
  /** How many sessions were open. */
  ended: number;
}
