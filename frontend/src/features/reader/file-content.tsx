import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Schema } from '../../shared/api/client';
import { previewKind, viewAddress } from '../../shared/files/preview-kind';
import type { View } from './controls/use-view';
import { DocumentPages } from './pages/document-pages';
import { NotShown } from './not-shown';
import { Notice } from './notice';
import { TextContent } from './text-content';

interface Props {
  file: Schema<'FileDto'>;
  /** The page of a document with which one begins. */
  first: number;
  /** The one that is read, once that is known. */
  page: number | undefined;
  onPage: (page: number, count: number) => void;
  view: View;
}

/** The file itself: documents by the pages that the server draws, all else as far as a browser can show it. */
export function FileContent({ file, ...reading }: Props) {
  const { t } = useTranslation('reader');
  const kind = previewKind(file);
  if (kind === 'pages') return <DocumentPages file={file} {...reading} />;
  if (kind === 'text') return <TextContent file={file} />;
  if (kind === 'empty') return <Notice title={t('empty')} text={file.originalName} />;
  if (kind === 'none') return <NotShown file={file} />;
  return <Medium file={file} kind={kind} />;
}

function Medium({ file, kind }: { file: Schema<'FileDto'>; kind: 'image' | 'video' | 'audio' }) {
  const { t } = useTranslation('reader');
  const [state, setState] = useState<'loading' | 'shown' | 'failed'>('loading');
  const [tries, setTries] = useState(0);
  if (state === 'failed') {
    const again = () => {
      setTries(tries + 1);
      setState('loading');
    };
    return (
      <Notice title={t('failed')} text={file.originalName} file={file}>
        <button type="button" className="z-button" onClick={again}>
          {t('retry')}
        </button>
      </Notice>
    );
  }
  const events = { onError: () => setState('failed') };
  const shown = () => setState('shown');
  const src = viewAddress(file);
  // The player of the browser would offer to save what the server does not give.
  const player = { controls: true, controlsList: file.can.download ? undefined : 'nodownload' };
  const isComing = state === 'loading' && kind !== 'audio';
  return (
    <div className="z-reader-medium">
      {kind === 'image' && <img key={tries} src={src} alt={file.originalName} onLoad={shown} {...events} />}
      {kind === 'video' && <video key={tries} src={src} {...player} onLoadedData={shown} {...events} />}
      {kind === 'audio' && <audio key={tries} src={src} {...player} onLoadedData={shown} {...events} />}
      {isComing && <div className="z-skeleton z-reader-cover" role="status" aria-label={t('loading')} />}
    </div>
  );
}
