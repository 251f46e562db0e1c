import CallMergeRounded from '@mui/icons-material/CallMergeRounded';
import CallSplitRounded from '@mui/icons-material/CallSplitRounded';
import DeleteOutlineRounded from '@mui/icons-material/DeleteOutlineRounded';
import LightbulbRounded from '@mui/icons-material/LightbulbRounded';
import Box from '@mui/material/Box';
import IconButton from '@mui/material/IconButton';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { DataTable } from 'react-admin';
import { useTranslation } from 'react-i18next';
import { EditDialog } from '../../../features/suggestions/components/edit-dialog';
import { MergeDialog } from '../../../features/suggestions/components/merge-dialog';
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
  const [merged, setMerged] = useState<Suggestion | null>(null);
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
        card={(row) => <SuggestionCard row={row} onOpen={() => setEdited(row)} onMerge={() => setMerged(row)} />}
      >
        {useColumns(setEdited, setMerged)}
      </AdminList>
      {edited?.can.update && <EditDialog suggestion={edited} onClose={() => setEdited(null)} onSaved={refresh} />}
      {merged && <MergeDialog suggestion={merged} onClose={() => setMerged(null)} onMerged={refresh} />}
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

function useColumns(onOpen: (row: Suggestion) => void, onMerge: (row: Suggestion) => void) {
  const { t } = useTranslation('admin');
  const { t: board } = useTranslation('suggestions');
  const format = useFormat();
  return [
    <DataTable.Col<Suggestion>
      key="title"
      source="title"
      label={board('form.name')}
      render={(row) => <Title row={row} onOpen={() => onOpen(row)} />}
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
      render={(row) => <State row={row} />}
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
      render={(row) => <Actions row={row} onMerge={() => onMerge(row)} />}
    />,
  ];
}

/** Opens the form, but of a merged one, which is answered by the other one. */
function Title({ row: { title, can }, onOpen }: { row: Suggestion; onOpen: () => void }) {
  const { t: board } = useTranslation('suggestions');
  if (!can.update) return title;
  return (
    <OpenButton label={board('edit.open', { title })} onOpen={onOpen}>
      {title}
    </OpenButton>
  );
}

/** The status; of a merged one, that it goes on as another one. */
function State({ row: { status, mergedInto } }: { row: Suggestion }) {
  const { t: board } = useTranslation('suggestions');
  if (!mergedInto) return <Badge tone={statusTones[status]}>{board(`status.${status}`)}</Badge>;
  return (
    <span title={`${board('merge.into')} ${mergedInto.title}`}>
      <Badge>{board('merge.merged')}</Badge>
    </span>
  );
}

function Actions({ row, onMerge }: { row: Suggestion; onMerge: () => void }) {
  const { t: board } = useTranslation('suggestions');
  const { id, title, can } = row;
  const undo = useChange<void, unknown>({
    resource: 'suggestions',
    call: () => api.DELETE('/api/feature-suggestions/{id}/merge', { params: { path: { id } } }),
    done: () => board('merge.undone'),
    failed: board('merge.undoFailed'),
  });
  return (
    <Box
      component="span"
      role="presentation"
      sx={{ display: 'inline-flex' }}
      onClick={(event) => event.stopPropagation()}
    >
      {can.merge && (
        <IconButton aria-label={board('merge.open', { title })} onClick={onMerge}>
          <CallMergeRounded />
        </IconButton>
      )}
      {can.unmerge && (
        <IconButton
          aria-label={board('merge.undo', { title })}
          disabled={undo.isPending}
          onClick={() => undo.mutate(undefined)}
        >
          <CallSplitRounded />
        </IconButton>
      )}
      <Delete row={row} />
    </Box>
  );
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

interface CardProps {
  row: Suggestion;
  onOpen: () => void;
  onMerge: () => void;
}

function SuggestionCard({ row, onOpen, onMerge }: CardProps) {
  const { t } = useTranslation('admin');
  const { t: board } = useTranslation('suggestions');
  const format = useFormat();
  const { category, voteCount, submitterEmail, createdAt, mergedInto } = row;
  return (
    <RowCard
      title={<Title row={row} onOpen={onOpen} />}
      badge={<State row={row} />}
      lines={[
        `${board(`category.${category}`)} · ${t('suggestions.votes')} ${format.number(voteCount)}`,
        mergedInto && `${board('merge.into')} ${mergedInto.title}`,
        submitterEmail,
        format.date(createdAt),
      ]}
      action={<Actions row={row} onMerge={onMerge} />}
    />
  );
}
