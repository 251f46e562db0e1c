import { ApiProperty } from '@nestjs/swagger';
import { IsIn, IsISO8601, IsString, MaxLength, ValidateIf, IsInt, Max, Min } from 'class-validator';
import { freezeList } from '../../../platform/constants/freeze-list.js';
import { OptionalField, Trim } from '../../../platform/http/parsing/fields.js';
import { WindowQueryDto } from '../../../platform/http/lists/list.js';
import { localized } from '../../../platform/http/parsing/validation.js';
import type { JoinMethod } from '../entities/zone-member.entity.js';

const joinMethods = freezeList(['public_link', 'temporary_link', 'invite', 'import', 'purchase']);

export class MemberQueryDto extends WindowQueryDto {
  /** Sort by email address, name (Turkish alphabet) or joining date. Default: newest first. */
  @OptionalField()
  @IsIn(
    ['email', 'name', 'joined'],
    localized('sort must be email, name or joined', 'sort: email, name veya joined olmalıdır'),
  )
  sort?: 'email' | 'name' | 'joined';

  @OptionalField()
  @IsIn(['asc', 'desc'], localized('order must be asc or desc', 'order: asc veya desc olmalıdır'))
  order?: 'asc' | 'desc';

  /** Part of a name, username or email address. */
  @OptionalField()
  @Trim()
  @MaxLength(
    100,
    localized('Please use at most 100 characters to search', 'Lütfen aramada en fazla 100 karakter kullanın'),
  )
  @IsString(localized('The search must be text', 'Arama bir metin olmalıdır'))
  q?: string;

  /** Active members (default), or members whose membership has expired. */
  @OptionalField()
  @IsIn(['active', 'expired'], localized('state must be active or expired', 'state: active veya expired olmalıdır'))
  state?: 'active' | 'expired';
}

export class MemberUserDto {
  id: number;
  email: string;
  firstName: string | null;
  /** "." stands for no last name. */
  lastName: string | null;
  username: string | null;
  profileImageUrl: string | null;
}

export class MemberDto {
  /** Id of the membership. */
  id: number;
  zoneId: number;
  userId: number;
  @ApiProperty({ enum: ['owner', 'admin', 'member'] })
  role: 'owner' | 'admin' | 'member';
  invitedById: number | null;
  @ApiProperty({ enum: ['owner', ...joinMethods] })
  joinMethod: JoinMethod;
  /** When the membership ends; null if never. */
  expiresAt: Date | null;
  isExpired: boolean;
  isFavorite: boolean;
  /** Whether this person receives the zone's emails: they agreed and haven't unsubscribed. */
  getsMails: boolean;
  createdAt: Date;
  user: MemberUserDto;
}

export class UpdateMemberDto {
  @OptionalField()
  @IsIn(
    ['admin', 'member'],
    localized('The role must be admin or member', 'Rol, yönetici (admin) veya üye (member) olmalıdır'),
  )
  role?: 'admin' | 'member';

  /** When the membership ends, in the future; null for never. */
  @ValidateIf((_: unknown, value: unknown) => value !== undefined && value !== null)
  @IsISO8601({ strict: true }, localized('Please enter a valid date', 'Lütfen geçerli bir tarih girin'))
  @MaxLength(40, localized('Please enter a valid date', 'Lütfen geçerli bir tarih girin'))
  expiresAt?: string | null;
}

/** A zone of the viewer with its newest members. */
export class ZoneMembersDto {
  zoneId: number;
  zoneName: string;
  @ApiProperty({ enum: ['private', 'public'] })
  type: 'private' | 'public';
  memberCount: number;
  members: MemberDto[];
}

const choosePersonMessage = localized('Please choose who to block', 'Lütfen engellenecek kişiyi seçin');

export class BlockPersonDto {
  /** A current or former member, or a person who requested to join. */
  @Max(Number.MAX_SAFE_INTEGER, choosePersonMessage)
  @Min(1, choosePersonMessage)
  @IsInt(choosePersonMessage)
  userId: number;
}

/** A blocked person, whose join requests are hidden. */
export class BlockDto {
  blockedAt: Date;
  user: MemberUserDto;
}

/** Result of a decision about a join request. */
export class DecidedJoinRequestDto {
  id: number;
  userId: number;
  @ApiProperty({ enum: ['approved', 'declined'] })
  status: 'approved' | 'declined';
}

export class JoinRequestDto {
  id: number;
  userId: number;
  email: string;
  firstName: string | null;
  /** "." stands for no last name. */
  lastName: string | null;
  username: string | null;
  /** Whether the person agreed to receive the zone's emails. */
  hasConsented: boolean;
  createdAt: Date;
}
