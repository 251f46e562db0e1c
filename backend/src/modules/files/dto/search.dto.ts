import { ApiProperty } from '@nestjs/swagger';
import { Type } from 'class-transformer';
import { IsInt, IsNotEmpty, IsString, Max, MaxLength, Min } from 'class-validator';
import { Optional, Trimmed } from '../../../platform/http/reading/fields.js';
import { ListQueryDto } from '../../../platform/http/lists/list.js';
import { say } from '../../../platform/http/reading/validation.js';
import { FileDto } from './file.dto.js';
import { FolderDto, FolderPathDto } from './folder.dto.js';
import { TextQueryDto } from './page-text.dto.js';

export class SearchQueryDto extends ListQueryDto {
  /** Words that the name holds, each anywhere in it, without regard to case; I, ı, İ and i are one letter. */
  @Trimmed()
  @IsString(say('Please enter what to search for.', 'Lütfen aranacak metni girin.'))
  @MaxLength(255, say('Search for 255 letters at most.', 'En fazla 255 harf arayın.'))
  @IsNotEmpty(say('Please enter what to search for.', 'Lütfen aranacak metni girin.'))
  q: string;
}

const LIMIT = say('The limit must be a whole number from 1 to 50.', 'Sınır, 1 ile 50 arasında bir tam sayı olmalıdır.');

export class DocumentSearchQueryDto extends TextQueryDto {
  /** Of documents; 20 when left out. */
  @Optional()
  @Type(() => Number)
  @IsInt(LIMIT)
  @Min(1, LIMIT)
  @Max(50, LIMIT)
  limit?: number;
}

/** A document with a page that holds what was searched for. */
export class DocumentHitDto {
  id: number;
  name: string;
  /** The zone in which the viewer sees it: through a mirror, the one that holds the mirror. */
  zoneId: number;
  zoneName: string;
  /** The folders in which it lies, from the root of that zone down; empty at the root. */
  path: FolderPathDto[];
  /** The first page that holds it, from 1. */
  page: number;
  /** How many pages hold it. */
  pages: number;
  /** The words on either side, it included. */
  around: string;
}

export class DocumentHitsDto {
  hits: DocumentHitDto[];
  /** False where there are more pages than one search goes through: those of the documents changed last were searched. */
  isWhole: boolean;
  /** Texts of documents are still being read: the same search may find more in a few seconds. */
  isReading: boolean;
}

export class SearchHitDto {
  @ApiProperty({ enum: ['file', 'folder'] })
  kind: 'file' | 'folder';
  id: number;
  name: string;
  /** The zone in which the viewer sees it: through a mirror, the one that holds the mirror. */
  zoneId: number;
  zoneName: string;
  /** The folders in which it lies, from the root of that zone down; empty at the root. */
  path: FolderPathDto[];
  /** The file, when it is one. */
  @ApiProperty({ type: FileDto, nullable: true })
  file: FileDto | null;
  /** The folder, when it is one. */
  @ApiProperty({ type: FolderDto, nullable: true })
  folder: FolderDto | null;
}
