import GavelRounded from '@mui/icons-material/GavelRounded';
import Box from '@mui/material/Box';
import { useState } from 'react';
import { DataTable } from 'react-admin';
import { useTranslation } from 'react-i18next';
import { $api, type Schema } from '../../../shared/api/client';
import { useFormat } from '../../../shared/hooks/use-format';
import { AdminList } from '../../ui/admin-list';
import { TruncatedText } from '../../ui/truncated-text';
import { DefinitionList } from '../../ui/definition-list';
import { ListFilters } from '../../ui/list-filters';
import { OpenButton } from '../../ui/open-button';
import { RawText } from '../../ui/raw-text';
import { RowCard } from '../../ui/row-card';
import { SidePanel } from '../../ui/side-panel';
import { InlineCode } from './inline-code';
import { useLogTypeLabel, useLogTypeOptions } from './use-log-type-label';

type AuditEntry = Schema<'AuditEntryDto'>;

/** Who did what to whom. The log is immutable, so rows have no actions. */
export function AuditLog() {
  const { t } = useTranslation('admin');
  const [opened, setOpened] = useState<AuditEntry | null>(null);
  const format = useFormat();
  const getTypeLabel = useLogTypeLabel('actions');
  const participants = useParticipants();
  return (
    <>
      <AdminList<AuditEntry>
        resource="audit-log"
        label={t('audit.list')}
        errorTitle={t('audit.failed')}
        empty={{ icon: <GavelRounded />, title: t('audit.empty'), text: t('audit.emptyText') }}
        filters={<AuditFilters />}
        onRowClick={setOpened}
        renderCard={(entry) => (
          <RowCard
            title={
              <OpenButton
                label={t('audit.open', { action: getTypeLabel(entry.type), id: entry.id })}
                onOpen={() => setOpened(entry)}
              >
                {getTypeLabel(entry.type)}
              </OpenButton>
            }
            lines={[
              `${t('audit.actor')}: ${participants.actor(entry)}`,
              `${t('audit.subject')}: ${participants.subject(entry)}`,
              format.dateTime(entry.createdAt),
            ]}
          />
        )}
      >
        {useColumns(setOpened)}
      </AdminList>
      <AuditEntryPanel entry={opened} onClose={() => setOpened(null)} />
    </>
  );
}

/** Actor and target, by email address, or by id if the account was deleted. */
function useParticipants() {
  const { t } = useTranslation('admin');
  const formatParticipant = (email: string | null, id: number | null, fallback: string) =>
    email ?? (id === null ? fallback : t('audit.former', { id }));
  return {
    actor: ({ actorEmail, actorId }: AuditEntry) => formatParticipant(actorEmail, actorId, t('audit.service')),
    subject: ({ subjectEmail, subjectId }: AuditEntry) => formatParticipant(subjectEmail, subjectId, t('list.none')),
  };
}

function useColumns(onOpen: (entry: AuditEntry) => void) {
  const { t } = useTranslation('admin');
  const format = useFormat();
  const getTypeLabel = useLogTypeLabel('actions');
  const participants = useParticipants();
  return [
    <DataTable.Col<AuditEntry>
      key="type"
      source="type"
      disableSort
      label={t('audit.action')}
      render={(entry) => (
        <OpenButton
          label={t('audit.open', { action: getTypeLabel(entry.type), id: entry.id })}
          onOpen={() => onOpen(entry)}
        >
          {getTypeLabel(entry.type)}
        </OpenButton>
      )}
    />,
    <DataTable.Col<AuditEntry>
      key="actor"
      source="actorEmail"
      disableSort
      label={t('audit.actor')}
      render={(entry) => <TruncatedText>{participants.actor(entry)}</TruncatedText>}
    />,
    <DataTable.Col<AuditEntry>
      key="subject"
      source="subjectEmail"
      disableSort
      label={t('audit.subject')}
      render={(entry) => <TruncatedText>{participants.subject(entry)}</TruncatedText>}
    />,
    <DataTable.Col<AuditEntry>
      key="ipAddress"
      source="ipAddress"
      disableSort
      label={t('audit.address')}
      render={({ ipAddress }) => ipAddress ?? t('list.none')}
    />,
    <DataTable.Col<AuditEntry>
      key="createdAt"
      source="createdAt"
      label={t('audit.date')}
      render={({ createdAt }) => (
        <Box component="span" sx={{ whiteSpace: 'nowrap' }}>
          {format.dateTime(createdAt)}
        </Box>
      )}
    />,
  ];
}

function AuditFilters() {
  const { t } = useTranslation('admin');
  const { data: types = [] } = $api.useQuery('get', '/api/admin/audit-log/types');
  const options = useLogTypeOptions('actions', types);
  return (
    <ListFilters
      searchLabel={t('audit.search')}
      selects={[
        {
          name: 'type',
          label: t('audit.action'),
          anyLabel: t('audit.anyAction'),
          options,
        },
      ]}
      dates={[
        { name: 'from', label: t('list.from') },
        { name: 'to', label: t('list.to') },
      ]}
      exportFile={{ path: '/api/admin/audit-log/export', label: t('list.export') }}
    />
  );
}

function AuditEntryPanel({ entry, onClose }: { entry: AuditEntry | null; onClose: () => void }) {
  const { t } = useTranslation('admin');
  const format = useFormat();
  const getTypeLabel = useLogTypeLabel('actions');
  const participants = useParticipants();
  return (
    <SidePanel open={entry !== null} title={entry ? getTypeLabel(entry.type) : ''} onClose={onClose}>
      {entry && (
        <>
          <DefinitionList
            label={t('audit.facts')}
            items={[
              [t('audit.kind'), <InlineCode key="kind">{entry.type}</InlineCode>],
              [t('audit.actor'), participants.actor(entry)],
              [t('audit.subject'), participants.subject(entry)],
              [t('audit.address'), entry.ipAddress],
              [t('audit.date'), format.dateTime(entry.createdAt)],
              [t('audit.id'), String(entry.id)],
            ]}
          />
          {Object.keys(entry.params).length > 0 && (
            <RawText title={t('audit.particulars')}>{JSON.stringify(entry.params, null, 2)}</RawText>
          )}
        </>
      )}
    </SidePanel>
  );
}
