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
import { IsEmailAddress, OptionalField, Trim } from '../../../../platform/http/parsing/fields.js';
import { localized } from '../../../../platform/http/parsing/validation.js';
import { dnsRecordKinds, dnsRecordStates } from '../../../../platform/email/dns/sender-dns-records.js';
import { mailStages, type MailStage } from '../../../../platform/email/smtp-test/smtp-error-stage.js';

/** A host name, IPv4 or IPv6 address. Contains no characters that could add other parts to the SMTP URL. */
const HOST = /^(?:[a-z0-9_](?:[a-z0-9_.-]*[a-z0-9_])?|[0-9a-f:]*:[0-9a-f:.]*)$/i;
/** Single-line text used verbatim in the SMTP URL. */
const SINGLE_LINE = /^[^\p{Cc}\p{Cs}\u2028\u2029\ufffd]*$/u;

const textMessage = localized('Please enter text', 'Lütfen bir metin girin');
const oneLineMessage = localized('Please enter this on one line', 'Lütfen tek satırda girin');
const portMessage = localized('Please enter a number from 1 to 65535', 'Lütfen 1 ile 65535 arasında bir sayı girin');

/** The email server, as entered by super admins. */
export class SetMailServerDto {
  @ApiProperty({ minLength: 1, maxLength: 253 })
  @Transform(({ value }) => (typeof value === 'string' ? value.trim().toLowerCase() : value))
  @MaxLength(253, localized('Please enter at most 253 characters', 'Lütfen en fazla 253 karakter girin'))
  @Matches(
    HOST,
    localized(
      'Please enter only the name of the server, such as mail.example.com',
      'Lütfen yalnızca sunucunun adını girin; örneğin mail.example.com',
    ),
  )
  @IsString(textMessage)
  host: string;

  @ApiProperty({ minimum: 1, maximum: 65_535 })
  @Max(65_535, portMessage)
  @Min(1, portMessage)
  @IsInt(portMessage)
  port: number;

  /**
   * `tls` uses TLS from the start (port 465); `starttls` starts without (port 587) and upgrades according to SMTP_TLS.
   */
  @ApiProperty({ enum: mailSecurities })
  @IsIn([...mailSecurities], localized('Please choose one of the two', 'Lütfen ikisinden birini seçin'))
  security: 'tls' | 'starttls';

  /** Null if the server requires no authentication. */
  @ApiProperty({ type: String, nullable: true, minLength: 1, maxLength: 320 })
  @ValidateIf((_, value: unknown) => value !== null)
  @Trim()
  @Matches(SINGLE_LINE, oneLineMessage)
  @MaxLength(320, localized('Please enter at most 320 characters', 'Lütfen en fazla 320 karakter girin'))
  @MinLength(1, localized('Please enter the user', 'Lütfen kullanıcıyı girin'))
  @IsString(textMessage)
  user: string | null;

  /** Omit to keep the stored password; required for a different host or user. */
  @ApiProperty({ required: false, minLength: 1, maxLength: 500 })
  @OptionalField()
  @Matches(SINGLE_LINE, oneLineMessage)
  @MaxLength(500, localized('Please enter at most 500 characters', 'Lütfen en fazla 500 karakter girin'))
  @MinLength(1, localized('Please enter the password', 'Lütfen parolayı girin'))
  @IsString(textMessage)
  password?: string;
}

/** The current email server settings. */
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
  @IsEmailAddress()
  to: string;

  /** The server to test before saving it. Default: the current server. */
  @ApiProperty({ type: SetMailServerDto, required: false })
  @OptionalField()
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

/** A DNS record to add at the DNS provider. */
export class DnsRecordDto {
  name: string;
  type: string;
  value: string;
}

export class SenderRecordDto {
  @ApiProperty({ enum: dnsRecordKinds })
  kind: 'spf' | 'dkim' | 'dmarc';
  /** `unknown` if the DNS didn't answer, and for DKIM if this site doesn't sign emails. */
  @ApiProperty({ enum: dnsRecordStates })
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
