import { ApiProperty } from '@nestjs/swagger';

export class MailEventDto {
  @ApiProperty({ enum: ['bounce', 'complaint', 'delivered'] })
  type: 'bounce' | 'complaint' | 'delivered';
  /** The Message-ID of the mail. */
  messageId: string;
  email: string;
  /** Of a bounce: no further try makes sense. */
  permanent?: boolean;
  reason?: string;
  /** ISO 8601. */
  occurredAt?: string;
}

export class MailEventsAnswerDto {
  /** How many of the events were about mails of ours. */
  accepted: number;
}
