import DeleteOutlineRounded from '@mui/icons-material/DeleteOutlineRounded';
import LightbulbRounded from '@mui/icons-material/LightbulbRounded';
import IconButton from '@mui/material/IconButton';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { DataTable } from 'react-admin';
import { useTranslation } from 'react-i18next';
import { EditDialog } from '../../../features/suggestions/components/edit-dialog';
import { categories, statuses, statusTones, suggestionsKey } from '../../../features/suggestions/suggestion';
import { api, type Schema } from '../../../shared/api/client';
import { useFormat } from '../../../shared/hooks/use-format';
import { Badge } from '../../../shared/ui/badge';
import { ConfirmDialog } from '../../../shared/ui/confirm-dialog';
import { AdminList } from '../../ui/admin-list';
import { Cut } from '../../ui/cut';
import { ListFilters } from '../../ui/list-filters';
import { OpenButton } from '../../ui/open-button';
import { RowCard } from '../../ui/row-card';
import { useChange } from '../../ui/use-change';

type Suggestion = Schema<'AdminSuggestionDto'>;

/** What people suggested, with their addresses; a row opens the form that answers it. */
export function Suggestions() {
  const { t } = useTranslation('admin');
  const queries = useQueryClient();
  const [edited, setEdited] = useState<Suggestion | null>(null);
  const refresh = () => {
    void queries.invalidateQueries({ queryKey: ['suggestions'] });
    void queries.invalidateQueries({ queryKey: suggestionsKey });
  };
  return (
    <>
      <AdminList<Suggestion>
        resource="suggestions"
        label={t('suggestions.list')}
        failed={t('suggestions.failed')}
        empty={{ icon: <LightbulbRounded />, title: t('suggestions.empty'), text: t('suggestions.emptyText') }}
        filters={<Filters />}
        onRow={setEdited}
        card={(row) => <SuggestionCard row={row} onOpen={() => setEdited(row)} />}
      >
        {useColumns(setEdited)}
      </AdminList>
      {edited && <EditDialog suggestion={edited} onClose={() => setEdited(null)} onSaved={refresh} />}
    </>
  );
}

function Filters() {
  const { t } = useTranslation('admin');
  const { t: board } = useTranslation('suggestions');
  return (
    <ListFilters
      search={board('search')}
      choices={[
        {
          name: 'status',
          label: board('edit.status'),
          any: t('suggestions.anyStatus'),
          options: statuses.map((value) => ({ value, label: board(`status.${value}`) })),
        },
        {
          name: 'category',
          label: board('form.category'),
          any: t('suggestions.anyCategory'),
          options: categories.map((value) => ({ value, label: board(`category.${value}`) })),
        },
      ]}
      file={{ path: '/api/admin/feature-suggestions/export', label: t('list.export') }}
    />
  );
}

function useColumns(onOpen: (row: Suggestion) => void) {
  const { t } = useTranslation('admin');
  const { t: board } = useTranslation('suggestions');
  const format = useFormat();
  return [
    <DataTable.Col<Suggestion>
      key="title"
      source="title"
      label={board('form.name')}
      render={(row) => (
        <OpenButton label={board('edit.open', { title: row.title })} onOpen={() => onOpen(row)}>
          {row.title}
        </OpenButton>
      )}
    />,
    <DataTable.Col<Suggestion>
      key="submitter"
      source="submitterEmail"
      disableSort
      label={t('suggestions.submitter')}
      render={({ submitterEmail }) => <Cut>{submitterEmail ?? t('list.none')}</Cut>}
    />,
    <DataTable.Col<Suggestion>
      key="category"
      source="category"
      disableSort
      label={board('form.category')}
      render={({ category }) => board(`category.${category}`)}
    />,
    <DataTable.Col<Suggestion>
      key="status"
      source="status"
      label={board('edit.status')}
      render={({ status }) => <Badge tone={statusTones[status]}>{board(`status.${status}`)}</Badge>}
    />,
    <DataTable.Col<Suggestion>
      key="priority"
      source="priority"
      label={board('edit.priority')}
      render={({ priority }) => board(`priorityName.${priority}`)}
    />,
    <DataTable.Col<Suggestion>
      key="voteCount"
      source="voteCount"
      align="right"
      label={t('suggestions.votes')}
      render={({ voteCount }) => format.number(voteCount)}
    />,
    <DataTable.Col<Suggestion>
      key="createdAt"
      source="createdAt"
      label={t('suggestions.created')}
      render={({ createdAt }) => format.date(createdAt)}
    />,
    <DataTable.Col<Suggestion>
      key="actions"
      align="right"
      label={t('list.actions')}
      render={(row) => <Delete row={row} />}
    />,
  ];
}

function Delete({ row: { id, title, can } }: { row: Suggestion }) {
  const { t } = useTranslation('admin');
  const [asked, setAsked] = useState(false);
  const remove = useChange<void, unknown>({
    resource: 'suggestions',
    call: () => api.DELETE('/api/feature-suggestions/{id}', { params: { path: { id } } }),
    done: () => t('suggestions.deleted'),
    failed: t('suggestions.deleteFailed'),
  });
  if (!can.delete) return null;
  return (
    <span role="presentation" onClick={(event) => event.stopPropagation()}>
      <IconButton edge="end" aria-label={t('suggestions.deleteName', { title })} onClick={() => setAsked(true)}>
        <DeleteOutlineRounded />
      </IconButton>
      <ConfirmDialog
        open={asked}
        title={t('suggestions.deleteName', { title })}
        confirmLabel={t('suggestions.delete')}
        busy={remove.isPending}
        onConfirm={() => remove.mutate(undefined, { onSettled: () => setAsked(false) })}
        onClose={() => setAsked(false)}
      >
        {t('suggestions.deleteText')}
      </ConfirmDialog>
    </span>
  );
}

function SuggestionCard({ row, onOpen }: { row: Suggestion; onOpen: () => void }) {
  const { t } = useTranslation('admin');
  const { t: board } = useTranslation('suggestions');
  const format = useFormat();
  const { title, status, category, voteCount, submitterEmail, createdAt } = row;
  return (
    <RowCard
      title={
        <OpenButton label={board('edit.open', { title })} onOpen={onOpen}>
          {title}
        </OpenButton>
      }
      badge={<Badge tone={statusTones[status]}>{board(`status.${status}`)}</Badge>}
      lines={[
        `${board(`category.${category}`)} · ${t('suggestions.votes')} ${format.number(voteCount)}`,
        submitterEmail,
        format.date(createdAt),
      ]}
      action={<Delete row={row} />}
    />
  );
}
