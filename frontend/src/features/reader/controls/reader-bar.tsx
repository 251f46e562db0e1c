import type { MouseEvent, ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import type { Schema } from '../../../shared/api/client';
import { downloadUrl } from '../../../shared/files/preview-kind';
import { readerUrl } from '../../../shared/files/reader-navigation';
import { useFormat } from '../../../shared/hooks/use-format';
import { useMediaQuery } from '../../../shared/hooks/use-media-query';
import type { ReaderBarProps } from './reader-bar-props';
import { BackIcon, DownloadIcon, FullScreenIcon, NextIcon, PreviousIcon } from './icons';
import { DocumentTools, SearchTool } from './document-tools';
import { MoreMenu } from './more-menu';
import { PageField } from './page-field';
import { PHONE_QUERY, type ReaderView } from './use-reader-view';

type StoredFile = Schema<'FileDto'>;

/** The bar above a file: back button, file name, current page, and actions. */
export function ReaderBar(props: ReaderBarProps) {
  const { t } = useTranslation('reader');
  const format = useFormat();
  const { file, backPath, onBack, position, view } = props;
  const isMobile = useMediaQuery(PHONE_QUERY);
  const handleBackClick = (event: MouseEvent) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    onBack();
  };
  if (view.fullScreen.isToolbarHidden) return <ExitFullScreenButton view={view} />;
  return (
    <div className="z-reader-bar">
      <Link className="z-reader-tool" to={backPath} onClick={handleBackClick} aria-label={t('back')} title={t('back')}>
        <BackIcon />
      </Link>
      <h1 title={file?.originalName}>{file?.originalName ?? t('loading')}</h1>
      {file && !isMobile && <UpdatedOn file={file} />}
      {position && <PageField {...position} view={view} />}
      {file && !position && <span className="z-reader-size">{format.size(file.size)}</span>}
      {position && isMobile && file?.can.text && <SearchTool view={view} />}
      {position && !isMobile && <DocumentTools view={view} isSearchable={file?.can.text === true} />}
      {!isMobile && <FileTools {...props} />}
      {file && <MoreMenu {...props} file={file} isMobile={isMobile} />}
    </div>
  );
}

/** When the content was last replaced. */
function UpdatedOn({ file }: { file: StoredFile }) {
  const { t } = useTranslation('reader');
  const format = useFormat();
  if (!(file.version > 1)) return null;
  return <span className="z-reader-size">{t('updated', { date: format.date(file.contentUpdatedAt) })}</span>;
}

/** Links to the previous and next file, and actions for the file itself; on phones these are in the menu. */
function FileTools({ file, zoneId, state, previous, next }: ReaderBarProps) {
  const { t } = useTranslation('reader');
  const renderFileLink = (target: StoredFile | undefined, label: string, icon: ReactNode) =>
    target && (
      <Link
        className="z-reader-tool"
        to={readerUrl(zoneId, target.id)}
        replace
        state={state}
        aria-label={label}
        title={label}
      >
        {icon}
      </Link>
    );
  return (
    <>
      {renderFileLink(previous, t('previous'), <PreviousIcon />)}
      {renderFileLink(next, t('next'), <NextIcon />)}
      {file?.can.download && (
        <a className="z-reader-tool" href={downloadUrl(file)} download aria-label={t('download')} title={t('download')}>
          <DownloadIcon />
        </a>
      )}
    </>
  );
}

/** All that remains of the bar where the browser has no Fullscreen API. */
function ExitFullScreenButton({ view }: { view: ReaderView }) {
  const { t } = useTranslation('reader');
  return (
    <button
      type="button"
      className="z-reader-tool z-reader-leave"
      aria-label={t('leaveFull')}
      title={t('leaveFull')}
      onClick={view.fullScreen.exit}
    >
      <FullScreenIcon />
    </button>
  );
}
