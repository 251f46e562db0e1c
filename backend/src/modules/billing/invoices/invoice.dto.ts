import { ApiProperty } from '@nestjs/swagger';

export class InvoiceDto {
  id: string;
  /** As printed on the invoice; null if it has none. */
  number: string | null;
  createdAt: Date;
  /** In the smallest unit of the currency. */
  amount: number;
  /** ISO 4217 code, such as USD. */
  currency: string;
  @ApiProperty({ enum: ['paid', 'open', 'uncollectible', 'void'] })
  status: 'paid' | 'open' | 'uncollectible' | 'void';
  /** Page of the payment provider to view the invoice and pay it while it's open. */
  url: string | null;
}
