import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsBoolean, IsNotEmpty, IsOptional, IsString, Matches, MaxLength } from 'class-validator';
import { say } from '../../../platform/http/reading/validation.js';
import { Composed, EmailRule, Optional, Trimmed } from '../../../platform/http/reading/fields.js';
import type { Language, Sentence } from '../../../platform/errors/app-error.js';

const sixDigits = say('The code has 6 digits', 'Kod 6 hanelidir');

export class PublicZoneOwnerDto {
  firstName: string | null;
  /** "." stands for no last name. */
  lastName: string | null;
}

/** What somebody sees before joining. */
/** A name that a link shows. */
export class FirstFileDto {
  name: string;
  /** Null: it is a folder. */
  mimeType: string | null;
}

export class PublicZoneDto {
  name: string;
  description: string;
  fileCount: number;
  memberCount: number;
  /** By name, at most six: files at the top of the zone, or folders where there are none; none where the owner says so. */
  firstFiles: FirstFileDto[];
  /** Files beside those, wherever they lie. */
  moreFiles: number;
  owner: PublicZoneOwnerDto;
  autoJoin: boolean;
  requiresEmailOptin: boolean;
  /** The words that `emailConsent` agrees to, in the language of the request. */
  consentText: string;
}

export class JoinDto {
  @ApiProperty({ format: 'email', maxLength: 255 })
  @EmailRule()
  email: string;

  /** Agreement to the text of the page. */
  @IsBoolean(say('Please say whether you agree to the emails.', 'Lütfen e-postaları kabul edip etmediğinizi belirtin.'))
  emailConsent: boolean;
}

export class JoinByTemporaryLinkDto extends JoinDto {
  /** The word that some links ask for. */
  @ApiPropertyOptional({ maxLength: 128 })
  @Composed()
  @Optional()
  @MaxLength(128, say('The password is too long', 'Parola çok uzun'))
  @IsString(say('The password must be a text', 'Parola bir metin olmalıdır'))
  password?: string;
}

export class JoinAnswerDto {
  /** For people, in the language of the request. */
  message: string;
  /** True when a mail with a link is on its way; nothing is joined yet. */
  requiresVerification: boolean;
  requiresLogin: boolean;
  /** True when the owner decides: the request has been noted. */
  requiresApproval: boolean;
  /** Where to go on, when joined at once. */
  redirectUrl: string | null;
  /** With it the window in which this was asked takes the code of the mail (`POST /api/join-codes`); null when none is sent. */
  handle: string | null;
}

export class JoinCodeDto {
  /** What the answer to the try to join gave. */
  @IsString(say('Please ask to join again.', 'Lütfen yeniden katılmayı isteyin.'))
  @MaxLength(200)
  @IsNotEmpty(say('Please ask to join again.', 'Lütfen yeniden katılmayı isteyin.'))
  handle: string;

  /** The 6 digits from the mail. */
  @ApiProperty({ pattern: '^\\d{6}$' })
  @Trimmed()
  @Matches(/^\d{6}$/, sixDigits)
  @IsString(sixDigits)
  code: string;
}

export class VerifyEmailDto {
  @IsString(say('Invalid verification link - no token provided', 'Geçersiz doğrulama bağlantısı - anahtar yok'))
  @MaxLength(200)
  @IsNotEmpty(say('Invalid verification link - no token provided', 'Geçersiz doğrulama bağlantısı - anahtar yok'))
  token: string;

  /** The `join` parameter of the link; a link that only verifies the address of an account has none. */
  @IsOptional()
  @IsString(say('Invalid verification link', 'Geçersiz doğrulama bağlantısı'))
  @MaxLength(200)
  @IsNotEmpty(say('Invalid verification link', 'Geçersiz doğrulama bağlantısı'))
  join?: string;
}

export class VerificationDto {
  success: boolean;
  /** For people, in the language of the request. */
  message: string;
  /** Kept by the page across sign-in when an invitation waits. */
  inviteToken: string | null;
  /** Where to go after it; null means /auth. */
  redirectUrl: string | null;
  zoneName: string | null;
  email: string | null;
  /** True where the owner of the zone decides about each request. */
  requiresApproval: boolean;
}

/** What people are told while they join. */
export const joinSentences = {
  joined: { en: 'You have joined the zone.', tr: 'Bölgeye katıldınız.' },
  waiting: {
    en: 'Your request has been sent to the owner of the zone. We write to you when it is approved.',
    tr: 'İsteğiniz bölgenin sahibine iletildi. Onaylandığında size yazacağız.',
  },
  mailSent: {
    en: 'Please check your email: we have sent you a link to confirm that you want to join.',
    tr: 'Lütfen e-postanıza bakın: katılmak istediğinizi onaylamanız için size bir bağlantı gönderdik.',
  },
  ready: { en: 'One click, and you are in.', tr: 'Tek bir tıklamayla içeridesiniz.' },
  readyToAsk: {
    en: 'One click, and your request goes to the owner of the zone.',
    tr: 'Tek bir tıklamayla isteğiniz bölgenin sahibine iletilir.',
  },
  verified: {
    en: 'Your address is verified and you have joined the zone.',
    tr: 'Adresiniz doğrulandı ve bölgeye katıldınız.',
  },
  addressReady: { en: 'One click, and your address is verified.', tr: 'Tek bir tıklamayla adresiniz doğrulanır.' },
  addressVerified: { en: 'Your address is verified.', tr: 'Adresiniz doğrulandı.' },
  alreadyDone: {
    en: 'This link has done its work already: your address is verified and you have joined.',
    tr: 'Bu bağlantı işini zaten yaptı: adresiniz doğrulandı ve bölgeye katıldınız.',
  },
} satisfies Record<string, Sentence>;

/** Joined, waiting for the owner, or a mail with a link is on its way. */
export type JoinOutcome = 'joined' | 'waiting' | 'mailSent';

/** What the page is told of a try to join. */
export function joinAnswer(
  { outcome, handle }: { outcome: JoinOutcome; handle: string | null },
  zoneId: number,
  language: Language,
): JoinAnswerDto {
  return {
    handle,
    message: joinSentences[outcome][language],
    requiresVerification: outcome === 'mailSent',
    requiresLogin: false,
    requiresApproval: outcome === 'waiting',
    redirectUrl: outcome === 'joined' ? `/zones/${zoneId}` : null,
  };
}
