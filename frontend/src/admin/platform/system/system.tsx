import Box from '@mui/material/Box';
import Table from '@mui/material/Table';
import TableBody from '@mui/material/TableBody';
import TableCell from '@mui/material/TableCell';
import TableHead from '@mui/material/TableHead';
import TableRow from '@mui/material/TableRow';
import { useTranslation } from 'react-i18next';
import { $api, type Schema } from '../../../shared/api/client';
import { useFormat } from '../../../shared/hooks/use-format';
import { Badge } from '../../../shared/ui/badge';
import { ErrorState } from '../../../shared/ui/error-state';
import { SectionCard } from '../../../shared/ui/section-card';
import { RowsSkeleton } from '../../../shared/ui/skeletons';
import { DefinitionList } from '../../ui/definition-list';
import { QueuesCard } from './queues-card';
import { ReadinessCard } from './readiness';
import { StorageCard } from './storage-card';

type SystemState = Schema<'SystemStateDto'>;

const columnStyles = { display: 'grid', gap: 4, gridTemplateColumns: 'minmax(0, 1fr)' } as const;

/** System status. */
export function System() {
  const { t } = useTranslation('admin');
  const { data, error, refetch } = $api.useQuery('get', '/api/admin/system', {}, { staleTime: 0 });
  return (
    <Box
      sx={{
        display: 'grid',
        gap: 4,
        alignItems: 'start',
        gridTemplateColumns: { xs: 'minmax(0, 1fr)', lg: 'repeat(2, minmax(0, 1fr))' },
      }}
    >
      <Box sx={columnStyles}>
        <ReadinessCard />
        {data && <QueuesCard queues={data.queues} />}
        {data && <MailServerCard state={data.mailServer} isConfigured={data.sendsMail} />}
        {data && <VersionsCard state={data} />}
      </Box>
      <Box sx={columnStyles}>
        {error && !data && <ErrorState title={t('system.failed')} error={error} onRetry={refetch} />}
        {!data && !error && <RowsSkeleton rows={6} />}
        {data && <StorageCard storage={data.storage} />}
        {data && <SizesCard state={data} />}
      </Box>
    </Box>
  );
}

function VersionsCard({ state }: { state: SystemState }) {
  const { t } = useTranslation('admin');
  const format = useFormat();
  return (
    <SectionCard title={t('system.versions')}>
      <DefinitionList
        label={t('system.versions')}
        items={[
          [t('system.product'), state.version],
          ['Node.js', state.nodeVersion],
          ['PostgreSQL', state.databaseVersion],
          [t('system.schema'), state.schemaVersion],
          [t('system.startedAt'), format.dateTime(state.startedAt)],
          [t('system.memory'), format.size(state.memoryBytes)],
          [t('system.mail'), t(state.sendsMail ? 'system.smtp' : 'system.mailbox')],
          [t('system.storage'), t(`system.storages.${state.storageType}`)],
        ]}
      />
    </SectionCard>
  );
}

/** State of the mail server. Without one, emails stay on this machine and none was accepted. */
function MailServerCard({ state, isConfigured }: { state: SystemState['mailServer']; isConfigured: boolean }) {
  const { t } = useTranslation('admin');
  const format = useFormat();
  const { takenAt, refusingSince, refusedAt, reason } = state;
  if (!isConfigured) {
    const notConfiguredBadge = <Badge tone="warning">{t('system.mails.none')}</Badge>;
    return (
      <SectionCard title={t('system.mails.title')} text={t('system.mails.noneText')}>
        <DefinitionList label={t('system.mails.title')} items={[[t('system.mails.state'), notConfiguredBadge]]} />
      </SectionCard>
    );
  }
  if (takenAt === null && refusedAt === null) return null;
  return (
    <SectionCard title={t('system.mails.title')}>
      <DefinitionList
        label={t('system.mails.title')}
        items={[
          [
            t('system.mails.state'),
            <Badge key="state" tone={refusingSince ? 'danger' : 'success'}>
              {refusingSince
                ? t('system.mails.refusing', { since: format.dateTime(refusingSince) })
                : t('system.mails.taking')}
            </Badge>,
          ],
          [t('system.mails.takenAt'), takenAt && format.dateTime(takenAt)],
          [t('system.mails.refusedAt'), refusedAt && format.dateTime(refusedAt)],
          [t('system.mails.reason'), reason],
        ]}
      />
    </SectionCard>
  );
}

const nameCellStyles = { overflowWrap: 'anywhere' } as const;

function SizesCard({ state }: { state: SystemState }) {
  const { t } = useTranslation('admin');
  const format = useFormat();
  return (
    <SectionCard title={t('system.sizes')}>
      <DefinitionList
        label={t('system.sizes')}
        items={[
          [t('system.stored'), format.size(state.storedBytes)],
          [t('system.database'), format.size(state.databaseBytes)],
        ]}
      />
      <Table size="small" aria-label={t('system.tables')} sx={{ mt: 4 }}>
        <TableHead>
          <TableRow>
            <TableCell>{t('system.table')}</TableCell>
            <TableCell align="right">{t('system.rows')}</TableCell>
            <TableCell align="right">{t('system.size')}</TableCell>
          </TableRow>
        </TableHead>
        <TableBody>
          {state.tables.map(({ name, rows, bytes }) => (
            <TableRow key={name}>
              <TableCell sx={nameCellStyles}>{name}</TableCell>
              <TableCell align="right">{format.number(rows)}</TableCell>
              <TableCell align="right">{format.size(bytes)}</TableCell>
            </TableRow>
          ))}
        </TableBody>
      </Table>
    </SectionCard>
  );
}
