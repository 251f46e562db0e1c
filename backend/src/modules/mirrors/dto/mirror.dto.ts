import { applyDecorators } from '@nestjs/common';
import { ApiProperty } from '@nestjs/swagger';
import {
  IsBoolean,
  IsIn,
  IsInt,
  IsNotEmpty,
  IsOptional,
  IsString,
  Max,
  Min,
  type ValidationOptions,
} from 'class-validator';
import { Trim } from '../../../platform/http/parsing/fields.js';
import { localized } from '../../../platform/http/parsing/validation.js';

const folderMessage = localized('Please select a folder', 'Lütfen bir klasör seçin');
const zoneMessage = localized('Please select a target zone', 'Lütfen bir hedef bölge seçin');
const nameMessage = localized('Please enter a folder name', 'Lütfen bir klasör adı girin');
const isActiveMessage = localized('isActive must be true or false', 'isActive true veya false olmalıdır');

const Id = (message: ValidationOptions) =>
  applyDecorators(IsInt(message), Min(1, message), Max(Number.MAX_SAFE_INTEGER, message));

export class CreateMirrorDto {
  /** A folder of the zone in the path; neither a mirror nor inside one. */
  @Id(folderMessage)
  sourceFolderId: number;

  /** Another zone of the same owner. */
  @Id(zoneMessage)
  targetZoneId: number;

  /** Name of the mirror folder at the root of the target zone. */
  @Trim()
  @IsString(nameMessage)
  @IsNotEmpty(nameMessage)
  targetFolderName: string;

  /** Changes go from the source to the mirror only. */
  @ApiProperty({ enum: ['one_way'], required: false })
  @IsOptional()
  @IsIn(['one_way'], localized('mirrorType must be one_way', 'mirrorType one_way olmalıdır'))
  mirrorType?: 'one_way';

  /** False hides the mirror until it's activated. Default: true. */
  @IsOptional()
  @IsBoolean(isActiveMessage)
  isActive?: boolean;
}

export class UpdateMirrorDto {
  /** False hides the mirror and removes the access it gave. */
  @IsBoolean(isActiveMessage)
  isActive: boolean;
}

export class MirrorDto {
  id: number;
  sourceFolderId: number;
  sourceFolderName: string;
  sourceZoneId: number;
  sourceZoneName: string;
  targetZoneId: number;
  targetZoneName: string;
  /** The mirror folder; renaming or deleting it renames or removes the mirror. */
  targetFolderId: number;
  targetFolderName: string;
  @ApiProperty({ enum: ['one_way'] })
  mirrorType: 'one_way';
  isActive: boolean;
  /** The source is in the trash: the mirror is hidden until it is restored. */
  sourceInTrash: boolean;
  /** null if the account was deleted. */
  createdById: number | null;
  createdAt: Date;
  updatedAt: Date;
}
