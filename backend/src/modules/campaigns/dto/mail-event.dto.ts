import { ApiProperty } from '@nestjs/swagger';

export class MailEventDto {
  @ApiProperty({ enum: ['bounce', 'complaint', 'delivered'] })
  type: 'bounce' | 'complaint' | 'delivered';
  /** The Message-ID of the email. */
  messageId: string;
  email: string;
  /** For bounces: whether it's permanent. */
  permanent?: boolean;
  reason?: string;
  /** ISO 8601. */
  occurredAt?: string;
}

export class MailEventsAnswerDto {
  /** Number of events about emails of this site. */
  accepted: number;
}
