import GavelRounded from '@mui/icons-material/GavelRounded';
import { useTranslation } from 'react-i18next';
import { $api, type Schema } from '../../../shared/api/client';
import { useFormat } from '../../../shared/hooks/use-format';
import { DefinitionList } from '../../ui/definition-list';
import { Column, DateColumn } from '../../ui/list/column';
import { PeriodFilter, SearchFilter, SelectFilter } from '../../ui/list/filters';
import { List } from '../../ui/list/list';
import { RecordDrawer } from '../../ui/list/record-drawer';
import { RecordLink } from '../../ui/list/record-link';
import { RawText } from '../../ui/raw-text';
import { InlineCode } from './inline-code';
import { useLogTypeLabel, useLogTypeOptions } from './use-log-type-label';

type AuditEntry = Schema<'AuditEntryDto'>;

/** Who did what to whom. The log is immutable, so rows have no actions. */
export function AuditLog() {
  const { t } = useTranslation('admin');
  const getTypeLabel = useLogTypeLabel('actions');
  const participants = useParticipants();
  return (
    <>
      <List<AuditEntry>
        resource="audit-log"
        label={t('audit.list')}
        errorTitle={t('audit.failed')}
        empty={{ icon: <GavelRounded />, title: t('audit.empty'), text: t('audit.emptyText') }}
        filters={<AuditFilters />}
      >
        <Column<AuditEntry>
          source="type"
          disableSort
          label={t('audit.action')}
          inCard="title"
          render={(entry) => (
            <RecordLink label={t('audit.open', { action: getTypeLabel(entry.type), id: entry.id })}>
              {getTypeLabel(entry.type)}
            </RecordLink>
          )}
        />
        <Column<AuditEntry>
          source="actorEmail"
          disableSort
          label={t('audit.actor')}
          hasCardLabel
          maxChars={32}
          render={participants.actor}
        />
        <Column<AuditEntry>
          source="subjectEmail"
          disableSort
          label={t('audit.subject')}
          hasCardLabel
          maxChars={32}
          render={participants.subject}
        />
        <Column<AuditEntry> source="ipAddress" disableSort label={t('audit.address')} inCard="hidden" />
        <DateColumn<AuditEntry> source="createdAt" label={t('audit.date')} showTime />
      </List>
      <AuditEntryDrawer />
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

function AuditFilters() {
  const { t } = useTranslation('admin');
  const { data: types = [] } = $api.useQuery('get', '/api/admin/audit-log/types');
  const choices = useLogTypeOptions('actions', types);
  return (
    <>
      <SearchFilter label={t('audit.search')} />
      <SelectFilter source="type" label={t('audit.action')} emptyText={t('audit.anyAction')} choices={choices} />
      <PeriodFilter />
    </>
  );
}

function AuditEntryDrawer() {
  const { t } = useTranslation('admin');
  const format = useFormat();
  const getTypeLabel = useLogTypeLabel('actions');
  const participants = useParticipants();
  return (
    <RecordDrawer<AuditEntry, AuditEntry>
      resource="audit-log"
      errorTitle={t('audit.detailFailed')}
      title={({ type }) => getTypeLabel(type)}
    >
      {(entry) => (
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
    </RecordDrawer>
  );
}
