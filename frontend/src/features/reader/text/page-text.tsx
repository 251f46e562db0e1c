import { memo, useMemo, type CSSProperties } from 'react';
import { useTranslation } from 'react-i18next';
import { useErrorText } from '../../../shared/hooks/use-error-text';
import type { Schema } from '../../../shared/api/client';
import { PageHits } from '../search/page-hits';
import { LinkLayer } from './link-layer';
import { shownLinks } from './page-links';
import { inParts, linesOf, wordsOf } from './page-words';
import { TextLines } from './text-line';
import { useIdly } from './use-idly';
import { usePageText } from './use-page-text';

/** Lines at once: what a slow phone puts in within a frame or two. */
const atOnce = 20;

type PageTexts = Schema<'PageTextDto'>;

interface Props {
  fileId: number;
  page: number;
  /** Asked for: nothing is before its picture, nor of a page that is far away. */
  isWanted: boolean;
  /** The width of the page by its height, as it is not turned. */
  ratio: number;
  /** Where the picture of the page stands in its place. */
  style: CSSProperties;
  /** Leads to a page of the document. */
  onGo: (page: number) => void;
}

/** What a page says, over its picture. */
export function PageText({ fileId, page, isWanted, ratio, style, onGo }: Props) {
  const { t } = useTranslation('reader');
  const errorText = useErrorText();
  const { data, error } = usePageText(fileId, page, isWanted);
  if (!isWanted) return null;
  if (error) return <p className="z-visually-hidden">{`${t('text.failed', { page })} ${errorText(error)}`}</p>;
  if (!data) return null;
  return (
    // Paper is white in both colour schemes.
    <div className="z-reader-words" data-theme="light" style={style}>
      <Words text={data} page={page} ratio={ratio} onGo={onGo} />
    </div>
  );
}

/** Apart from where it stands, which changes with each step of a zoom. */
const Words = memo(function Words({
  text,
  page,
  ratio,
  onGo,
}: Pick<Props, 'page' | 'ratio' | 'onGo'> & { text: PageTexts }) {
  const { t } = useTranslation('reader');
  const parts = useMemo(() => inParts(linesOf(wordsOf(text)), atOnce), [text]);
  const links = useMemo(() => shownLinks(text.links, wordsOf(text)), [text]);
  const count = useIdly(parts.length);
  return (
    <>
      {parts.length === 0 && <p className="z-visually-hidden">{t('text.none')}</p>}
      <PageHits page={page} words={wordsOf(text)} />
      <div className="z-reader-lettering">
        {parts.slice(0, count).map((part, at) => (
          <TextLines key={at} lines={part} ratio={ratio} />
        ))}
      </div>
      <LinkLayer links={links} onGo={onGo} />
    </>
  );
});
