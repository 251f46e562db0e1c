import { useEffect, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { $api, type Schema } from '../../../shared/api/client';
import { useErrorText } from '../../../shared/hooks/use-error-text';
import { LockedDocument } from '../locked/locked-document';
import { NotShown } from '../not-shown';
import { DocumentNotes } from '../notes/document-notes';
import { Notice } from '../notice';
import { RetryButton } from '../retry-button';
import type { View } from '../controls/use-view';
import { Side } from '../outline/side';
import { Searching } from '../search/searching';
import { PageList } from './page-list';
import { SinglePage } from './single-page';

/** Between two questions whether a document is ready, in milliseconds. */
const askAgain = 1500;
/** After so many milliseconds of waiting that is said. */
const isLong = 15_000;
/** A document has no more. */
const mostPages = 10_000;
const unknown = { width: 0, height: 0 };

interface Props {
  file: Schema<'FileDto'>;
  first: number;
  /** The page that is read, once that is known. */
  page: number | undefined;
  onPage: (page: number, count: number) => void;
  view: View;
}

/** What is known of the pages of a document; while they are being drawn it is asked for again. */
export function usePages(fileId: number) {
  return $api.useQuery(
    'get',
    '/api/files/{id}/pages',
    { params: { path: { id: fileId } } },
    { refetchInterval: ({ state }) => state.data?.state === 'waiting' && askAgain },
  );
}

/** A document page by page. Before its pages are known the first of them is fetched already: its address is known. */
export function DocumentPages({ file, first, page, onPage, view }: Props) {
  const { t } = useTranslation('reader');
  const errorText = useErrorText();
  const { data, error, refetch } = usePages(file.id);
  const count = data?.pages.length ?? 0;
  // Until they are known there is the page that is asked for, and those above it.
  const before = useMemo(() => Array.from({ length: Math.min(first, mostPages) }, () => unknown), [first]);
  const tell = useMemo(() => (page: number) => onPage(Math.min(page, count), count), [onPage, count]);
  if (error && !data) {
    return (
      <div role="alert" className="z-reader-said">
        <Notice title={t('failed')} text={errorText(error)} file={file}>
          <button type="button" className="z-button" onClick={() => void refetch()}>
            {t('retry')}
          </button>
        </Notice>
      </div>
    );
  }
  if (data?.state === 'waiting') return <Waiting file={file} />;
  if (data?.failure === 'locked') return <LockedDocument file={file} />;
  // Who looks after it can have installed what is missing.
  const isMissing = data?.failure === 'no-office' && file.can.seeOpenings;
  if (data?.state === 'failed' || isMissing) {
    const text = isMissing ? t('noOffice') : file.originalName;
    return (
      <div role="alert" className="z-reader-said">
        <Notice title={t(`failure.${data.failure ?? 'damaged'}`)} text={text} file={file}>
          <RetryButton file={file} />
        </Notice>
      </div>
    );
  }
  if (data?.state === 'none') return <NotShown file={file} />;
  const sizes = data?.pages ?? before;
  // Who changes how pages follow one another goes on where they were.
  const list = { file, sizes, first: page ?? first, onPage: tell, view };
  return (
    <Searching file={file} page={list.first} view={view}>
      <div className="z-reader-body">
        {data && view.hasStrip && <Side fileId={file.id} document={data} page={list.first} view={view} />}
        <div className="z-reader-read">
          {data && <DocumentNotes file={file} document={data} isBelow={first > 1 && view.flow !== 'single'} />}
          {data && view.flow === 'single' ? <SinglePage {...list} /> : <PageList {...list} />}
        </div>
      </div>
    </Searching>
  );
}

function Waiting({ file }: { file: Schema<'FileDto'> }) {
  const { t } = useTranslation('reader');
  const [long, setLong] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setLong(true), isLong);
    return () => clearTimeout(timer);
  }, []);
  return (
    <div role="status" className="z-reader-said">
      <Notice title={t('waiting.title')} text={t(long ? 'waiting.long' : 'waiting.text')} file={file} isBusy />
    </div>
  );
}
