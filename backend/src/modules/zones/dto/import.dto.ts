import { ApiProperty } from '@nestjs/swagger';
import { importOutcomes, type ImportOutcome } from '../shared/outcomes.js';

export class ImportRowDto {
  /** The line of the file at which the record begins, the first being 1. */
  row: number;
  /** The number of the record, headings included; another than the line after a field with line breaks. */
  record: number;
  email: string;
  success: boolean;
  @ApiProperty({ enum: importOutcomes })
  status: ImportOutcome;
  /** Worded; also says which names were cut. */
  message: string;
  /** Names that were longer than 50 characters and have been cut. */
  @ApiProperty({ enum: ['firstName', 'lastName'], isArray: true })
  cut: ('firstName' | 'lastName')[];
}

export class ImportPlanLimitDto {
  /** People in the owner's audience now. */
  used: number;
  allowed: number;
}

/** The mail to those who are added, as whoever imports would get it. */
export class ImportMailDto {
  subject: string;
  text: string;
}

export class ImportResultDto {
  /** True: nothing was changed, and the rows say what would become of them. */
  dryRun: boolean;
  @ApiProperty({ enum: ['invite', 'add'] })
  mode: 'invite' | 'add';
  /** Rows of the file. */
  total: number;
  /** Rows that came in, or would. */
  succeeded: number;
  /** Rows by what became of them. */
  @ApiProperty({ type: 'object', additionalProperties: { type: 'integer' } })
  counts: Partial<Record<ImportOutcome, number>>;
  /** When some rows found no place in the plan; else null. */
  @ApiProperty({ type: () => ImportPlanLimitDto, nullable: true })
  planLimit: ImportPlanLimitDto | null;
  /** With `dryRun` and `tell`: what those who are added would be told. */
  @ApiProperty({ type: () => ImportMailDto, nullable: true })
  mail: ImportMailDto | null;
  results: ImportRowDto[];
}
