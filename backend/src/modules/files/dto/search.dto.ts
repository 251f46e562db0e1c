import { ApiProperty } from '@nestjs/swagger';
import { IsNotEmpty, IsString, MaxLength } from 'class-validator';
import { Trimmed } from '../../../platform/http/reading/fields.js';
import { ListQueryDto } from '../../../platform/http/lists/list.js';
import { say } from '../../../platform/http/reading/validation.js';
import { FileDto } from './file.dto.js';
import { FolderDto, FolderPathDto } from './folder.dto.js';

export class SearchQueryDto extends ListQueryDto {
  /** Words that the name holds, each anywhere in it, without regard to case; I, ı, İ and i are one letter. */
  @Trimmed()
  @IsString(say('Please enter what to search for.', 'Lütfen aranacak metni girin.'))
  @MaxLength(255, say('Search for 255 letters at most.', 'En fazla 255 harf arayın.'))
  @IsNotEmpty(say('Please enter what to search for.', 'Lütfen aranacak metni girin.'))
  q: string;
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
