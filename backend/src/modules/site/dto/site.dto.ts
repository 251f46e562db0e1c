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

export class SiteDto {
  name: string;
  /** Whether plans are offered; nothing is to an audience of one's own. */
  sells: boolean;
  company: CompanyDto;
  contactEmail: string | null;
  /** Name of the provider by which people may sign in; null when there is none. */
  singleSignOn: string | null;
  figures: FiguresDto;
  retention: RetentionDto;
}
