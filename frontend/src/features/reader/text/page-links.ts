import type { Schema } from '../../../shared/api/client';
import type { PageRect, Word } from './page-words';

type PageLink = Schema<'PageLinkDto'>;

/** A link of a page, prepared for display. */
export interface ResolvedLink extends PageRect {
  /** The link's text; empty over an image. */
  readonly text: string;
  /** Target page in the same document. */
  readonly page?: number;
  /** External URL, and its host or email address for display. */
  readonly url?: string;
  readonly host?: string;
}

/** Words are indexed by their vertical position: a page may have 20,000 words and 2,000 links. */
const BUCKET_COUNT = 50;
const bucketOf = (y: number) => Math.min(BUCKET_COUNT - 1, Math.max(0, Math.floor((y * BUCKET_COUNT) / 1000)));

/**
 * Returns a page's links in reading order, from top to bottom and left to right. Links without a known target are
 * omitted.
 */
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

/** Decodes an email address for display; returns it as it is if it is malformed. */
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
