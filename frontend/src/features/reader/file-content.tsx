import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { getPreviewKind } from '../../shared/files/preview-kind';
import type { ReaderView } from './controls/use-reader-view';
import { DocumentPages } from './pages/document-pages';
import { MediaPosition } from './position/media-position';
import { PreviewUnavailable } from './preview-unavailable';
import { ReaderNotice } from './reader-notice';
import type { ReaderFile } from './source/reader-source';
import { useReaderSource } from './source/use-reader-source';
import { TextContent } from './text-content';

interface Props {
  file: ReaderFile;
  /** The document page to start with. */
  initialPage: number;
  /** The current page, once known. */
  currentPage: number | undefined;
  onPageChange: (page: number, count: number) => void;
  view: ReaderView;
}

/**
 * The content of a file: documents as page images rendered by the server, other files as far as a browser can show
 * them.
 */
export function FileContent({ file, ...documentProps }: Props) {
  const { t } = useTranslation('reader');
  const kind = getPreviewKind(file);
  if (kind === 'pages') return <DocumentPages file={file} {...documentProps} />;
  if (kind === 'text') return <TextContent file={file} />;
  if (kind === 'empty') return <ReaderNotice title={t('empty')} text={file.originalName} />;
  if (kind === 'none') return <PreviewUnavailable file={file} />;
  return <MediaContent file={file} kind={kind} />;
}

function MediaContent({ file, kind }: { file: ReaderFile; kind: 'image' | 'video' | 'audio' }) {
  const { t } = useTranslation('reader');
  const { viewUrl, positions } = useReaderSource();
  const [player, setPlayer] = useState<HTMLMediaElement | null>(null);
  const [state, setState] = useState<'loading' | 'shown' | 'failed'>('loading');
  const [attempt, setAttempt] = useState(0);
  if (state === 'failed') {
    const retry = () => {
      setAttempt(attempt + 1);
      setState('loading');
    };
    return (
      <ReaderNotice title={t('failed')} text={file.originalName} file={file}>
        <button type="button" className="z-button" onClick={retry}>
          {t('retry')}
        </button>
      </ReaderNotice>
    );
  }
  const mediaEvents = { onError: () => setState('failed') };
  const handleLoaded = () => setState('shown');
  const src = viewUrl(file);
  // The browser's player would offer a download that the server doesn't allow.
  const playerProps = { controls: true, controlsList: file.can.download ? undefined : 'nodownload' };
  const isLoading = state === 'loading' && kind !== 'audio';
  return (
    <div className="z-reader-medium">
      {kind === 'image' && (
        <img key={attempt} src={src} alt={file.originalName} onLoad={handleLoaded} {...mediaEvents} />
      )}
      {kind === 'video' && (
        <video key={attempt} ref={setPlayer} src={src} {...playerProps} onLoadedData={handleLoaded} {...mediaEvents} />
      )}
      {kind === 'audio' && (
        <audio key={attempt} ref={setPlayer} src={src} {...playerProps} onLoadedData={handleLoaded} {...mediaEvents} />
      )}
      {player && positions && <MediaPosition positions={positions} fileId={file.id} player={player} />}
      {isLoading && <div className="z-skeleton z-reader-cover" role="status" aria-label={t('loading')} />}
    </div>
  );
}
