import { ApiProperty } from '@nestjs/swagger';
import { Type } from 'class-transformer';
import { IsInt, IsNotEmpty, IsString, Max, MaxLength, Min } from 'class-validator';
import { OptionalField, Trim } from '../../../platform/http/parsing/fields.js';
import { ListQueryDto } from '../../../platform/http/lists/list.js';
import { localized } from '../../../platform/http/parsing/validation.js';
import { FileDto } from './file.dto.js';
import { FolderDto, FolderPathDto } from './folder.dto.js';
import { TextQueryDto } from './page-text.dto.js';

export class SearchQueryDto extends ListQueryDto {
  /** Words that the name contains, each anywhere in it, ignoring case; I, ı, İ and i are the same letter. */
  @Trim()
  @IsString(localized('Please enter what to search for.', 'Lütfen aranacak metni girin.'))
  @MaxLength(
    255,
    localized('Please use at most 255 characters to search.', 'Lütfen aramada en fazla 255 karakter kullanın.'),
  )
  @IsNotEmpty(localized('Please enter what to search for.', 'Lütfen aranacak metni girin.'))
  q: string;
}

const limitMessage = localized(
  'The limit must be a whole number from 1 to 50.',
  'Sınır, 1 ile 50 arasında bir tam sayı olmalıdır.',
);

export class DocumentSearchQueryDto extends TextQueryDto {
  /** Number of documents. Default: 20. */
  @OptionalField()
  @Type(() => Number)
  @IsInt(limitMessage)
  @Min(1, limitMessage)
  @Max(50, limitMessage)
  limit?: number;
}

/** A document with at least one matching page. */
export class DocumentHitDto {
  id: number;
  name: string;
  /** The zone in which the viewer sees it; for mirrored items, the zone of the mirror. */
  zoneId: number;
  zoneName: string;
  /** The folders that contain it, from the root of the zone down; empty at the root. */
  path: FolderPathDto[];
  /** The first matching page, from 1. */
  page: number;
  /** Number of matching pages. */
  pages: number;
  /** The match with the surrounding words. */
  around: string;
}

export class DocumentHitsDto {
  hits: DocumentHitDto[];
  /** False if there are too many pages for one search; then only the most recently changed documents were searched. */
  isWhole: boolean;
  /** True while documents are still being indexed: the same search may find more in a few seconds. */
  isReading: boolean;
}

export class SearchHitDto {
  @ApiProperty({ enum: ['file', 'folder'] })
  kind: 'file' | 'folder';
  id: number;
  name: string;
  /** The zone in which the viewer sees it; for mirrored items, the zone of the mirror. */
  zoneId: number;
  zoneName: string;
  /** The folders that contain it, from the root of the zone down; empty at the root. */
  path: FolderPathDto[];
  /** The file, if it is one. */
  @ApiProperty({ type: FileDto, nullable: true })
  file: FileDto | null;
  /** The folder, if it is one. */
  @ApiProperty({ type: FolderDto, nullable: true })
  folder: FolderDto | null;
}
