import AddRounded from '@mui/icons-material/AddRounded';
import LightbulbRounded from '@mui/icons-material/LightbulbRounded';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Card from '@mui/material/Card';
import { keepPreviousData, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { $api } from '../../shared/api/client';
import { invalidate } from '../../shared/api/invalidate';
import { useSearchField } from '../../shared/browse/use-search-field';
import { useUrlChoice } from '../../shared/browse/use-url-choice';
import { VirtualItems } from '../../shared/browse/virtual-items';
import { EmptyState } from '../../shared/ui/empty-state';
import { ErrorState } from '../../shared/ui/error-state';
import { PageHeader } from '../../shared/ui/page-header';
import { RowsSkeleton } from '../../shared/ui/skeletons';
import { lazyComponent } from '../../shared/ui/lazy-component';
import { BoardFilters, boardTabId } from './components/board-filters';
import { SuggestDialog } from './components/suggest-dialog';
import { SuggestionCard } from './components/suggestion-card';
import { sorts, statuses, type SuggestionStatus, type Suggestion } from './suggestion';

// Used only by administrators.
const EditDialog = lazyComponent(() => import('./components/edit-dialog').then((m) => m.EditSuggestionDialog));

const panelId = 'suggestions-list';

/** /feature-suggestions: the users' suggestions. Its filters and search are kept in the URL. */
export function SuggestionsPage() {
  const { t } = useTranslation('suggestions');
  const [isDialogOpen, setIsDialogOpen] = useState(false);
  const suggestButton = (
    <Button variant="contained" color="primary" startIcon={<AddRounded />} onClick={() => setIsDialogOpen(true)}>
      {t('suggest')}
    </Button>
  );
  return (
    <Box sx={{ maxWidth: 'lg', mx: 'auto' }}>
      <PageHeader title={t('title')} description={t('description')} actions={suggestButton} />
      <Board />
      <SuggestDialog open={isDialogOpen} onClose={() => setIsDialogOpen(false)} />
    </Box>
  );
}

const statusChoices = ['', ...statuses] as const;

/** The board. Its filters and search words are in the URL, as in links to a suggestion. */
function Board() {
  const { t } = useTranslation('suggestions');
  const queryClient = useQueryClient();
  const [status, setStatus] = useUrlChoice<SuggestionStatus | ''>('status', statusChoices, '');
  const [sort, setSort] = useUrlChoice('sort', sorts, 'votes');
  const { q, text, setText } = useSearchField();
  const [editedSuggestion, setEditedSuggestion] = useState<Suggestion | null>(null);
  const query = { ...(status && { status }), ...(q && { q }), sort };
  const { data, error, refetch } = $api.useQuery(
    'get',
    '/api/feature-suggestions',
    { params: { query } },
    { placeholderData: keepPreviousData },
  );
  return (
    <>
      <BoardFilters
        {...{ status, sort, panelId, q: text }}
        onStatusChange={setStatus}
        onSortChange={setSort}
        onSearch={setText}
      />
      <Box role="tabpanel" id={panelId} aria-labelledby={boardTabId(status)}>
        {error && !data && <ErrorState title={t('failed')} error={error} onRetry={refetch} />}
        {!data && !error && <RowsSkeleton rows={8} />}
        {data && <SuggestionList suggestions={data} isFiltered={Boolean(status || q)} onEdit={setEditedSuggestion} />}
      </Box>
      {editedSuggestion && (
        <EditDialog
          suggestion={editedSuggestion}
          onClose={() => setEditedSuggestion(null)}
          onSaved={() => void invalidate(queryClient, 'PATCH /api/feature-suggestions/{id}')}
        />
      )}
    </>
  );
}

interface SuggestionListProps {
  suggestions: readonly Suggestion[];
  isFiltered: boolean;
  onEdit: (suggestion: Suggestion) => void;
}

function SuggestionList({ suggestions, isFiltered, onEdit }: SuggestionListProps) {
  const { t } = useTranslation('suggestions');
  if (suggestions.length === 0) {
    return (
      <Card>
        <EmptyState
          icon={<LightbulbRounded />}
          title={t(isFiltered ? 'nothingFound' : 'emptyTitle')}
          text={t(isFiltered ? 'nothingFoundText' : 'emptyText')}
        />
      </Card>
    );
  }
  return (
    <VirtualItems
      count={suggestions.length}
      gap={16}
      itemHeight={220}
      getKey={(index) => suggestions[index]!.id}
      renderItem={(index) => <SuggestionCard suggestion={suggestions[index]!} onEdit={onEdit} />}
    />
  );
}
