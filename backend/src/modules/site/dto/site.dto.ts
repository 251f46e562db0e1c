import { ApiProperty } from '@nestjs/swagger';

/** The operator of this installation. Fields that are not configured are null and not shown. */
export class CompanyDto {
  name: string | null;
  director: string | null;
  type: string | null;
  phone: string | null;
  address: string | null;
}

/** Counts of this installation; null while a count is too small to show. */
export class FiguresDto {
  /** People who own a zone. */
  creators: number | null;
  /** Files in all zones, without trash and mirrors. */
  files: number | null;
  /** Distinct people by email address who joined a zone. */
  people: number | null;
}

/** Retention periods in days; 0 means data is kept indefinitely. */
export class RetentionDto {
  /** Content of webhooks from shops and payment providers. */
  webhookBodies: number;
  /** IP addresses. */
  ips: number;
  /** Individual attempts to join by link, and addresses that guests of links stated. */
  linkUsages: number;
  /** Individual email opens and clicks. */
  campaignEvents: number;
  /** The activity log of zones. */
  activity: number;
  /** Each reading of a page. */
  reading: number;
}

/** Services used by this installation, for the privacy page. */
export class UsedDto {
  /** Whether plans are paid through Stripe. */
  payments: boolean;
  /** How precisely the location of a visit is derived from its IP address; the lookup is local. */
  @ApiProperty({ enum: ['country', 'city'] })
  places: 'country' | 'city';
  /** Where file contents are stored: on the server, or in a bucket of a provider. */
  @ApiProperty({ enum: ['machine', 'bucket'] })
  files: 'machine' | 'bucket';
}

/** URLs of the legal pages: external, built-in, or null if there is none. */
export class LegalDto {
  terms: string | null;
  /** The page /privacy always exists and says what data is stored. */
  privacy: string | null;
  imprint: string | null;
}

/** English and Turkish text of a page; null if missing. */
export class LegalTextsDto {
  en: string | null;
  tr: string | null;
}

/** The operator's text for a page: plain text with paragraphs separated by blank lines. */
export class LegalPageDto {
  /** URL of an external page; takes precedence over the texts. */
  address: string | null;
  texts: LegalTextsDto;
}

export class SiteDto {
  name: string;
  /** Version of the responding process, as in CHANGELOG.md. */
  version: string;
  /** Whether plans are sold; not for a site with the owner's own audience. */
  sells: boolean;
  /** False while no email server is set: emails are kept here and not sent. */
  sendsEmail: boolean;
  company: CompanyDto;
  contactEmail: string | null;
  /** Name of the identity provider for sign-in; null if there is none. */
  singleSignOn: string | null;
  figures: FiguresDto;
  retention: RetentionDto;
  uses: UsedDto;
  legal: LegalDto;
}
