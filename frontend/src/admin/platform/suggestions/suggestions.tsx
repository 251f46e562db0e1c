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
import { EditSuggestionDialog } from '../../../features/suggestions/components/edit-dialog';
import { MergeDialog } from '../../../features/suggestions/components/merge-dialog';
import { categories, statuses, toneByStatus, suggestionsKey } from '../../../features/suggestions/suggestion';
import { api, type Schema } from '../../../shared/api/client';
import { useFormat } from '../../../shared/hooks/use-format';
import { Badge } from '../../../shared/ui/badge';
import { ConfirmDialog } from '../../../shared/ui/confirm-dialog';
import { AdminList } from '../../ui/admin-list';
import { TruncatedText } from '../../ui/truncated-text';
import { ListFilters } from '../../ui/list-filters';
import { OpenButton } from '../../ui/open-button';
import { RowCard } from '../../ui/row-card';
import { useAdminMutation } from '../../ui/use-admin-mutation';

type Suggestion = Schema<'AdminSuggestionDto'>;

/** Suggestions with their authors' email addresses; a row opens the form for the reply. */
export function Suggestions() {
  const { t } = useTranslation('admin');
  const queryClient = useQueryClient();
  const [editedSuggestion, setEditedSuggestion] = useState<Suggestion | null>(null);
  const [suggestionToMerge, setSuggestionToMerge] = useState<Suggestion | null>(null);
  const invalidateSuggestions = () => {
    void queryClient.invalidateQueries({ queryKey: ['suggestions'] });
    void queryClient.invalidateQueries({ queryKey: suggestionsKey });
  };
  return (
    <>
      <AdminList<Suggestion>
        resource="suggestions"
        label={t('suggestions.list')}
        errorTitle={t('suggestions.failed')}
        empty={{ icon: <LightbulbRounded />, title: t('suggestions.empty'), text: t('suggestions.emptyText') }}
        filters={<SuggestionFilters />}
        onRowClick={setEditedSuggestion}
        renderCard={(row) => (
          <SuggestionCard row={row} onOpen={() => setEditedSuggestion(row)} onMerge={() => setSuggestionToMerge(row)} />
        )}
      >
        {useColumns(setEditedSuggestion, setSuggestionToMerge)}
      </AdminList>
      {editedSuggestion?.can.update && (
        <EditSuggestionDialog
          suggestion={editedSuggestion}
          onClose={() => setEditedSuggestion(null)}
          onSaved={invalidateSuggestions}
        />
      )}
      {suggestionToMerge && (
        <MergeDialog
          suggestion={suggestionToMerge}
          onClose={() => setSuggestionToMerge(null)}
          onMerged={invalidateSuggestions}
        />
      )}
    </>
  );
}

function SuggestionFilters() {
  const { t } = useTranslation('admin');
  const { t: tSuggestions } = useTranslation('suggestions');
  return (
    <ListFilters
      searchLabel={tSuggestions('search')}
      selects={[
        {
          name: 'status',
          label: tSuggestions('edit.status'),
          anyLabel: t('suggestions.anyStatus'),
          options: statuses.map((value) => ({ value, label: tSuggestions(`status.${value}`) })),
        },
        {
          name: 'category',
          label: tSuggestions('form.category'),
          anyLabel: t('suggestions.anyCategory'),
          options: categories.map((value) => ({ value, label: tSuggestions(`category.${value}`) })),
        },
      ]}
      exportFile={{ path: '/api/admin/feature-suggestions/export', label: t('list.export') }}
    />
  );
}

function useColumns(onOpen: (row: Suggestion) => void, onMerge: (row: Suggestion) => void) {
  const { t } = useTranslation('admin');
  const { t: tSuggestions } = useTranslation('suggestions');
  const format = useFormat();
  return [
    <DataTable.Col<Suggestion>
      key="title"
      source="title"
      label={tSuggestions('form.name')}
      render={(row) => <SuggestionTitle row={row} onOpen={() => onOpen(row)} />}
    />,
    <DataTable.Col<Suggestion>
      key="submitter"
      source="submitterEmail"
      disableSort
      label={t('suggestions.submitter')}
      render={({ submitterEmail }) => <TruncatedText>{submitterEmail ?? t('list.none')}</TruncatedText>}
    />,
    <DataTable.Col<Suggestion>
      key="category"
      source="category"
      disableSort
      label={tSuggestions('form.category')}
      render={({ category }) => tSuggestions(`category.${category}`)}
    />,
    <DataTable.Col<Suggestion>
      key="status"
      source="status"
      label={tSuggestions('edit.status')}
      render={(row) => <SuggestionStatusBadge row={row} />}
    />,
    <DataTable.Col<Suggestion>
      key="priority"
      source="priority"
      label={tSuggestions('edit.priority')}
      render={({ priority }) => tSuggestions(`priorityName.${priority}`)}
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
      render={(row) => <SuggestionActions row={row} onMerge={() => onMerge(row)} />}
    />,
  ];
}

