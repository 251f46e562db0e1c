import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsBoolean, IsIn, IsString, MaxLength } from 'class-validator';
import { languages, type Language } from '../../../platform/errors/app-error.js';
import { EmailRule, OneLine, Optional, Trimmed } from '../../../platform/http/reading/fields.js';
import { say } from '../../../platform/http/reading/validation.js';
import { UsageDto } from '../../plans/dto/plan.dto.js';
import { userStates, type UserAbilities, type UserState } from '../admin.policy.js';

export class UserAbilitiesDto implements UserAbilities {
  activate: boolean;
  deactivate: boolean;
  changeRole: boolean;
  changePlan: boolean;
  changeEmail: boolean;
  resetFactors: boolean;
  endSessions: boolean;
  sendReset: boolean;
  delete: boolean;
}

/** A subscription at Stripe, as it was last told. */
export class AdminSubscriptionDto {
  /** As Stripe names it. */
  status: string;
  @ApiProperty({ enum: ['monthly', 'yearly'], nullable: true })
  interval: 'monthly' | 'yearly' | null;
  /** What a period costs, in the smallest unit of the currency. */
  amount: number | null;
  /** ISO 4217. */
  currency: string | null;
  currentPeriodEnd: Date | null;
  /** It ends then, and is not renewed. */
  cancelAtPeriodEnd: boolean;
  /** Since when a payment is owed. */
  pastDueSince: Date | null;
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
  /** Mails a day to people who are not members yet that the plan allows; null is without limit. */
  invitesADay: number | null;
  /** Limits of the plan and what is used of them; mails those of this month. */
  usage: UsageDto[];
  /** Whether payments are collected for the account at Stripe. */
  hasSubscription: boolean;
  /** null for who never subscribed. */
  @ApiProperty({ type: AdminSubscriptionDto, nullable: true })
  subscription: AdminSubscriptionDto | null;
  /** The customer in Stripe’s dashboard, for super admins. */
  stripeUrl: string | null;
  /** Whether sign-in asks for a second factor. */
  hasFactor: boolean;
  /** Open sessions. */
  sessions: number;
  lastSeenAt: Date | null;
  /** Memberships in zones of others. */
  memberships: number;
}

/** That a person agreed to the mails of a zone. */
export class ConsentProofDto {
  id: number;
  zoneId: number;
  zoneName: string | null;
  /** null while the zone is there. */
  zoneDeletedAt: Date | null;
  consentedAt: Date;
  ipAddress: string | null;
  /** The way in by which it was given. */
  method: string;
  /** The words that were agreed to. */
  text: string;
}

const knownRole = say('The role must be user or admin', 'Rol kullanıcı veya yönetici olmalıdır');
const yesOrNo = say('This must be true or false', 'Bu değer true veya false olmalıdır');

export class InvitePersonDto {
  @ApiProperty({ format: 'email', maxLength: 255 })
  @EmailRule()
  email: string;

  /** Of the mail, and of the account if there is none yet; English when left out. */
  @ApiPropertyOptional({ enum: languages })
  @Optional()
  @IsIn(languages, say('Please choose English or Turkish.', 'Lütfen İngilizce veya Türkçe seçin.'))
  language?: Language;
}

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

export class ChangeEmailDto {
  /** The new address. */
  @ApiProperty({ format: 'email', maxLength: 255 })
  @EmailRule()
  email: string;

  /** Why, for the audit log. */
  @ApiPropertyOptional({ maxLength: 300 })
  @Optional()
  @Trimmed()
  @IsString(say('Please write a reason', 'Lütfen bir neden yazın'))
  @MaxLength(300, say('Reason is too long', 'Neden çok uzun'))
  @OneLine()
  reason?: string;
}
