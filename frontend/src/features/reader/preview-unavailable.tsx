import { useTranslation } from 'react-i18next';
import type { Schema } from '../../shared/api/client';
import { ReaderNotice } from './reader-notice';

/** What stands in the place of a file of a kind that is not shown here: where it may be had, or that it may not. */
export function PreviewUnavailable({ file }: { file: Schema<'FileDto'> }) {
  const { t } = useTranslation('reader');
  if (file.can.download) return <ReaderNotice title={t('none')} text={file.originalName} file={file} />;
  return <ReaderNotice title={t('noneNoDownload')} text={t('noneNoDownloadText', { name: file.originalName })} />;
}
