import { ApiProperty } from '@nestjs/swagger';
import { importOutcomes, type ImportOutcome } from '../shared/outcomes.js';

export class ImportRowDto {
  /** The line of the file at which the record begins, counted from 1. */
  row: number;
  /** The number of the record, including the header. Differs from the line after fields with line breaks. */
  record: number;
  email: string;
  success: boolean;
  @ApiProperty({ enum: importOutcomes })
  status: ImportOutcome;
  /** Human-readable; also says which names were shortened. */
  message: string;
  /** Names that were longer than 50 characters and were shortened. */
  @ApiProperty({ enum: ['firstName', 'lastName'], isArray: true })
  cut: ('firstName' | 'lastName')[];
}

export class ImportPlanLimitDto {
  /** People in the owner's audience now. */
  used: number;
  allowed: number;
}

/** Preview of the email to added people. */
export class ImportMailDto {
  subject: string;
  text: string;
}

export class ImportResultDto {
  /** True: nothing was changed, and the rows contain the expected results. */
  dryRun: boolean;
  @ApiProperty({ enum: ['invite', 'add'] })
  mode: 'invite' | 'add';
  /** Rows of the file. */
  total: number;
  /** Rows that succeeded or would succeed. */
  succeeded: number;
  /** Number of rows by result. */
  @ApiProperty({ type: 'object', additionalProperties: { type: 'integer' } })
  counts: Partial<Record<ImportOutcome, number>>;
  /** Set if some rows exceeded the plan's limit; otherwise null. */
  @ApiProperty({ type: () => ImportPlanLimitDto, nullable: true })
  planLimit: ImportPlanLimitDto | null;
  /** With `dryRun` and `tell`: the email that added people would get. */
  @ApiProperty({ type: () => ImportMailDto, nullable: true })
  mail: ImportMailDto | null;
  results: ImportRowDto[];
}
