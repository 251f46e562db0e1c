import { ApiProperty } from '@nestjs/swagger';
import { Transform, Type } from 'class-transformer';
import {
  IsIn,
  IsInt,
  IsString,
  Matches,
  Max,
  MaxLength,
  Min,
  MinLength,
  ValidateIf,
  ValidateNested,
} from 'class-validator';
import { mailSecurities, passwordStates } from '../../../../platform/config/mail-server.js';
import { settingSources } from '../../../../platform/config/settings.js';
import { EmailRule, Optional, Trimmed } from '../../../../platform/http/reading/fields.js';
import { say } from '../../../../platform/http/reading/validation.js';
import { recordKinds, recordStates } from '../../../../platform/mail/dns/mail-records.js';
import { mailStages, type MailStage } from '../../../../platform/mail/trial/trial-reading.js';

/** A name, an IPv4 or an IPv6 address, and nothing that could say more in the address made of it. */
const HOST = /^(?:[a-z0-9_](?:[a-z0-9_.-]*[a-z0-9_])?|[0-9a-f:]*:[0-9a-f:.]*)$/i;
/** Text on one line that stands in an address as it is. */
const PLAIN = /^[^\p{Cc}\p{Cs}\u2028\u2029\ufffd]*$/u;

const text = say('Please write a text', 'Lütfen bir metin yazın');
const oneLine = say('Please write this on one line', 'Lütfen tek satırda yazın');
const port = say('Please write a number from 1 to 65535', 'Lütfen 1 ile 65535 arasında bir sayı yazın');

/** A mail server as super admins write it. */
export class SetMailServerDto {
  @ApiProperty({ minLength: 1, maxLength: 253 })
  @Transform(({ value }) => (typeof value === 'string' ? value.trim().toLowerCase() : value))
  @MaxLength(253, say('Please write at most 253 characters', 'Lütfen en çok 253 karakter yazın'))
  @Matches(
    HOST,
    say(
      'Please write the name of the server alone, such as mail.example.com',
      'Lütfen yalnızca sunucunun adını yazın; örneğin mail.example.com',
    ),
  )
  @IsString(text)
  host: string;

  @ApiProperty({ minimum: 1, maximum: 65_535 })
  @Max(65_535, port)
  @Min(1, port)
  @IsInt(port)
  port: number;

  /** `tls` from the first byte, as port 465 has it; `starttls` begins without, as 587, and goes on as SMTP_TLS says. */
  @ApiProperty({ enum: mailSecurities })
  @IsIn([...mailSecurities], say('Please choose one of the two', 'Lütfen ikisinden birini seçin'))
  security: 'tls' | 'starttls';

  /** Null where nobody signs in. */
  @ApiProperty({ type: String, nullable: true, minLength: 1, maxLength: 320 })
  @ValidateIf((_, value: unknown) => value !== null)
  @Trimmed()
  @Matches(PLAIN, oneLine)
  @MaxLength(320, say('Please write at most 320 characters', 'Lütfen en çok 320 karakter yazın'))
  @MinLength(1, say('Please write the user', 'Lütfen kullanıcıyı yazın'))
  @IsString(text)
  user: string | null;

  /** Left out, the one that is kept stays; for another host or user it has to be given. */
  @ApiProperty({ required: false, minLength: 1, maxLength: 500 })
  @Optional()
  @Matches(PLAIN, oneLine)
  @MaxLength(500, say('Please write at most 500 characters', 'Lütfen en çok 500 karakter yazın'))
  @MinLength(1, say('Please write the password', 'Lütfen parolayı yazın'))
  @IsString(text)
  password?: string;
}

/** What holds of the mail server. */
export class MailSettingDto {
  @ApiProperty({ enum: settingSources })
  source: 'variable' | 'setting' | 'default';
  /** Name of the variable that means the same. */
  variable: string;
  @ApiProperty({ type: String, nullable: true })
  host: string | null;
  @ApiProperty({ type: Number, nullable: true })
  port: number | null;
  @ApiProperty({ enum: mailSecurities, nullable: true })
  security: 'tls' | 'starttls' | null;
  @ApiProperty({ type: String, nullable: true })
  user: string | null;
  /** Never the password: whether one is kept. `lost` is one that cannot be opened any more and has to be entered again. */
  @ApiProperty({ enum: passwordStates })
  password: 'none' | 'set' | 'lost';
}

export class TryMailServerDto {
  @EmailRule()
  to: string;

  /** What is to be tried before it is saved; left out, what holds. */
  @ApiProperty({ type: SetMailServerDto, required: false })
  @Optional()
  @ValidateNested()
  @Type(() => SetMailServerDto)
  server?: SetMailServerDto;
}

export class MailServerTrialDto {
  ok: boolean;
  /** Where it failed. */
  @ApiProperty({ enum: mailStages, nullable: true })
  stage: MailStage | null;
  /** What that means and what to do, in the language of who asks. */
  sentence: string;
  /** One line that the mail server answered, without secrets. */
  @ApiProperty({ type: String, nullable: true })
  said: string | null;
}

/** A record of the DNS, as it is entered at who keeps the domain. */
export class DnsRecordDto {
  name: string;
  type: string;
  value: string;
}

export class SenderRecordDto {
  @ApiProperty({ enum: recordKinds })
  kind: 'spf' | 'dkim' | 'dmarc';
  /** `unknown` when nobody answered, and for DKIM where the product does not sign. */
  @ApiProperty({ enum: recordStates })
  state: 'done' | 'missing' | 'wrong' | 'unknown';
  /** What has to stand there; null where only the mail server knows. */
  @ApiProperty({ type: DnsRecordDto, nullable: true })
  record: DnsRecordDto | null;
}

export class SenderRecordsDto {
  /** Domain of the sender; null where it is none that the DNS could know. */
  @ApiProperty({ type: String, nullable: true })
  domain: string | null;
  @ApiProperty({ type: [SenderRecordDto] })
  records: readonly SenderRecordDto[];
}
