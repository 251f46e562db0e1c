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

export class SiteDto {
  name: string;
  company: CompanyDto;
  contactEmail: string | null;
  figures: FiguresDto;
}
