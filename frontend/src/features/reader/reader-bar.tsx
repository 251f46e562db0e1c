import type { MouseEvent, ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import type { Schema } from '../../shared/api/client';
import { downloadAddress } from '../../shared/files/preview-kind';
import { readingAddress, type ReadingState } from '../../shared/files/reading';
import { useFormat } from '../../shared/hooks/use-format';
import { BackIcon, DownloadIcon, NextIcon, PreviousIcon } from './icons';

type StoredFile = Schema<'FileDto'>;

interface Props {
  file: StoredFile | undefined;
  zoneId: number;
  /** The folder in which it lies, for those who did not come from it. */
  place: string;
  onBack: () => void;
  state: ReadingState | null;
  position: { page: number; count: number } | null;
  previous: StoredFile | undefined;
  next: StoredFile | undefined;
}

/** What stands above a file: the way back, its name, where one is in it, and what can be done. */
export function ReaderBar({ file, zoneId, place, onBack, state, position, previous, next }: Props) {
  const { t } = useTranslation('reader');
  const format = useFormat();
  const back = (event: MouseEvent) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    onBack();
  };
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
    <div className="z-reader-bar">
      <Link className="z-reader-tool" to={place} onClick={back} aria-label={t('back')} title={t('back')}>
        <BackIcon />
      </Link>
      <h1 title={file?.originalName}>{file?.originalName ?? t('loading')}</h1>
      {position && (
        <span className="z-reader-place">
          {t('position', { page: format.number(position.page), count: format.number(position.count) })}
        </span>
      )}
      {file && <span className="z-reader-size">{format.size(file.size)}</span>}
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
    </div>
  );
}
