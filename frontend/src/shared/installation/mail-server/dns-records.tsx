import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { useTranslation } from 'react-i18next';
import { $api, type Schema } from '../../api/client';
import { Badge, type BadgeTone } from '../../ui/badge';
import { ErrorState } from '../../ui/error-state';
import { CopyField } from '../../ui/fields/copy-field';
import { RowsSkeleton } from '../../ui/skeletons';

type SenderRecord = Schema<'SenderRecordDto'>;

const toneByState: Record<SenderRecord['state'], BadgeTone> = {
  done: 'success',
  missing: 'warning',
  wrong: 'danger',
  unknown: 'neutral',
};

/** DNS checks of the sender's domain, with the records to copy. */
export function DnsRecords() {
  const { t } = useTranslation('installation');
  const dns = $api.useQuery('get', '/api/admin/installation/dns', {}, { staleTime: 0 });
  if (dns.error) return <ErrorState title={t('dns.failed')} error={dns.error} onRetry={dns.refetch} />;
  if (!dns.data) return <RowsSkeleton rows={3} />;
  const { domain, records } = dns.data;
  if (domain === null) return <Typography>{t('dns.noDomain')}</Typography>;
  return (
    <Box sx={{ display: 'grid', gap: 5 }}>
      <Typography sx={{ overflowWrap: 'anywhere' }}>{t('dns.of', { domain })}</Typography>
      {records.map((record) => (
        <DnsRecord key={record.kind} {...record} />
      ))}
      <Box>
        <Button variant="outlined" onClick={() => void dns.refetch()} loading={dns.isFetching}>
          {t('dns.again')}
        </Button>
      </Box>
    </Box>
  );
}

function DnsRecord({ kind, state, record }: SenderRecord) {
  const { t } = useTranslation('installation');
  const label = t(`dns.kinds.${kind}`);
  return (
    <Box role="group" aria-label={label} sx={{ display: 'grid', gap: 3 }}>
      <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 2, alignItems: 'center' }}>
        <Typography variant="subtitle2">{label}</Typography>
        <Badge tone={toneByState[state]}>{t(`dns.states.${state}`)}</Badge>
      </Box>
      <Typography variant="body2" color="textSecondary">
        {record === null ? t('dns.byServer') : t(`dns.texts.${kind}`)}
      </Typography>
      {record && state !== 'done' && (
        <>
          <CopyField label={t('dns.name', { kind: label })} value={record.name} />
          <CopyField label={t('dns.value', { kind: label, type: record.type })} value={record.value} />
        </>
      )}
    </Box>
  );
}
