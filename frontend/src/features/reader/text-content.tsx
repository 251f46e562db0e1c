import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { decodeText } from '../../shared/files/decode-text';
import { useErrorText } from '../../shared/hooks/use-error-text';
import { useFormat } from '../../shared/hooks/use-format';
import { ReaderNotice } from './reader-notice';
import type { ReaderFile } from './source/reader-source';
import { useReaderSource } from './source/use-reader-source';

const MAX_PREVIEW_BYTES = 256 * 1024;

/** Shows the beginning of a text file. */
export function TextContent({ file }: { file: ReaderFile }) {
  const { t } = useTranslation('reader');
  const format = useFormat();
  const errorText = useErrorText();
  const source = useReaderSource();
  const { data, error, refetch } = useQuery({
    ...source.contentQuery(file, MAX_PREVIEW_BYTES),
    select: decodeText,
  });
  if (error) {
    return (
      <ReaderNotice title={t('failed')} text={errorText(error)} file={file}>
        <button type="button" className="z-button" onClick={() => void refetch()}>
          {t('retry')}
        </button>
      </ReaderNotice>
    );
  }
  return (
    <div className="z-reader-text" role="document" aria-label={file.originalName}>
      {data === undefined ? (
        <div className="z-skeleton z-reader-lines" aria-busy="true" aria-label={t('loading')} role="status" />
      ) : (
        <pre dir="auto">{data}</pre>
      )}
      {file.size > MAX_PREVIEW_BYTES && (
        <p className="z-second">{t('cut', { size: format.size(MAX_PREVIEW_BYTES) })}</p>
      )}
    </div>
  );
}
