import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';

/** Body of all error responses. */
export class ErrorBody {
  /** HTTP status code. */
  @ApiProperty({ example: 400 })
  statusCode: number;

  /** Stable error code in upper case, for use by programs. */
  @ApiProperty({ example: 'VALIDATION_FAILED' })
  code: string;

  /** Human-readable message in the language of the request. */
  @ApiProperty()
  message: string;

  /** Messages by invalid field. */
  @ApiPropertyOptional({ type: 'object', additionalProperties: { type: 'array', items: { type: 'string' } } })
  errors?: Record<string, string[]>;

  /** True if a limit of the owner's plan was reached. */
  @ApiPropertyOptional()
  planLimit?: boolean;

  /** The limit: zones, people, bytes or emails. */
  @ApiPropertyOptional()
  limit?: string;

  /** Usage of the limit, including storage reserved for running uploads. */
  @ApiPropertyOptional()
  used?: number;

  /** What the plan allows. */
  @ApiPropertyOptional()
  allowed?: number;

  /** Names that are already taken; paths of folders that would be too deep. */
  @ApiPropertyOptional({ type: [String] })
  names?: string[];

  /** For WORK_REQUIRED: the proof-of-work task. Repeat the request with its solution in the header `X-Work-Proof`. */
  @ApiPropertyOptional({ type: 'object', additionalProperties: true })
  challenge?: object;

  /** Seconds until the next attempt is allowed, after too many attempts. */
  @ApiPropertyOptional()
  retryAfter?: number;

  /** Identifies this request in the logs. */
  @ApiProperty()
  requestId: string;
}
