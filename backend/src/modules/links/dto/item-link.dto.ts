import { ApiProperty, ApiPropertyOptional, PartialType, PickType } from '@nestjs/swagger';
import { IsBoolean, IsISO8601, Matches } from 'class-validator';
import { OptionalField } from '../../../platform/http/parsing/fields.js';
import { localized } from '../../../platform/http/parsing/validation.js';
import type { LinkState } from '../link.policy.js';
import { CreateTemporaryLinkDto, expiryMessage, OrNull } from './temporary-link.dto.js';

const booleanMessage = localized('This must be true or false', 'Bu değer true veya false olmalıdır');

export class CreateItemLinkDto extends PickType(CreateTemporaryLinkDto, [
  'name',
  'expiresInHours',
  'maxUses',
  'password',
]) {
  /** When the link expires: date and time with offset; null or omitted for never. Either this or `expiresInHours`. */
  @ApiPropertyOptional({ type: String, format: 'date-time', nullable: true })
  @OrNull()
  @Matches(/(?:[zZ]|[+-]\d{2}:?\d{2})$/, expiryMessage)
  @IsISO8601({ strict: true, strictSeparator: true }, expiryMessage)
  expiresAt?: string | null;

  /** True to ask guests for their email address, which isn't verified. Default: false. */
  @OptionalField()
  @IsBoolean(booleanMessage)
  needsEmail?: boolean;

  /** False to let guests only read pages, whatever the files allow. Default: true. */
  @OptionalField()
  @IsBoolean(booleanMessage)
  allowDownload?: boolean;

  /**
   * True to let visitors send files for the file request of the folder. Only for a folder that requests files, and with
   * `needsEmail`. Becomes false when the request is stopped. Default: false.
   */
  @OptionalField()
  @IsBoolean(booleanMessage)
  allowUploads?: boolean;
}

export class UpdateItemLinkDto extends PartialType(CreateItemLinkDto, { skipNullProperties: false }) {
  /** False pauses the link, true resumes it. */
  @OptionalField()
  @IsBoolean(booleanMessage)
  isActive?: boolean;
}

/** A link to a file or folder with its statistics, for those who share it. */
export class ItemLinkDto {
  id: number;
  zoneId: number;
  /** Null for a link to a folder. */
  fileId: number | null;
  /** Null for a link to a file. */
  folderId: number | null;
  /** Name of the file or folder. */
  itemName: string;
  /** The folder that the file or folder is in; null at the root of the zone. */
  parentFolderId: number | null;
  /** True while the file or folder is in the trash. The link leads nowhere until it is restored. */
  isInTrash: boolean;
  token: string;
  name: string;
  /** The URL to share. */
  url: string;
  /** Null means never. */
  expiresAt: Date | null;
  /** Maximum number of guests; null means unlimited. */
  maxUses: number | null;
  /** Guests who entered. */
  currentUses: number;
  /** False while paused. */
  isActive: boolean;
  /** `max_uses` admits no new guests; those who entered before still read. */
  @ApiProperty({ enum: ['active', 'expired', 'max_uses', 'inactive'] })
  state: LinkState;
  hasPassword: boolean;
  /**
   * When so many wrong passwords were last entered that attempts were limited for the whole link; null if never since
   * the password was set.
   */
  passwordAttackedAt: Date | null;
  needsEmail: boolean;
  allowDownload: boolean;
  /** Whether visitors may send files for the file request of the folder. */
  allowUploads: boolean;
  /** Whether the folder requests files, so that `allowUploads` can be set. */
  isFolderRequesting: boolean;
  /** Files that guests viewed, each once per guest and half an hour. */
  views: number;
  /** Counted in the same way. */
  downloads: number;
  /** When a guest last entered, viewed or downloaded something; null before the first. */
  lastVisitAt: Date | null;
  createdById: number | null;
  createdAt: Date;
  updatedAt: Date;
}

/** Somebody who entered by a link. */
export class ItemGuestDto {
  id: number;
  /** As the guest stated it, not verified. Null if the link didn't ask for it. */
  email: string | null;
  firstAt: Date;
  lastAt: Date;
  views: number;
  downloads: number;
}
