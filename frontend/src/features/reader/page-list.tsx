import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import type { Schema } from '../../shared/api/client';
import { useDebounced } from '../../shared/hooks/use-debounced';
import { PageImage } from './page-image';
import { aside, pagesAround } from './page-layout';
import { useReadingPlace } from './use-reading-place';

/** Pages passed faster than this, in milliseconds, are not fetched, and stand in no address. */
const passing = 120;

interface Props {
  file: Schema<'FileDto'>;
  sizes: readonly Schema<'PageSizeDto'>[];
  /** The page with which one begins. */
  first: number;
  /** Told which page is read. */
  onPage: (page: number) => void;
}

/** The pages of a document below one another; of many only those around the one that is read are there. */
export function PageList({ file, sizes, first, onPage }: Props) {
  const { t } = useTranslation('reader');
  const { setBox, layout, page } = useReadingPlace(sizes, first);
  const settled = useDebounced(page, passing);
  const fetched = new Set(pagesAround(settled, sizes.length, aside - 1));
  useEffect(() => onPage(settled), [onPage, settled]);
  return (
    <ol
      ref={setBox}
      className="z-reader-pages"
      aria-label={t('pages', { name: file.originalName })}
      style={{ height: layout.total }}
    >
      {layout.width > 0 &&
        pagesAround(page, sizes.length).map((number) => (
          <li
            key={number}
            className="z-reader-page"
            aria-setsize={sizes.length}
            aria-posinset={number}
            style={{ top: layout.tops[number - 1], height: layout.heights[number - 1] }}
          >
            <PageImage fileId={file.id} page={number} width={layout.width} isNear={fetched.has(number)} />
          </li>
        ))}
    </ol>
  );
}
