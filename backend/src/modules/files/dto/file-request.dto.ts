import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsBoolean, IsInt, IsISO8601, IsString, Matches, Max, MaxLength, Min, ValidateIf } from 'class-validator';
import { NormaliseToNfc, Trim } from '../../../platform/http/parsing/fields.js';
import { localized } from '../../../platform/http/parsing/validation.js';

const MAX_INSTRUCTIONS = 2000;
const MAX_FILES = 1000;

const deadlineMessage = localized(
  'Invalid date/time selected. Please check your inputs.',
  'Geçersiz tarih/saat seçildi. Lütfen girdilerinizi kontrol edin.',
);
const filesMessage = localized(
  'The number of files must be a whole number from 1 to 1000',
  'Dosya sayısı 1 ile 1000 arasında bir tam sayı olmalıdır',
);
const bytesMessage = localized(
  'The file size must be a whole number of bytes, at least 1',
  'Dosya boyutu en az 1 olan bir bayt sayısı olmalıdır',
);

/** Skips the rules below it for null, which means "none", and for omitted fields. */
const OrNull = () => ValidateIf((_: unknown, value: unknown) => value !== undefined && value !== null);

/** The terms of a file request. Omitted fields are removed. */
export class SaveFileRequestDto {
  /** True: people see only their own files and those of the zone's owner and admins. Applies to files sent from now on. */
  @IsBoolean(localized('This must be true or false', 'Bu değer true veya false olmalıdır'))
  isPrivate: boolean;

  /** What to send, for the senders. At most 2,000 characters. */
  @ApiPropertyOptional({ type: String, nullable: true, maxLength: MAX_INSTRUCTIONS })
  @OrNull()
  @Trim()
  @NormaliseToNfc()
  @MaxLength(MAX_INSTRUCTIONS, localized('The instructions are too long', 'Açıklama çok uzun'))
  @IsString()
  instructions?: string | null;

  /** When the request closes: date and time with offset; null for never. */
  @ApiPropertyOptional({ type: String, format: 'date-time', nullable: true })
  @OrNull()
  @Matches(/(?:[zZ]|[+-]\d{2}:?\d{2})$/, deadlineMessage)
  @IsISO8601({ strict: true, strictSeparator: true }, deadlineMessage)
  closesAt?: string | null;

  /** How many files each person may send; null for unlimited. */
  @ApiPropertyOptional({ type: 'integer', nullable: true, minimum: 1, maximum: MAX_FILES })
  @OrNull()
  @Max(MAX_FILES, filesMessage)
  @Min(1, filesMessage)
  @IsInt(filesMessage)
  maxFilesPerPerson?: number | null;

  /** Maximum size of one file in bytes; null for what the plan allows. */
  @ApiPropertyOptional({ type: 'integer', nullable: true, minimum: 1 })
  @OrNull()
  @Max(Number.MAX_SAFE_INTEGER, bytesMessage)
  @Min(1, bytesMessage)
  @IsInt(bytesMessage)
  maxFileBytes?: number | null;
}

/** The file request of a folder, as the viewer sees it. */
export class FileRequestDto {
  /** What to send. */
  instructions: string | null;
  /** When it closes; null for never. */
  closesAt: Date | null;
  /** False once the deadline has passed. */
  isOpen: boolean;
  /** Whether people see only their own files and those of the zone's owner and admins. */
  isPrivate: boolean;
  /** How many files each person may send; null for unlimited. */
  maxFilesPerPerson: number | null;
  /** Maximum size of one file in bytes; null for what the plan allows. */
  maxFileBytes: number | null;
  /** Files that the viewer has sent, without deleted ones. */
  sentFiles: number;
  /** Whether the viewer may send another file. The owner and admins upload files as to any folder. */
  canSend: boolean;
}

/** Who sent a file. */
export class SenderDto {
  /** Of the user; null for a guest of a link. */
  id: number | null;
  /** Null for a guest. */
  name: string | null;
  /** As the guest stated it, not verified; null for members, and if a guest's address was deleted. */
  email: string | null;
  /** Tells guests with the same address apart, and is in the names of their private files; null for members. */
  code: string | null;
  /** Whether the file was sent by a link. */
  isGuest: boolean;
}

/** A file that was sent for a file request. */
export class SubmissionDto {
  /** Of the file. */
  id: number;
  name: string;
  mimeType: string;
  /** Bytes. */
  size: number;
  sentAt: Date;
  /** null if the account was deleted. */
  @ApiProperty({ type: SenderDto, nullable: true })
  sender: SenderDto | null;
}
