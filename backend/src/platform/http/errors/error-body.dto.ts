import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';

/** The body of every answer that is an error. */
export class ErrorBody {
  /** Status of the answer. */
  @ApiProperty({ example: 400 })
  statusCode: number;

  /** Stable name of the error, in upper case; programs decide by it. */
  @ApiProperty({ example: 'VALIDATION_FAILED' })
  code: string;

  /** A sentence for people, in their language. */
  @ApiProperty()
  message: string;

  /** Sentences for the fields at fault. */
  @ApiPropertyOptional({ type: 'object', additionalProperties: { type: 'array', items: { type: 'string' } } })
  errors?: Record<string, string[]>;

  /** Set when a limit of the owner's plan was met. */
  @ApiPropertyOptional()
  planLimit?: boolean;

  /** Which limit: zones, people, bytes or mails. */
  @ApiPropertyOptional()
  limit?: string;

  /** What is used of that limit, with what is held for uploads under way. */
  @ApiPropertyOptional()
  used?: number;

  /** What the plan allows. */
  @ApiPropertyOptional()
  allowed?: number;

  /** Names that are taken. */
  @ApiPropertyOptional({ type: [String] })
  names?: string[];

  /** For WORK_REQUIRED: the task whose solution the same request is to bring in the header `X-Work-Proof`. */
  @ApiPropertyOptional({ type: 'object', additionalProperties: true })
  challenge?: object;

  /** Seconds until the next try is taken, when there were too many. */
  @ApiPropertyOptional()
  retryAfter?: number;

  /** Tells this request from others in the logs. */
  @ApiProperty()
  requestId: string;
}
