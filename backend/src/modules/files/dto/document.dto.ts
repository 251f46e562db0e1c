import { ApiProperty } from '@nestjs/swagger';
import { Type } from 'class-transformer';
import { IsIn, IsNotEmpty, IsOptional, IsString, MaxLength } from 'class-validator';
import { catalogue } from '../../../platform/catalogue/catalogue.js';
import type { DrawingFault } from '../../../platform/drawing/drawing-protocol.js';
import { Composed } from '../../../platform/http/reading/fields.js';
import { say } from '../../../platform/http/reading/validation.js';
import type { DocumentState } from '../entities/document.entity.js';

/** How wide pages are drawn, in pixels. */
export const pageWidths = catalogue([600, 1200, 2000]);
export type PageWidth = (typeof pageWidths)[number];

export class PageQueryDto {
  /** Pixels; 1200 when nothing is asked. A page that is very high is less wide, and so is a picture that has no more. */
  @IsOptional()
  @Type(() => Number)
  @IsIn(pageWidths, say('width is 600, 1200 or 2000', 'width 600, 1200 veya 2000 olmalıdır'))
  @ApiProperty({ enum: pageWidths, required: false })
  width?: PageWidth;

  /** Given: a small picture among others by which one finds a page, which is no view. */
  @IsOptional()
  @IsIn(['', 'true'], say('strip has no value', 'strip bir değer almaz'))
  @ApiProperty({ enum: ['', 'true'], required: false })
  strip?: string;
}

export class PageSizeDto {
  /** Points, of which an inch has 72, or pixels of a picture; 0 of a page that is broken. */
  width: number;
  height: number;
}

export class OutlineEntryDto {
  title: string;
  /** From 1; null of one that leads nowhere in the document. */
  @ApiProperty({ type: Number, nullable: true })
  page: number | null;
  /** From 1 to 8: what belongs to an entry follows it, one deeper. */
  level: number;
}

/** What is hidden in a document and left out of its pages and their text. */
export class HiddenPartsDto {
  /** Hidden sheets of a spreadsheet. */
  sheets: number;
  /** Text that tracked changes have deleted. */
  deletions: boolean;
  /** Text in layers of a PDF that are switched off. */
  layers: boolean;
}

/** A file that is attached to a PDF. */
export class AttachmentDto {
  /** Its name; made up where it has none. */
  name: string;
  /** Path at which it is downloaded. */
  @ApiProperty({ example: '/api/files/12/pages/attachments/1' })
  url: string;
}

export class DocumentDto {
  /** `waiting` until its first pages are drawn; `failed` when it cannot be; `none` when pages of its kind are not drawn. */
  @ApiProperty({ enum: ['waiting', 'ready', 'failed', 'none'] })
  state: DocumentState;
  /** How many pages it has; null while, or when, that is not known. */
  @ApiProperty({ type: Number, nullable: true })
  count: number | null;
  /** Why it cannot be drawn (`dynamic-form`: an XFA form; `no-office`: LibreOffice is not installed; `outside`: it may load other files); asking for a page says it as a sentence. */
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
  failure: DrawingFault | null;
  /** All pages in their order; empty while, or when, they are not known. */
  pages: PageSizeDto[];
  /** The outline, read from above; empty of a document that has none, and until it is read. */
  @ApiProperty({ type: [OutlineEntryDto] })
  outline: readonly OutlineEntryDto[];
  /** Null of a document with nothing hidden, and for those who don't manage the file. */
  @ApiProperty({ type: HiddenPartsDto, nullable: true })
  hidden: HiddenPartsDto | null;
  /** Files that are attached to it; empty for those who may not download the file. */
  @ApiProperty({ type: [AttachmentDto] })
  attachments: readonly AttachmentDto[];
}

/** What a document is locked with. */
export class UnlockDto {
  @ApiProperty({ maxLength: 256 })
  @Composed()
  @MaxLength(256, say('The password is too long', 'Parola çok uzun'))
  @IsNotEmpty(say('Please enter the password.', 'Lütfen parolayı girin.'))
  @IsString(say('The password must be a text', 'Parola bir metin olmalıdır'))
  password: string;
}
