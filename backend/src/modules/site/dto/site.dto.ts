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
  /** People who have a zone of their own. */
  creators: number | null;
  /** Files in all zones, without trash and mirrored ones. */
  files: number | null;
  /** Distinct people, by address, who joined a zone. */
  people: number | null;
}

/** For how many days what grows with use is kept; 0 is for ever. */
export class RetentionDto {
  /** Bodies of deliveries of shops and payment providers. */
  webhookBodies: number;
  /** Addresses of machines. */
  ips: number;
  /** Single tries by links. */
  linkUsages: number;
  /** Single openings of mails and clicks in them. */
  campaignEvents: number;
  /** The record of what happened in zones. */
  activity: number;
}

/** What this installation works with, as far as it says something of what is kept of people. */
export class UsedDto {
  /** Plans are paid for at Stripe. */
  payments: boolean;
  /** How closely the place of a visit is told from its address, which leaves the machine for that never. */
  @ApiProperty({ enum: ['country', 'city'] })
  places: 'country' | 'city';
  /** Where contents of files lie: at the machine of the installation, or in a bucket of a provider. */
  @ApiProperty({ enum: ['machine', 'bucket'] })
  files: 'machine' | 'bucket';
}

/** Where what the operator says can be read: an address elsewhere, a page of our own, or null where nothing is said. */
export class LegalDto {
  terms: string | null;
  /** The page /privacy is there in any case, and says what the product keeps. */
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
  /** Where it can be read elsewhere; this wins over the texts. */
  address: string | null;
  texts: LegalTextsDto;
}

export class SiteDto {
  name: string;
  /** Whether plans are offered; nothing is to an audience of one's own. */
  sells: boolean;
  /** False while no mail server is set: emails are kept here and reach nobody. */
  sendsEmail: boolean;
  company: CompanyDto;
  contactEmail: string | null;
  /** Name of the provider by which people may sign in; null when there is none. */
  singleSignOn: string | null;
  figures: FiguresDto;
  retention: RetentionDto;
  uses: UsedDto;
  legal: LegalDto;
}
