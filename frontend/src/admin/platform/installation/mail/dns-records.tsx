import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { useTranslation } from 'react-i18next';
import { $api, type Schema } from '../../../../shared/api/client';
import { Badge, type BadgeTone } from '../../../../shared/ui/badge';
import { ErrorState } from '../../../../shared/ui/error-state';
import { CopyField } from '../../../../shared/ui/fields/copy-field';
import { RowsSkeleton } from '../../../../shared/ui/skeletons';

type SenderRecord = Schema<'SenderRecordDto'>;

const tones: Record<SenderRecord['state'], BadgeTone> = {
  done: 'success',
  missing: 'warning',
  wrong: 'danger',
  unknown: 'neutral',
};

/** What the DNS says of the sender's domain, with the records to copy. */
export function DnsRecords() {
  const { t } = useTranslation('admin');
  const dns = $api.useQuery('get', '/api/admin/installation/dns', {}, { staleTime: 0 });
  if (dns.error) return <ErrorState title={t('installation.dns.failed')} error={dns.error} onRetry={dns.refetch} />;
  if (!dns.data) return <RowsSkeleton rows={3} />;
  const { domain, records } = dns.data;
  if (domain === null) return <Typography>{t('installation.dns.noDomain')}</Typography>;
  return (
    <Box sx={{ display: 'grid', gap: 5 }}>
      <Typography sx={{ overflowWrap: 'anywhere' }}>{t('installation.dns.of', { domain })}</Typography>
      {records.map((record) => (
        <DnsRecord key={record.kind} {...record} />
      ))}
      <Box>
        <Button variant="outlined" onClick={() => void dns.refetch()} loading={dns.isFetching}>
          {t('installation.dns.again')}
        </Button>
      </Box>
    </Box>
  );
}

function DnsRecord({ kind, state, record }: SenderRecord) {
  const { t } = useTranslation('admin');
  const label = t(`installation.dns.kinds.${kind}`);
  return (
    <Box role="group" aria-label={label} sx={{ display: 'grid', gap: 3 }}>
      <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 2, alignItems: 'center' }}>
        <Typography variant="subtitle2">{label}</Typography>
        <Badge tone={tones[state]}>{t(`installation.dns.states.${state}`)}</Badge>
      </Box>
      <Typography variant="body2" color="textSecondary">
        {record === null ? t('installation.dns.byServer') : t(`installation.dns.texts.${kind}`)}
      </Typography>
      {record && state !== 'done' && (
        <>
          <CopyField label={t('installation.dns.name', { kind: label })} value={record.name} />
          <CopyField label={t('installation.dns.value', { kind: label, type: record.type })} value={record.value} />
        </>
      )}
    </Box>
  );
}
