import type { MouseEvent, ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { useFormat } from '../../../shared/hooks/use-format';
import { useMediaQuery } from '../../../shared/hooks/use-media-query';
import { DownloadIcon } from '../../../shared/public-ui/icons';
import { replacedAtOf, type ReaderFile } from '../source/reader-source';
import { useReaderSource } from '../source/use-reader-source';
import type { ReaderBarProps } from './reader-bar-props';
import { BackIcon, FullScreenIcon, NextIcon, PreviousIcon } from './icons';
import { DocumentTools, SearchTool } from './document-tools';
import { MoreMenu } from './more-menu';
import { PageField } from './page-field';
import { PHONE_QUERY, type ReaderView } from './use-reader-view';

/** The bar above a file: back button, file name, current page, and actions. */
export function ReaderBar(props: ReaderBarProps) {
  const { t } = useTranslation('reader');
  const format = useFormat();
  const { file, backPath, onBack, position, view } = props;
  const isMobile = useMediaQuery(PHONE_QUERY);
  const handleBackClick = (event: MouseEvent) => {
    if (!onBack || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    onBack();
  };
  if (view.fullScreen.isToolbarHidden) return <ExitFullScreenButton view={view} />;
  return (
    <div className="z-reader-bar">
      {backPath !== undefined && (
        <Link
          className="z-reader-tool"
          to={backPath}
          onClick={handleBackClick}
          aria-label={t('back')}
          title={t('back')}
        >
          <BackIcon />
        </Link>
      )}
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
function UpdatedOn({ file }: { file: ReaderFile }) {
  const { t } = useTranslation('reader');
  const format = useFormat();
  const replacedAt = replacedAtOf(file);
  if (replacedAt === undefined) return null;
  return <span className="z-reader-size">{t('updated', { date: format.date(replacedAt) })}</span>;
}

/** Links to the previous and next file, and actions for the file itself; on phones these are in the menu. */
function FileTools({ file, state, previousUrl, nextUrl }: ReaderBarProps) {
  const { t } = useTranslation('reader');
  const { downloadUrl } = useReaderSource();
  const renderFileLink = (url: string | undefined, label: string, icon: ReactNode) =>
    url !== undefined && (
      <Link className="z-reader-tool" to={url} replace state={state} aria-label={label} title={label}>
        {icon}
      </Link>
    );
  return (
    <>
      {renderFileLink(previousUrl, t('previous'), <PreviousIcon />)}
      {renderFileLink(nextUrl, t('next'), <NextIcon />)}
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
