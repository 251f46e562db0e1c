import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { FileIcon } from '../../shared/public-ui/icons';
import type { ReaderFile } from './source/reader-source';
import { useReaderSource } from './source/use-reader-source';

interface Props {
  title: string;
  text?: string;
  /** File offered for download, if that is allowed. */
  file?: ReaderFile;
  isBusy?: boolean;
  /** Shown alone, without the reader's bar above it. */
  isStandalone?: boolean;
  children?: ReactNode;
}

/** Shown instead of a file: why it can't be displayed, and what to do. */
export function ReaderNotice({ title, text, file, isBusy = false, isStandalone = false, children }: Props) {
  const { t } = useTranslation('reader');
  const { downloadUrl } = useReaderSource();
  return (
    <div className="z-reader-notice">
      <FileIcon />
      {isBusy && <div className="z-skeleton z-reader-busy" aria-hidden />}
      {isStandalone ? <h1>{title}</h1> : <h2>{title}</h2>}
      {text && <p className="z-second">{text}</p>}
      <div className="z-actions">
        {children}
        {file?.can.download && file.size > 0 && (
          <a className="z-button z-button-main" href={downloadUrl(file)} download>
            {t('download')}
          </a>
        )}
      </div>
    </div>
  );
}
