import type { Schema } from '../../../shared/api/client';
import type { Box, Word } from './page-words';

type PageLink = Schema<'PageLinkDto'>;

/** A link of a page, as it is shown. */
export interface ShownLink extends Box {
  /** What stands there; empty over a picture. */
  readonly text: string;
  /** In the same document. */
  readonly page?: number;
  /** Outside, and who is there: the host, or the address of a mail. */
  readonly url?: string;
  readonly host?: string;
}

/** Words are looked for by the height at which they stand: a page may have 20,000 of them and 2,000 links. */
const bands = 50;
const bandOf = (y: number) => Math.min(bands - 1, Math.max(0, Math.floor((y * bands) / 1000)));

/** The links of a page as they are read: from above, from the left. Those that lead nowhere that is known are left out. */
export function shownLinks(links: readonly PageLink[], words: readonly Word[]): ShownLink[] {
  const byHeight = Array.from({ length: bands }, (): Word[] => []);
  if (links.length > 0) for (const word of words) byHeight[bandOf(word[2] + word[4] / 2)]!.push(word);
  return links
    .flatMap((link) => {
      const target = targetOf(link);
      return target ? [{ ...boxOf(link), ...target, text: textIn(link, byHeight) }] : [];
    })
    .sort((one, other) => one.y - other.y || one.x - other.x);
}

const boxOf = ({ x, y, w, h }: PageLink): Box => ({ x, y, w, h });

function targetOf({ page, url }: PageLink): { page: number } | { url: string; host: string } | null {
  if (page !== undefined) return { page };
  const to = url !== undefined && URL.canParse(url) ? new URL(url) : null;
  if (to?.protocol === 'mailto:') return { url: to.href, host: decoded(to.pathname) };
  return to?.protocol === 'https:' || to?.protocol === 'http:' ? { url: to.href, host: to.host } : null;
}

/** The address of a mail as people write it, or as it stands where it is not written well. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function textIn({ x, y, w, h }: Box, byHeight: readonly Word[][]): string {
  const near = byHeight.slice(bandOf(y), bandOf(y + h) + 1).flat();
  return near
    .filter(([, left, top, width, height]) => {
      const [across, down] = [left + width / 2, top + height / 2];
      return across >= x && across <= x + w && down >= y && down <= y + h;
    })
    .map(([text]) => text)
    .join(' ')
    .replaceAll('\u00ad ', '')
    .replaceAll('\u00ad', '')
    .slice(0, 200);
}
