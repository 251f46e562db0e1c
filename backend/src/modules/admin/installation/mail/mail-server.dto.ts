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

const text = say('Please enter text', 'Lütfen bir metin girin');
const oneLine = say('Please enter this on one line', 'Lütfen tek satırda girin');
const port = say('Please enter a number from 1 to 65535', 'Lütfen 1 ile 65535 arasında bir sayı girin');

/** A mail server as super admins write it. */
export class SetMailServerDto {
  @ApiProperty({ minLength: 1, maxLength: 253 })
  @Transform(({ value }) => (typeof value === 'string' ? value.trim().toLowerCase() : value))
  @MaxLength(253, say('Please enter at most 253 characters', 'Lütfen en fazla 253 karakter girin'))
  @Matches(
    HOST,
    say(
      'Please enter only the name of the server, such as mail.example.com',
      'Lütfen yalnızca sunucunun adını girin; örneğin mail.example.com',
    ),
  )
  @IsString(text)
  host: string;

  @ApiProperty({ minimum: 1, maximum: 65_535 })
  @Max(65_535, port)
  @Min(1, port)
  @IsInt(port)
  port: number;

  /**
   * `tls` uses TLS from the start (port 465); `starttls` starts without (port 587) and upgrades according to SMTP_TLS.
   */
  @ApiProperty({ enum: mailSecurities })
  @IsIn([...mailSecurities], say('Please choose one of the two', 'Lütfen ikisinden birini seçin'))
  security: 'tls' | 'starttls';

  /** Null if the server requires no authentication. */
  @ApiProperty({ type: String, nullable: true, minLength: 1, maxLength: 320 })
  @ValidateIf((_, value: unknown) => value !== null)
  @Trimmed()
  @Matches(PLAIN, oneLine)
  @MaxLength(320, say('Please enter at most 320 characters', 'Lütfen en fazla 320 karakter girin'))
  @MinLength(1, say('Please enter the user', 'Lütfen kullanıcıyı girin'))
  @IsString(text)
  user: string | null;

  /** Omit to keep the stored password; required for a different host or user. */
  @ApiProperty({ required: false, minLength: 1, maxLength: 500 })
  @Optional()
  @Matches(PLAIN, oneLine)
  @MaxLength(500, say('Please enter at most 500 characters', 'Lütfen en fazla 500 karakter girin'))
  @MinLength(1, say('Please enter the password', 'Lütfen parolayı girin'))
  @IsString(text)
  password?: string;
}

/** What holds of the mail server. */
export class MailSettingDto {
  @ApiProperty({ enum: settingSources })
  source: 'variable' | 'setting' | 'default';
  /** Name of the corresponding environment variable. */
  variable: string;
  @ApiProperty({ type: String, nullable: true })
  host: string | null;
  @ApiProperty({ type: Number, nullable: true })
  port: number | null;
  @ApiProperty({ enum: mailSecurities, nullable: true })
  security: 'tls' | 'starttls' | null;
  @ApiProperty({ type: String, nullable: true })
  user: string | null;
  /**
   * Whether a password is stored, never the password itself. `lost` means it can't be decrypted and must be entered
   * again.
   */
  @ApiProperty({ enum: passwordStates })
  password: 'none' | 'set' | 'lost';
}

export class TryMailServerDto {
  @EmailRule()
  to: string;

  /** The server to test before saving it. Default: the current server. */
  @ApiProperty({ type: SetMailServerDto, required: false })
  @Optional()
  @ValidateNested()
  @Type(() => SetMailServerDto)
  server?: SetMailServerDto;
}

export class MailServerTrialDto {
  ok: boolean;
  /** The stage at which it failed. */
  @ApiProperty({ enum: mailStages, nullable: true })
  stage: MailStage | null;
  /** Explanation and what to do, in the language of the request. */
  sentence: string;
  /** One line of the email server's answer, without secrets. */
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
  /** `unknown` if the DNS didn't answer, and for DKIM if this site doesn't sign emails. */
  @ApiProperty({ enum: recordStates })
  state: 'done' | 'missing' | 'wrong' | 'unknown';
  /** The required record; null if only the email provider knows it. */
  @ApiProperty({ type: DnsRecordDto, nullable: true })
  record: DnsRecordDto | null;
}

export class SenderRecordsDto {
  /** Domain of the sender; null if it isn't a public domain. */
  @ApiProperty({ type: String, nullable: true })
  domain: string | null;
  @ApiProperty({ type: [SenderRecordDto] })
  records: readonly SenderRecordDto[];
}
