import { Resolver } from 'node:dns/promises';
import { Injectable } from '@nestjs/common';
import { SECOND } from '../../clock/clock.js';

/** Codes for "no such record", as opposed to "no response". */
const NOT_FOUND_CODES = new Set(['ENODATA', 'ENOTFOUND']);

/** Resolves TXT records with the DNS servers of this machine. */
@Injectable()
export class DnsTxtResolver {
  /** Returns the records of a name, each joined into one string; null when no server responded. */
  async resolveTexts(name: string): Promise<string[] | null> {
    try {
      const records = await new Resolver({ timeout: 3 * SECOND, tries: 1 }).resolveTxt(name);
      return records.map((parts) => parts.join(''));
    } catch (error) {
      // Without a response nothing is known, and the settings page says so.
      return NOT_FOUND_CODES.has((error as { code?: string }).code ?? '') ? [] : null;
    }
  }
}
