import GavelRounded from '@mui/icons-material/GavelRounded';
import Box from '@mui/material/Box';
import { useState } from 'react';
import { DataTable } from 'react-admin';
import { useTranslation } from 'react-i18next';
import { $api, type Schema } from '../../../shared/api/client';
import { useFormat } from '../../../shared/hooks/use-format';
import { AdminList } from '../../ui/admin-list';
import { Cut } from '../../ui/cut';
import { Facts } from '../../ui/facts';
import { ListFilters } from '../../ui/list-filters';
import { OpenButton } from '../../ui/open-button';
import { RawText } from '../../ui/raw-text';
import { RowCard } from '../../ui/row-card';
import { SidePanel } from '../../ui/side-panel';
import { Kind } from './kind';
import { useKindName, useKindOptions } from './use-kind-name';

type Entry = Schema<'AuditEntryDto'>;

/** Who did what to whom. Nobody can change it, so there is nothing to press but the row. */
export function AuditLog() {
  const { t } = useTranslation('admin');
  const [opened, setOpened] = useState<Entry | null>(null);
  const format = useFormat();
  const name = useKindName('actions');
  const people = usePeople();
  return (
    <>
      <AdminList<Entry>
        resource="audit-log"
        label={t('audit.list')}
        failed={t('audit.failed')}
        empty={{ icon: <GavelRounded />, title: t('audit.empty'), text: t('audit.emptyText') }}
        filters={<Filters />}
        onRow={setOpened}
        card={(entry) => (
          <RowCard
            title={
              <OpenButton
                label={t('audit.open', { action: name(entry.type), id: entry.id })}
                onOpen={() => setOpened(entry)}
              >
                {name(entry.type)}
              </OpenButton>
            }
            lines={[
              `${t('audit.actor')}: ${people.actor(entry)}`,
              `${t('audit.subject')}: ${people.subject(entry)}`,
              format.dateTime(entry.createdAt),
            ]}
          />
        )}
      >
        {useColumns(setOpened)}
      </AdminList>
      <EntryPanel entry={opened} onClose={() => setOpened(null)} />
    </>
  );
}

/** Who did it and to whom: by address, else by the number that is left of them. */
function usePeople() {
  const { t } = useTranslation('admin');
  const person = (email: string | null, id: number | null, nobody: string) =>
    email ?? (id === null ? nobody : t('audit.former', { id }));
  return {
    actor: ({ actorEmail, actorId }: Entry) => person(actorEmail, actorId, t('audit.service')),
    subject: ({ subjectEmail, subjectId }: Entry) => person(subjectEmail, subjectId, t('list.none')),
  };
}

function useColumns(onOpen: (entry: Entry) => void) {
  const { t } = useTranslation('admin');
  const format = useFormat();
  const name = useKindName('actions');
  const people = usePeople();
  return [
    <DataTable.Col<Entry>
      key="type"
      source="type"
      disableSort
      label={t('audit.action')}
      render={(entry) => (
        <OpenButton label={t('audit.open', { action: name(entry.type), id: entry.id })} onOpen={() => onOpen(entry)}>
          {name(entry.type)}
        </OpenButton>
      )}
    />,
    <DataTable.Col<Entry>
      key="actor"
      source="actorEmail"
      disableSort
      label={t('audit.actor')}
      render={(entry) => <Cut>{people.actor(entry)}</Cut>}
    />,
    <DataTable.Col<Entry>
      key="subject"
      source="subjectEmail"
      disableSort
      label={t('audit.subject')}
      render={(entry) => <Cut>{people.subject(entry)}</Cut>}
    />,
    <DataTable.Col<Entry>
      key="ipAddress"
      source="ipAddress"
      disableSort
      label={t('audit.address')}
      render={({ ipAddress }) => ipAddress ?? t('list.none')}
    />,
    <DataTable.Col<Entry>
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

function Filters() {
  const { t } = useTranslation('admin');
  const { data: types = [] } = $api.useQuery('get', '/api/admin/audit-log/types');
  const options = useKindOptions('actions', types);
  return (
    <ListFilters
      search={t('audit.search')}
      choices={[
        {
          name: 'type',
          label: t('audit.action'),
          any: t('audit.anyAction'),
          options,
        },
      ]}
      days={[
        { name: 'from', label: t('list.from') },
        { name: 'to', label: t('list.to') },
      ]}
      file={{ path: '/api/admin/audit-log/export', label: t('list.export') }}
    />
  );
}

function EntryPanel({ entry, onClose }: { entry: Entry | null; onClose: () => void }) {
  const { t } = useTranslation('admin');
  const format = useFormat();
  const name = useKindName('actions');
  const people = usePeople();
  return (
    <SidePanel open={entry !== null} title={entry ? name(entry.type) : ''} onClose={onClose}>
      {entry && (
        <>
          <Facts
            label={t('audit.facts')}
            facts={[
              [t('audit.kind'), <Kind key="kind">{entry.type}</Kind>],
              [t('audit.actor'), people.actor(entry)],
              [t('audit.subject'), people.subject(entry)],
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
