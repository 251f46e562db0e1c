import { ApiProperty } from '@nestjs/swagger';

export class InvoiceDto {
  id: string;
  /** As it stands on the invoice; null when it has none. */
  number: string | null;
  createdAt: Date;
  /** In the smallest unit of the currency. */
  amount: number;
  /** As ISO 4217 has it: USD. */
  currency: string;
  @ApiProperty({ enum: ['paid', 'open', 'uncollectible', 'void'] })
  status: 'paid' | 'open' | 'uncollectible' | 'void';
  /** A page of the payment provider on which it is read, and paid while it is open. */
  url: string | null;
}
