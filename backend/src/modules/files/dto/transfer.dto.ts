import { ApiProperty } from '@nestjs/swagger';
import { IsIn, IsInt, Max, Min, ValidateIf } from 'class-validator';
import { freezeList } from '../../../platform/constants/freeze-list.js';
import { OptionalField } from '../../../platform/http/parsing/fields.js';
import { localized } from '../../../platform/http/parsing/validation.js';
import { ItemsDto } from './items.dto.js';

/**
 * What happens to items whose names are taken in the target folder: `rename` appends a number, `replace` moves the
 * items that have the names to the trash, and `skip` leaves out the new ones.
 */
export type TransferConflictRule = 'rename' | 'replace' | 'skip';

const RULES: readonly TransferConflictRule[] = freezeList(['rename', 'replace', 'skip']);

const zoneMessage = localized('Please give a zone', 'Lütfen bir bölge verin');
const folderMessage = localized('Please give a folder, or null for the root', 'Bir klasör ya da kök için null verin');

/** Items to copy, or to move to another zone. */
export class TransferItemsDto extends ItemsDto {
  /** A zone of the same owner. */
  @IsInt(zoneMessage)
  @Min(1, zoneMessage)
  @Max(Number.MAX_SAFE_INTEGER, zoneMessage)
  targetZoneId: number;

  /** The target folder; null for the root of the zone. */
  @ApiProperty({ type: 'integer', nullable: true })
  @ValidateIf((dto: TransferItemsDto) => dto.targetFolderId !== null)
  @IsInt(folderMessage)
  @Min(1, folderMessage)
  @Max(Number.MAX_SAFE_INTEGER, folderMessage)
  targetFolderId: number | null;

  /**
   * What happens to items whose names are taken: `rename` (the default) adds a number, `replace` moves the items that
   * have the names to the trash, `skip` leaves out the new ones.
   */
  @ApiProperty({ enum: [...RULES], required: false })
  @OptionalField()
  @IsIn(
    RULES,
    localized('onConflict must be rename, replace or skip', 'onConflict rename, replace veya skip olmalıdır'),
  )
  onConflict?: TransferConflictRule;
}

export class TransferredDto {
  /** Number of copied or moved files, including those in folders. */
  files: number;
  /** Including subfolders. */
  folders: number;
  /** Id for undoing it within 30 minutes; null if all items were skipped. */
  @ApiProperty({ type: String, format: 'uuid', nullable: true })
  undoId: string | null;
}

export class TransferUndoneDto {
  /** Number of files that were moved back, or of copies that were moved to the trash. */
  files: number;
  folders: number;
}
