import { Type } from 'class-transformer';
import { IsInt, IsOptional, Max, Min } from 'class-validator';
import { localized } from '../../../platform/http/parsing/validation.js';

const linkIdMessage = localized('linkId must be the id of a link', 'linkId bir bağlantının kimliği olmalıdır');

export class LinkFunnelQueryDto {
  /** Id of a temporary link. Default: the public link, with those that it replaced. */
  @IsOptional()
  @Type(() => Number)
  @IsInt(linkIdMessage)
  @Min(1, linkIdMessage)
  @Max(Number.MAX_SAFE_INTEGER, linkIdMessage)
  linkId?: number;
}

/** Numbers of different people. Mirrored files are left out of `opened` and `downloaded`. */
export class LinkFunnelDto {
  /** People who joined by the link, as far as their joins are kept (`RETENTION_LINK_USAGES`). */
  joined: number;
  /** Those of them who opened or downloaded a file of the zone after joining. */
  opened: number;
  /** Those of them who read a page of a document. */
  read: number;
  /** Those of them who downloaded a file. */
  downloaded: number;
}
