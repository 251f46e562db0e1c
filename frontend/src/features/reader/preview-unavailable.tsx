import { useTranslation } from 'react-i18next';
import { ReaderNotice } from './reader-notice';
import type { ReaderFile } from './source/reader-source';

/** Shown for file types without preview: offers the download, or says that it isn't allowed. */
export function PreviewUnavailable({ file }: { file: ReaderFile }) {
  const { t } = useTranslation('reader');
  if (file.can.download) return <ReaderNotice title={t('none')} text={file.originalName} file={file} />;
  return <ReaderNotice title={t('noneNoDownload')} text={t('noneNoDownloadText', { name: file.originalName })} />;
}
