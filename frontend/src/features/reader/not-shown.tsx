import { useTranslation } from 'react-i18next';
import type { Schema } from '../../shared/api/client';
import { Notice } from './notice';

/** What stands in the place of a file of a kind that is not shown here: where it may be had, or that it may not. */
export function NotShown({ file }: { file: Schema<'FileDto'> }) {
  const { t } = useTranslation('reader');
  if (file.can.download) return <Notice title={t('none')} text={file.originalName} file={file} />;
  return <Notice title={t('noneNoDownload')} text={t('noneNoDownloadText', { name: file.originalName })} />;
}
