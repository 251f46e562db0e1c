import { ApiProperty } from '@nestjs/swagger';

/** Who runs this installation; a line that is not configured is null, and the page leaves it out. */
export class CompanyDto {
  name: string | null;
  director: string | null;
  type: string | null;
  phone: string | null;
  address: string | null;
}

/** Counts of this installation; null while one is too small to say anything. */
export class FiguresDto {
  /** People who own a zone. */
  creators: number | null;
  /** Files in all zones, without trash and mirrors. */
  files: number | null;
  /** Distinct people by email address who joined a zone. */
  people: number | null;
}

/** For how many days what grows with use is kept; 0 is for ever. */
export class RetentionDto {
  /** Content of webhooks from shops and payment providers. */
  webhookBodies: number;
  /** IP addresses. */
  ips: number;
  /** Individual attempts to join by link. */
  linkUsages: number;
  /** Individual email opens and clicks. */
  campaignEvents: number;
  /** The activity log of zones. */
  activity: number;
}

/** What this installation works with, as far as it says something of what is kept of people. */
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

/** Where what the operator says can be read: an address elsewhere, a page of our own, or null where nothing is said. */
export class LegalDto {
  terms: string | null;
  /** The page /privacy always exists and says what data is stored. */
  privacy: string | null;
  imprint: string | null;
}

/** The two texts of one page; what is missing is null. */
export class LegalTextsDto {
  en: string | null;
  tr: string | null;
}

/** What the operator says on one page: plain text, of paragraphs with blank lines between them. */
export class LegalPageDto {
  /** URL of an external page; takes precedence over the texts. */
  address: string | null;
  texts: LegalTextsDto;
}

export class SiteDto {
  name: string;
  /** The version of Zonary that answers, as in CHANGELOG.md. */
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
