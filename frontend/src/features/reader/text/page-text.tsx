import { memo, useMemo, type CSSProperties } from 'react';
import { useTranslation } from 'react-i18next';
import { useErrorText } from '../../../shared/hooks/use-error-text';
import type { Schema } from '../../../shared/api/client';
import { SearchHighlights } from '../search/search-highlights';
import { LinkLayer } from './link-layer';
import { resolveLinks } from './page-links';
import { chunk, groupIntoLines, toWords } from './page-words';
import { TextLines } from './text-lines';
import { useIdleCount } from './use-idle-count';
import { usePageText } from './use-page-text';

/** Lines added at once: what a slow phone renders within a frame or two. */
const LINES_PER_CHUNK = 20;

type PageTextData = Schema<'PageTextDto'>;

interface Props {
  fileId: number;
  page: number;
  /** Whether the text loads: not before the page's image, and not for pages that are far away. */
  isEnabled: boolean;
  /** Width of the page divided by its height, before rotation. */
  aspectRatio: number;
  /** Position of the page image in its slot. */
  style: CSSProperties;
  /** Navigates to a page of the document. */
  onGoToPage: (page: number) => void;
}

/** The text of a page, on top of its image. */
export function PageText({ fileId, page, isEnabled, aspectRatio, style, onGoToPage }: Props) {
  const { t } = useTranslation('reader');
  const errorText = useErrorText();
  const { data, error } = usePageText(fileId, page, isEnabled);
  if (!isEnabled) return null;
  if (error) return <p className="z-visually-hidden">{`${t('text.failed', { page })} ${errorText(error)}`}</p>;
  if (!data) return null;
  return (
    // Paper is white in both colour schemes.
    <div className="z-reader-words" data-theme="light" style={style}>
      <TextLayer text={data} page={page} aspectRatio={aspectRatio} onGoToPage={onGoToPage} />
    </div>
  );
}

/** Separate from the element with the position, which changes with each zoom step. */
const TextLayer = memo(function TextLayer({
  text,
  page,
  aspectRatio,
  onGoToPage,
}: Pick<Props, 'page' | 'aspectRatio' | 'onGoToPage'> & { text: PageTextData }) {
  const { t } = useTranslation('reader');
  const chunks = useMemo(() => chunk(groupIntoLines(toWords(text)), LINES_PER_CHUNK), [text]);
  const links = useMemo(() => resolveLinks(text.links, toWords(text)), [text]);
  const chunkCount = useIdleCount(chunks.length);
  return (
    <>
      {chunks.length === 0 && <p className="z-visually-hidden">{t('text.none')}</p>}
      <SearchHighlights page={page} words={toWords(text)} />
      <div className="z-reader-lettering">
        {chunks.slice(0, chunkCount).map((lines, index) => (
          <TextLines key={index} lines={lines} aspectRatio={aspectRatio} />
        ))}
      </div>
      <LinkLayer links={links} onGoToPage={onGoToPage} />
    </>
  );
});
