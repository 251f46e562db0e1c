import { Resolver } from 'node:dns/promises';
import { Injectable } from '@nestjs/common';
import { SECOND } from '../../clock/clock.js';

/** That there is no such record, and not that nobody could be asked. */
const NOT_FOUND_CODES = new Set(['ENODATA', 'ENOTFOUND']);

/** Texts in the DNS, asked of the servers that this machine asks. */
@Injectable()
export class DnsTxtResolver {
  /** The records of a name, each as one text; null when nobody answered. */
  async resolveTexts(name: string): Promise<string[] | null> {
    try {
      const records = await new Resolver({ timeout: 3 * SECOND, tries: 1 }).resolveTxt(name);
      return records.map((parts) => parts.join(''));
    } catch (error) {
      // Without a network nothing is known, which is what the page then says.
      return NOT_FOUND_CODES.has((error as { code?: string }).code ?? '') ? [] : null;
    }
  }
}
