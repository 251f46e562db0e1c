import Alert from '@mui/material/Alert';
import Typography from '@mui/material/Typography';
import { useTranslation } from 'react-i18next';
import { $api, type Schema } from '../../../shared/api/client';
import { formatDuration } from '../../../shared/format/duration';
import { useFormat, useLanguage } from '../../../shared/hooks/use-format';
import { ErrorState } from '../../../shared/ui/error-state';
import { RowsSkeleton } from '../../../shared/ui/skeletons';
import { StatCards } from '../../../shared/ui/stat-cards';
import { PageTimes } from './page-times';
import { ReadersList } from './readers-list';

/** How the members of a zone read a document. */
export function ReadingFigures({ fileId }: { fileId: number }) {
  const { t } = useTranslation('files');
  const options = { params: { path: { id: fileId } } };
  const { data, error, refetch } = $api.useQuery('get', '/api/files/{id}/reading', options, { staleTime: 0 });
  if (error && !data) return <ErrorState title={t('reading.failed')} error={error} onRetry={refetch} />;
  if (!data) return <RowsSkeleton />;
  return (
    <>
      {!data.isRecorded && (
        <Alert severity="info" role="note">
          {t('reading.off')}
        </Alert>
      )}
      <Typography color="textSecondary">{t('reading.scope')}</Typography>
      {data.readers === 0 && <Typography color="textSecondary">{t('reading.nobody')}</Typography>}
      {data.readers > 0 && (
        <>
          <ReadingSummary reading={data} />
          <PageTimes fileId={fileId} pages={data.pages} />
          <ReadersList fileId={fileId} pageCount={data.pageCount} />
        </>
      )}
    </>
  );
}

function ReadingSummary({ reading }: { reading: Schema<'FileReadingDto'> }) {
  const { t } = useTranslation('files');
  const format = useFormat();
  const language = useLanguage();
  const { readers, completed, completion, ms } = reading;
  const stats = [
    { name: t('reading.readers'), value: format.number(readers) },
    { name: t('reading.completed'), value: format.number(completed) },
    { name: t('reading.completion'), value: completion === null ? '–' : format.percent(100 * completion) },
    { name: t('reading.time'), value: formatDuration(ms, language) },
  ];
  return <StatCards label={t('reading.summary')} stats={stats} />;
}
