import { useTranslation } from 'react-i18next';
import type { Schema } from '../../shared/api/client';
import { ReaderNotice } from './reader-notice';

/** Shown for file types without preview: offers the download, or says that it isn't allowed. */
export function PreviewUnavailable({ file }: { file: Schema<'FileDto'> }) {
  const { t } = useTranslation('reader');
  if (file.can.download) return <ReaderNotice title={t('none')} text={file.originalName} file={file} />;
  return <ReaderNotice title={t('noneNoDownload')} text={t('noneNoDownloadText', { name: file.originalName })} />;
}
