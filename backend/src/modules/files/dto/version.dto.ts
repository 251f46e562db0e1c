import { Transform } from 'class-transformer';
import { IsInt, IsOptional, Max, Min } from 'class-validator';
import { localized } from '../../../platform/http/parsing/validation.js';

const versionMessage = localized(
  'This must be a whole number of 1 or more',
  'Bu değer 1 veya daha büyük bir tam sayı olmalıdır',
);

/** Form fields before the file. */
export class ReplaceFileDto {
  /** `version` of the file on which the new content is based. If the file has been replaced since, it is refused. */
  @IsOptional()
  @Transform(({ value }: { value: unknown }) => Number(value))
  @IsInt(versionMessage)
  @Min(1, versionMessage)
  @Max(2 ** 31 - 1, versionMessage)
  ifVersion?: number;
}

/** The current content of a file, or an earlier one. */
export class FileVersionDto {
  /** 1 for the first content of the file. */
  number: number;
  /** Whether it is the current content. */
  isCurrent: boolean;
  /** Name of the file while this was its content. */
  name: string;
  /** Detected from the content. */
  mimeType: string;
  /** Bytes. */
  size: number;
  /** Whether browsers can display it. */
  viewable: boolean;
  /** Name of the person who uploaded it; null if the account was deleted. */
  uploadedBy: string | null;
  uploadedById: number | null;
  uploadedAt: Date;
  /** When it was replaced; null for the current content. */
  replacedAt: Date | null;
}
