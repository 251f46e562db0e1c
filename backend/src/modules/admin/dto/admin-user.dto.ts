import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsBoolean, IsIn, IsString, MaxLength } from 'class-validator';
import { languages, type Language } from '../../../platform/errors/app-error.js';
import { IsEmailAddress, OneLine, OptionalField, Trim } from '../../../platform/http/parsing/fields.js';
import { localized } from '../../../platform/http/parsing/validation.js';
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

/** A Stripe subscription, as last synchronised. */
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
  /** It ends then and isn't renewed. */
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
  /** Pending: the email address isn't verified yet. */
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
  /** The paid plan; free without one. */
  subscribedPlan: string;
  /** The plan granted free of charge. */
  grantedPlan: string | null;
  /** Daily limit of emails to people who aren't members yet; null means unlimited. */
  invitesADay: number | null;
  /** Limits of the plan and their usage; emails of this month. */
  usage: UsageDto[];
  /** Whether Stripe collects payments for the account. */
  hasSubscription: boolean;
  /** null without a subscription. */
  @ApiProperty({ type: AdminSubscriptionDto, nullable: true })
  subscription: AdminSubscriptionDto | null;
  /** The customer in Stripe’s dashboard, for super admins. */
  stripeUrl: string | null;
  /** Whether two-step sign-in is on. */
  hasFactor: boolean;
  /** Open sessions. */
  sessions: number;
  lastSeenAt: Date | null;
  /** Memberships in zones of others. */
  memberships: number;
}

/** Proof of a person's consent to receive the emails of a zone. */
export class ConsentProofDto {
  id: number;
  zoneId: number;
  zoneName: string | null;
  /** null while the zone exists. */
  zoneDeletedAt: Date | null;
  consentedAt: Date;
  ipAddress: string | null;
  /** How consent was given. */
  method: string;
  /** The text that the person agreed to. */
  text: string;
}

const roleMessage = localized('The role must be user or admin', 'Rol kullanıcı veya yönetici olmalıdır');
const booleanMessage = localized('This must be true or false', 'Bu değer true veya false olmalıdır');

export class InvitePersonDto {
  @ApiProperty({ format: 'email', maxLength: 255 })
  @IsEmailAddress()
  email: string;

  /** Language of the email and of a new account. Default: English. */
  @ApiPropertyOptional({ enum: languages })
  @OptionalField()
  @IsIn(languages, localized('Please choose English or Turkish.', 'Lütfen İngilizce veya Türkçe seçin.'))
  language?: Language;
}

/** Omitted fields keep their values. */
export class ChangeRoleDto {
  @OptionalField()
  @IsIn(['user', 'admin'], roleMessage)
  @ApiProperty({ enum: ['user', 'admin'], required: false })
  role?: 'user' | 'admin';

  @OptionalField()
  @IsBoolean(booleanMessage)
  isSuperAdmin?: boolean;
}

export class EndedSessionsDto {
  /** Number of ended sessions. */
  ended: number;
}

export class ChangeEmailDto {
  /** The new address. */
  @ApiProperty({ format: 'email', maxLength: 255 })
  @IsEmailAddress()
  email: string;

  /** Reason, for the audit log. */
  @ApiPropertyOptional({ maxLength: 300 })
  @OptionalField()
  @Trim()
  @IsString(localized('Please enter a reason', 'Lütfen bir neden girin'))
  @MaxLength(300, localized('Reason is too long', 'Neden çok uzun'))
  @OneLine()
  reason?: string;
}
