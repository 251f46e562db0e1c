import type { Schema } from '../../../shared/api/client';
import type { PageRect, Word } from './page-words';

type PageLink = Schema<'PageLinkDto'>;

/** A link of a page, as it is shown. */
export interface ResolvedLink extends PageRect {
  /** What stands there; empty over a picture. */
  readonly text: string;
  /** In the same document. */
  readonly page?: number;
  /** Outside, and who is there: the host, or the address of a mail. */
  readonly url?: string;
  readonly host?: string;
}

/** Words are looked for by the height at which they stand: a page may have 20,000 of them and 2,000 links. */
const BUCKET_COUNT = 50;
const bucketOf = (y: number) => Math.min(BUCKET_COUNT - 1, Math.max(0, Math.floor((y * BUCKET_COUNT) / 1000)));

/** The links of a page as they are read: from above, from the left. Those that lead nowhere that is known are left out. */
export function resolveLinks(links: readonly PageLink[], words: readonly Word[]): ResolvedLink[] {
  const wordsByBucket = Array.from({ length: BUCKET_COUNT }, (): Word[] => []);
  if (links.length > 0) for (const word of words) wordsByBucket[bucketOf(word[2] + word[4] / 2)]!.push(word);
  return links
    .flatMap((link) => {
      const target = targetOf(link);
      return target ? [{ ...toRect(link), ...target, text: textWithin(link, wordsByBucket) }] : [];
    })
    .sort((one, other) => one.y - other.y || one.x - other.x);
}

const toRect = ({ x, y, w, h }: PageLink): PageRect => ({ x, y, w, h });

function targetOf({ page, url }: PageLink): { page: number } | { url: string; host: string } | null {
  if (page !== undefined) return { page };
  const parsedUrl = url !== undefined && URL.canParse(url) ? new URL(url) : null;
  if (parsedUrl?.protocol === 'mailto:') return { url: parsedUrl.href, host: decodeSafely(parsedUrl.pathname) };
  return parsedUrl?.protocol === 'https:' || parsedUrl?.protocol === 'http:'
    ? { url: parsedUrl.href, host: parsedUrl.host }
    : null;
}

/** The address of a mail as people write it, or as it stands where it is not written well. */
function decodeSafely(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function textWithin({ x, y, w, h }: PageRect, wordsByBucket: readonly Word[][]): string {
  const candidates = wordsByBucket.slice(bucketOf(y), bucketOf(y + h) + 1).flat();
  return candidates
    .filter(([, left, top, width, height]) => {
      const [centreX, centreY] = [left + width / 2, top + height / 2];
      return centreX >= x && centreX <= x + w && centreY >= y && centreY <= y + h;
    })
    .map(([text]) => text)
    .join(' ')
    .replaceAll('\u00ad ', '')
    .replaceAll('\u00ad', '')
    .slice(0, 200);
}
