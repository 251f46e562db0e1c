import CallMergeRounded from '@mui/icons-material/CallMergeRounded';
import CallSplitRounded from '@mui/icons-material/CallSplitRounded';
import DeleteOutlineRounded from '@mui/icons-material/DeleteOutlineRounded';
import LightbulbRounded from '@mui/icons-material/LightbulbRounded';
import Box from '@mui/material/Box';
import IconButton from '@mui/material/IconButton';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { EditSuggestionDialog } from '../../../features/suggestions/components/edit-dialog';
import { MergeDialog } from '../../../features/suggestions/components/merge-dialog';
import { categories, statuses, toneByStatus, suggestionsKey } from '../../../features/suggestions/suggestion';
import { api, type Schema } from '../../../shared/api/client';
import { useFormat } from '../../../shared/hooks/use-format';
import { Badge } from '../../../shared/ui/badge';
import { ActionButton } from '../../ui/action-button';
import { Column, DateColumn } from '../../ui/list/column';
import { SearchFilter, SelectFilter } from '../../ui/list/filters';
import { List } from '../../ui/list/list';
import { OpenButton } from '../../ui/open-button';

type Suggestion = Schema<'AdminSuggestionDto'>;

/** Suggestions with their authors' email addresses; a row opens the form for the reply. */
export function Suggestions() {
  const { t } = useTranslation('admin');
  const { t: tSuggestions } = useTranslation('suggestions');
  const format = useFormat();
  const queryClient = useQueryClient();
  const [editedSuggestion, setEditedSuggestion] = useState<Suggestion | null>(null);
  const [suggestionToMerge, setSuggestionToMerge] = useState<Suggestion | null>(null);
  const invalidateSuggestions = () => {
    void queryClient.invalidateQueries({ queryKey: ['suggestions'] });
    void queryClient.invalidateQueries({ queryKey: suggestionsKey });
  };
  return (
    <>
      <List<Suggestion>
        resource="suggestions"
        label={t('suggestions.list')}
        errorTitle={t('suggestions.failed')}
        empty={{ icon: <LightbulbRounded />, title: t('suggestions.empty'), text: t('suggestions.emptyText') }}
        filters={<SuggestionFilters />}
        onRowClick={setEditedSuggestion}
      >
        <Column<Suggestion>
          source="title"
          label={tSuggestions('form.name')}
          inCard="title"
          render={(row) => <SuggestionTitle row={row} onOpen={() => setEditedSuggestion(row)} />}
        />
        <Column<Suggestion> source="submitterEmail" disableSort label={t('suggestions.submitter')} maxChars={32} />
        <Column<Suggestion>
          source="category"
          disableSort
          label={tSuggestions('form.category')}
          inCard="inline"
          render={({ category }) => tSuggestions(`category.${category}`)}
        />
        <Column<Suggestion>
          source="status"
          label={tSuggestions('edit.status')}
          inCard="badge"
          render={(row) => <SuggestionStatusBadge row={row} />}
        />
        <Column<Suggestion>
          source="priority"
          label={tSuggestions('edit.priority')}
          inCard="hidden"
          render={({ priority }) => tSuggestions(`priorityName.${priority}`)}
        />
        <Column<Suggestion>
          source="voteCount"
          align="right"
          label={t('suggestions.votes')}
          inCard="inline"
          hasCardLabel
          render={({ voteCount }) => format.number(voteCount)}
        />
        <DateColumn<Suggestion> source="createdAt" label={t('suggestions.created')} inCard="inline" />
        <Column<Suggestion>
          onlyInCard
          render={({ mergedInto }) => mergedInto && `${tSuggestions('merge.into')} ${mergedInto.title}`}
        />
        <Column<Suggestion>
          align="right"
          label={t('list.actions')}
          inCard="action"
          render={(row) => <SuggestionActions row={row} onMerge={() => setSuggestionToMerge(row)} />}
        />
      </List>
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
    <>
      <SearchFilter label={tSuggestions('search')} />
      <SelectFilter
        source="status"
        label={tSuggestions('edit.status')}
        emptyText={t('suggestions.anyStatus')}
        choices={statuses.map((value) => ({ value, label: tSuggestions(`status.${value}`) }))}
      />
      <SelectFilter
        source="category"
        label={tSuggestions('form.category')}
        emptyText={t('suggestions.anyCategory')}
        choices={categories.map((value) => ({ value, label: tSuggestions(`category.${value}`) }))}
      />
    </>
  );
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

function SuggestionActions({ row: { id, title, can }, onMerge }: { row: Suggestion; onMerge: () => void }) {
  const { t } = useTranslation('admin');
  const { t: tSuggestions } = useTranslation('suggestions');
  const requestOptions = { params: { path: { id } } };
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
        <ActionButton
          resource="suggestions"
          label={tSuggestions('merge.undo', { title })}
          icon={<CallSplitRounded />}
          call={() => api.DELETE('/api/feature-suggestions/{id}/merge', requestOptions)}
          successMessage={() => tSuggestions('merge.undone')}
          errorTitle={tSuggestions('merge.undoFailed')}
        />
      )}
      {can.delete && (
        <ActionButton
          resource="suggestions"
          label={t('suggestions.deleteName', { title })}
          icon={<DeleteOutlineRounded />}
          confirm={{
            title: t('suggestions.deleteName', { title }),
            text: t('suggestions.deleteText'),
            label: t('suggestions.delete'),
          }}
          call={() => api.DELETE('/api/feature-suggestions/{id}', requestOptions)}
          successMessage={() => t('suggestions.deleted')}
          errorTitle={t('suggestions.deleteFailed')}
        />
      )}
    </Box>
  );
}
