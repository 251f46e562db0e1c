import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsBoolean, IsNotEmpty, IsOptional, IsString, Matches, MaxLength } from 'class-validator';
import { localized } from '../../../platform/http/parsing/validation.js';
import { NormaliseToNfc, IsEmailAddress, OptionalField, Trim } from '../../../platform/http/parsing/fields.js';
import type { Language, LocalizedText } from '../../../platform/errors/app-error.js';
import type { SignInResult } from '../../auth/sign-in/session-issuer.service.js';

const codeMessage = localized('The code must have 6 digits', 'Kod 6 haneli olmalıdır');

export class PublicZoneOwnerDto {
  firstName: string | null;
  /** "." stands for no last name. */
  lastName: string | null;
}

/** A file or folder shown by a link before joining. */
export class FirstFileDto {
  name: string;
  /** Null for a folder. */
  mimeType: string | null;
}

export class PublicZoneDto {
  name: string;
  description: string;
  fileCount: number;
  memberCount: number;
  /** Up to six files at the root of the zone by name, or folders if there are none; empty if the owner hides them. */
  firstFiles: FirstFileDto[];
  /** Number of further files in all folders. */
  moreFiles: number;
  owner: PublicZoneOwnerDto;
  autoJoin: boolean;
  requiresEmailOptin: boolean;
  /** The consent text for `emailConsent`, in the language of the request. */
  consentText: string;
}

export class JoinDto {
  @ApiProperty({ format: 'email', maxLength: 255 })
  @IsEmailAddress()
  email: string;

  /** Consent to the text on the page. */
  @IsBoolean(
    localized(
      'Please state whether you agree to receive the emails.',
      'Lütfen e-postaları almayı kabul edip etmediğinizi belirtin.',
    ),
  )
  emailConsent: boolean;
}

export class JoinByTemporaryLinkDto extends JoinDto {
  /** The password of the link, if it has one. */
  @ApiPropertyOptional({ maxLength: 128 })
  @NormaliseToNfc()
  @OptionalField()
  @MaxLength(128, localized('The password is too long', 'Parola çok uzun'))
  @IsString(localized('The password must be text', 'Parola bir metin olmalıdır'))
  password?: string;
}

export class JoinAnswerDto {
  /** Human-readable, in the language of the request. */
  message: string;
  /** True if an email with a link is being sent; the person hasn't joined yet. */
  requiresVerification: boolean;
  requiresLogin: boolean;
  /** True if the owner must approve: the request has been recorded. */
  requiresApproval: boolean;
  /** Where to continue after joining immediately. */
  redirectUrl: string | null;
  /** Identifies this window when entering the emailed code (`POST /api/join-codes`); null if no code is sent. */
  handle: string | null;
}

export class JoinCodeDto {
  /** The `handle` from the response to the join request. */
  @IsString(localized('Please request to join again.', 'Lütfen yeniden katılma isteği gönderin.'))
  @MaxLength(200)
  @IsNotEmpty(localized('Please request to join again.', 'Lütfen yeniden katılma isteği gönderin.'))
  handle: string;

  /** The 6 digits from the email. */
  @ApiProperty({ pattern: '^\\d{6}$' })
  @Trim()
  @Matches(/^\d{6}$/, codeMessage)
  @IsString(codeMessage)
  code: string;
}

export class VerifyEmailDto {
  @IsString(localized('Invalid verification link - no token provided', 'Geçersiz doğrulama bağlantısı - anahtar yok'))
  @MaxLength(200)
  @IsNotEmpty(localized('Invalid verification link - no token provided', 'Geçersiz doğrulama bağlantısı - anahtar yok'))
  token: string;

  /** The `join` parameter of the link. Links that only verify an email address don't have it. */
  @IsOptional()
  @IsString(localized('Invalid verification link', 'Geçersiz doğrulama bağlantısı'))
  @MaxLength(200)
  @IsNotEmpty(localized('Invalid verification link', 'Geçersiz doğrulama bağlantısı'))
  join?: string;
}

export class VerificationDto {
  success: boolean;
  /** Human-readable, in the language of the request. */
  message: string;
  /** Kept by the page during sign-in if there's an open invitation. */
  inviteToken: string | null;
  /** Where to continue; null means /auth. */
  redirectUrl: string | null;
  zoneName: string | null;
  email: string | null;
  /** True if the owner approves each request. */
  requiresApproval: boolean;
}

/** Messages shown while joining. */
export const joinMessages = {
  joined: { en: "You've joined the zone.", tr: 'Bölgeye katıldınız.' },
  waiting: {
    en: "Your request has been sent to the zone's owner. We'll email you when it's approved.",
    tr: 'İsteğiniz bölgenin sahibine iletildi. Onaylandığında size e-posta göndereceğiz.',
  },
  mailSent: {
    en: "Please check your email. We've sent you a link to confirm that you want to join.",
    tr: 'Lütfen e-postanızı kontrol edin. Katılımınızı onaylamanız için size bir bağlantı gönderdik.',
  },
  ready: { en: 'Press the button to join the zone.', tr: 'Bölgeye katılmak için düğmeye basın.' },
  readyToAsk: {
    en: "Press the button to send your request to the zone's owner.",
    tr: 'İsteğinizi bölgenin sahibine göndermek için düğmeye basın.',
  },
  verified: {
    en: "Your email address is verified, and you've joined the zone.",
    tr: 'E-posta adresiniz doğrulandı ve bölgeye katıldınız.',
  },
  addressReady: {
    en: 'Press the button to verify your email address.',
    tr: 'E-posta adresinizi doğrulamak için düğmeye basın.',
  },
  addressVerified: { en: 'Your email address is verified.', tr: 'E-posta adresiniz doğrulandı.' },
  alreadyDone: {
    en: "You've already used this link. Your email address is verified, and you've joined the zone.",
    tr: 'Bu bağlantıyı zaten kullandınız. E-posta adresiniz doğrulandı ve bölgeye katıldınız.',
  },
} satisfies Record<string, LocalizedText>;

/** The result of a join, or of a step towards it. */
export interface Membership {
  readonly outcome: keyof typeof joinMessages;
  readonly zone: { readonly id: number; readonly name: string };
  readonly email: string;
  /** The next page; null to stay on the page. */
  readonly redirectUrl: string | null;
  /** Token with which the window that asked accepts the emailed code; null if no email is sent. */
  readonly handle: string | null;
  /** Sign-in by the emailed link or code: a read-only session, or the request for a second factor. */
  readonly signIn: SignInResult | null;
}

/** Returns the result of a join request for the page. */
export function toJoinAnswer({ outcome, handle, redirectUrl }: Membership, language: Language): JoinAnswerDto {
  return {
    handle,
    message: joinMessages[outcome][language],
    requiresVerification: outcome === 'mailSent',
    requiresLogin: false,
    requiresApproval: outcome === 'waiting',
    redirectUrl,
  };
}

/** Returns the result of an emailed link or code for the page. */
export function toVerificationResponse(
  { outcome, zone, email, redirectUrl }: Pick<Membership, 'outcome' | 'email' | 'redirectUrl'> & Partial<Membership>,
  language: Language,
): VerificationDto {
  return {
    success: true,
    message: joinMessages[outcome][language],
    inviteToken: null,
    redirectUrl,
    zoneName: zone?.name ?? null,
    email,
    requiresApproval: outcome === 'waiting' || outcome === 'readyToAsk',
  };
}