/** Opens the form, except for merged suggestions, which are answered through the other one. */
function SuggestionTitle({ row: { title, can }, onOpen }: { row: Suggestion; onOpen: () => void }) {
  const { t: tSuggestions } = useTranslation('suggestions');
  if (!can.update) return title;
  return (
    <OpenButton label={tSuggestions('edit.open', { title })} onOpen={onOpen}>
      {title}
    </OpenButton>
  );
}

/** The status, or the suggestion it was merged into. */
function SuggestionStatusBadge({ row: { status, mergedInto } }: { row: Suggestion }) {
  const { t: tSuggestions } = useTranslation('suggestions');
  if (!mergedInto) return <Badge tone={toneByStatus[status]}>{tSuggestions(`status.${status}`)}</Badge>;
  return (
    <span title={`${tSuggestions('merge.into')} ${mergedInto.title}`}>
      <Badge>{tSuggestions('merge.merged')}</Badge>
    </span>
  );
}

function SuggestionActions({ row, onMerge }: { row: Suggestion; onMerge: () => void }) {
  const { t: tSuggestions } = useTranslation('suggestions');
  const { id, title, can } = row;
  const undoMerge = useAdminMutation<void, unknown>({
    resource: 'suggestions',
    call: () => api.DELETE('/api/feature-suggestions/{id}/merge', { params: { path: { id } } }),
    successMessage: () => tSuggestions('merge.undone'),
    errorTitle: tSuggestions('merge.undoFailed'),
  });
  return (
    <Box
      component="span"
      role="presentation"
      sx={{ display: 'inline-flex' }}
      onClick={(event) => event.stopPropagation()}
    >
      {can.merge && (
        <IconButton aria-label={tSuggestions('merge.open', { title })} onClick={onMerge}>
          <CallMergeRounded />
        </IconButton>
      )}
      {can.unmerge && (
        <IconButton
          aria-label={tSuggestions('merge.undo', { title })}
          disabled={undoMerge.isPending}
          onClick={() => undoMerge.mutate(undefined)}
        >
          <CallSplitRounded />
        </IconButton>
      )}
      <DeleteSuggestionButton row={row} />
    </Box>
  );
}

function DeleteSuggestionButton({ row: { id, title, can } }: { row: Suggestion }) {
  const { t } = useTranslation('admin');
  const [isConfirmOpen, setIsConfirmOpen] = useState(false);
  const deleteSuggestion = useAdminMutation<void, unknown>({
    resource: 'suggestions',
    call: () => api.DELETE('/api/feature-suggestions/{id}', { params: { path: { id } } }),
    successMessage: () => t('suggestions.deleted'),
    errorTitle: t('suggestions.deleteFailed'),
  });
  if (!can.delete) return null;
  return (
    <span role="presentation" onClick={(event) => event.stopPropagation()}>
      <IconButton edge="end" aria-label={t('suggestions.deleteName', { title })} onClick={() => setIsConfirmOpen(true)}>
        <DeleteOutlineRounded />
      </IconButton>
      <ConfirmDialog
        open={isConfirmOpen}
        title={t('suggestions.deleteName', { title })}
        confirmLabel={t('suggestions.delete')}
        isPending={deleteSuggestion.isPending}
        onConfirm={() => deleteSuggestion.mutate(undefined, { onSettled: () => setIsConfirmOpen(false) })}
        onClose={() => setIsConfirmOpen(false)}
      >
        {t('suggestions.deleteText')}
      </ConfirmDialog>
    </span>
  );
}

interface SuggestionCardProps {
  row: Suggestion;
  onOpen: () => void;
  onMerge: () => void;
}

function SuggestionCard({ row, onOpen, onMerge }: SuggestionCardProps) {
  const { t } = useTranslation('admin');
  const { t: tSuggestions } = useTranslation('suggestions');
  const format = useFormat();
  const { category, voteCount, submitterEmail, createdAt, mergedInto } = row;
  return (
    <RowCard
      title={<SuggestionTitle row={row} onOpen={onOpen} />}
      badge={<SuggestionStatusBadge row={row} />}
      lines={[
        `${tSuggestions(`category.${category}`)} · ${t('suggestions.votes')} ${format.number(voteCount)}`,
        mergedInto && `${tSuggestions('merge.into')} ${mergedInto.title}`,
        submitterEmail,
        format.date(createdAt),
      ]}
      action={<SuggestionActions row={row} onMerge={onMerge} />}
    />
  );
}
