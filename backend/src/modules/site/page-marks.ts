import type { Facts } from '../../platform/http/page/page-facts.js';
import type { SiteDto } from './dto/site.dto.js';

/** What drawn pages tell, by the names of their marks (frontend/src/shared/site/facts.ts has the same names). */
export function marksOf({ company, contactEmail, figures }: SiteDto, year: number): Facts['marks'] {
  return {
    ...company,
    phoneNumber: company.phone?.replace(/[^\d+]/g, '') ?? null,
    email: contactEmail,
    ...figures,
    year: String(year),
  };
}
