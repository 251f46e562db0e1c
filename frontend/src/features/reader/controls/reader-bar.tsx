import type { MouseEvent, ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import type { Schema } from '../../../shared/api/client';
import { downloadAddress } from '../../../shared/files/preview-kind';
import { readingAddress } from '../../../shared/files/reading';
import { useFormat } from '../../../shared/hooks/use-format';
import { useMedia } from '../../../shared/hooks/use-media';
import type { BarProps } from './bar-props';
import { BackIcon, DownloadIcon, FullIcon, NextIcon, PreviousIcon } from './icons';
import { DocumentTools } from './document-tools';
import { MoreMenu } from './more-menu';
import { PageField } from './page-field';
import { phone, type View } from './use-view';

type StoredFile = Schema<'FileDto'>;

/** What stands above a file: the way back, its name, where one is in it, and what can be done. */
export function ReaderBar(props: BarProps) {
  const { t } = useTranslation('reader');
  const format = useFormat();
  const { file, place, onBack, position, view } = props;
  const isNarrow = useMedia(phone);
  const back = (event: MouseEvent) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    onBack();
  };
  if (view.full.isBare) return <LeaveButton view={view} />;
  return (
    <div className="z-reader-bar">
      <Link className="z-reader-tool" to={place} onClick={back} aria-label={t('back')} title={t('back')}>
        <BackIcon />
      </Link>
      <h1 title={file?.originalName}>{file?.originalName ?? t('loading')}</h1>
      {position && <PageField {...position} view={view} />}
      {file && !position && <span className="z-reader-size">{format.size(file.size)}</span>}
      {position && !isNarrow && <DocumentTools view={view} isSearched={file?.can.text === true} />}
      {!isNarrow && <FileTools {...props} />}
      {file && <MoreMenu {...props} file={file} isNarrow={isNarrow} />}
    </div>
  );
}

/** What leads to other files, and the file itself; on phones it stands in the menu. */
function FileTools({ file, zoneId, state, previous, next }: BarProps) {
  const { t } = useTranslation('reader');
  const step = (to: StoredFile | undefined, label: string, icon: ReactNode) =>
    to && (
      <Link
        className="z-reader-tool"
        to={readingAddress(zoneId, to.id)}
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
      {step(previous, t('previous'), <PreviousIcon />)}
      {step(next, t('next'), <NextIcon />)}
      {file?.can.download && (
        <a
          className="z-reader-tool"
          href={downloadAddress(file)}
          download
          aria-label={t('download')}
          title={t('download')}
        >
          <DownloadIcon />
        </a>
      )}
    </>
  );
}

/** All that is left of the bar where the browser has no full screen to give. */
function LeaveButton({ view }: { view: View }) {
  const { t } = useTranslation('reader');
  return (
    <button
      type="button"
      className="z-reader-tool z-reader-leave"
      aria-label={t('leaveFull')}
      title={t('leaveFull')}
      onClick={view.full.leave}
    >
      <FullIcon />
    </button>
  );
}
