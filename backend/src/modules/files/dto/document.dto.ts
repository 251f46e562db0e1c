import { ApiProperty } from '@nestjs/swagger';
import { Type } from 'class-transformer';
import { IsIn, IsNotEmpty, IsOptional, IsString, MaxLength } from 'class-validator';
import { freezeList } from '../../../platform/constants/freeze-list.js';
import type { RenderFailure } from '../../../platform/rendering/rendering-protocol.js';
import { NormaliseToNfc } from '../../../platform/http/parsing/fields.js';
import { localized } from '../../../platform/http/parsing/validation.js';
import type { DocumentState } from '../entities/document.entity.js';

/** Widths of rendered pages in pixels. */
export const pageWidths = freezeList([600, 1200, 2000]);
export type PageWidth = (typeof pageWidths)[number];

export class PageQueryDto {
  /** Width in pixels. Default: 1200. Very tall pages and smaller pictures are less wide. */
  @IsOptional()
  @Type(() => Number)
  @IsIn(pageWidths, localized('width must be 600, 1200 or 2000', 'width 600, 1200 veya 2000 olmalıdır'))
  @ApiProperty({ enum: pageWidths, required: false })
  width?: PageWidth;

  /** Set for a thumbnail in the page list; doesn't count as a view. */
  @IsOptional()
  @IsIn(['', 'true'], localized('strip must not have a value', 'strip bir değer almaz'))
  @ApiProperty({ enum: ['', 'true'], required: false })
  strip?: string;
}

export class PageSizeDto {
  /** In points (72 per inch), or in pixels for pictures; 0 for a damaged page. */
  width: number;
  height: number;
}

export class OutlineEntryDto {
  title: string;
  /** From 1; null if the entry has no target in the document. */
  @ApiProperty({ type: Number, nullable: true })
  page: number | null;
  /** From 1 to 8; an entry's children follow it, one level deeper. */
  level: number;
}

/** Hidden parts of a document, which its pages and their text omit. */
export class HiddenPartsDto {
  /** Hidden sheets of a spreadsheet. */
  sheets: number;
  /** Text deleted in tracked changes. */
  deletions: boolean;
  /** Text in hidden layers of a PDF. */
  layers: boolean;
}

/** A file attached to a PDF. */
export class AttachmentDto {
  /** Its name; generated if it has none. */
  name: string;
  /** Download path. */
  @ApiProperty({ example: '/api/files/12/pages/attachments/1' })
  url: string;
}

export class DocumentDto {
  /** `waiting` until its first pages are rendered; `failed` if they can't be; `none` for file types without pages. */
  @ApiProperty({ enum: ['waiting', 'ready', 'failed', 'none'] })
  state: DocumentState;
  /** Number of pages; null while unknown. */
  @ApiProperty({ type: Number, nullable: true })
  count: number | null;
  /**
   * Why it can't be rendered (`dynamic-form`: an XFA form; `no-office`: LibreOffice isn't installed; `outside`: it may
   * load external files). Requesting a page returns it as a message.
   */
  @ApiProperty({
    enum: [
      'damaged',
      'dynamic-form',
      'empty',
      'locked',
      'no-office',
      'outside',
      'too-large',
      'too-many-pages',
      'too-slow',
      'unsupported',
      'wrong-type',
    ],
    nullable: true,
  })
  failure: RenderFailure | null;
  /** All pages in order; empty while unknown. */
  pages: PageSizeDto[];
  /** The outline in reading order; empty if there is none, or none yet. */
  @ApiProperty({ type: [OutlineEntryDto] })
  outline: readonly OutlineEntryDto[];
  /** Null if nothing is hidden, and for people who don't manage the file. */
  @ApiProperty({ type: HiddenPartsDto, nullable: true })
  hidden: HiddenPartsDto | null;
  /** Attached files; empty for people who may not download the document. */
  @ApiProperty({ type: [AttachmentDto] })
  attachments: readonly AttachmentDto[];
  /** Whether it is recorded which of its pages the viewer reads; see `POST /api/files/{id}/pages/reading`. */
  recordsReading: boolean;
}

/** A document without what differs for each viewer's consent. */
export type DocumentDescription = Omit<DocumentDto, 'recordsReading'>;

/** The password of a locked document. */
export class UnlockDto {
  @ApiProperty({ maxLength: 256 })
  @NormaliseToNfc()
  @MaxLength(256, localized('The password is too long', 'Parola çok uzun'))
  @IsNotEmpty(localized('Please enter the password.', 'Lütfen parolayı girin.'))
  @IsString(localized('The password must be text', 'Parola bir metin olmalıdır'))
  password: string;
}
