import AddRounded from '@mui/icons-material/AddRounded';
import LightbulbRounded from '@mui/icons-material/LightbulbRounded';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Card from '@mui/material/Card';
import { keepPreviousData, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useSearchParams } from 'react-router';
import { $api } from '../../shared/api/client';
import { touch } from '../../shared/api/touch';
import { VirtualItems } from '../../shared/browse/virtual-items';
import { useDebounced } from '../../shared/hooks/use-debounced';
import { EmptyState } from '../../shared/ui/empty-state';
import { ErrorState } from '../../shared/ui/error-state';
import { PageHeader } from '../../shared/ui/page-header';
import { RowsSkeleton } from '../../shared/ui/skeletons';
import { latePart } from '../../shared/ui/late-part';
import { BoardFilters, boardTabId } from './components/board-filters';
import { SuggestDialog } from './components/suggest-dialog';
import { SuggestionCard } from './components/suggestion-card';
import { statuses, type Sort, type Status, type Suggestion } from './suggestion';

// Only administrators open it.
const EditDialog = latePart(() => import('./components/edit-dialog').then((m) => m.EditDialog));

const panelId = 'suggestions-list';
const typingPause = 250;

/** /feature-suggestions: what people wish of the product. The tab stands in the address. */
export function SuggestionsPage() {
  const { t } = useTranslation('suggestions');
  const [suggesting, setSuggesting] = useState(false);
  const suggest = (
    <Button variant="contained" color="primary" startIcon={<AddRounded />} onClick={() => setSuggesting(true)}>
      {t('suggest')}
    </Button>
  );
  return (
    <Box sx={{ maxWidth: 'lg', mx: 'auto' }}>
      <PageHeader title={t('title')} description={t('description')} actions={suggest} />
      <Board />
      <SuggestDialog open={suggesting} onClose={() => setSuggesting(false)} />
    </Box>
  );
}

function useStatus(): [Status | '', (status: Status | '') => void] {
  const [params, setParams] = useSearchParams();
  const status = statuses.find((one) => one === params.get('status')) ?? '';
  return [status, (next) => setParams(next ? { status: next } : {}, { replace: true, preventScrollReset: true })];
}

/** The board; words in the address, as links to a suggestion have them, are looked for at once. */
function Board() {
  const [params] = useSearchParams();
  const asked = params.get('q') ?? '';
  return <SearchedBoard key={asked} asked={asked} />;
}

function SearchedBoard({ asked }: { asked: string }) {
  const { t } = useTranslation('suggestions');
  const queries = useQueryClient();
  const [status, setStatus] = useStatus();
  const [sort, setSort] = useState<Sort>('votes');
  const [typed, setTyped] = useState(asked);
  const [edited, setEdited] = useState<Suggestion | null>(null);
  const q = useDebounced(typed.trim(), typingPause);
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
        {...{ status, sort, panelId, q: typed }}
        onStatus={setStatus}
        onSort={setSort}
        onSearch={setTyped}
      />
      <Box role="tabpanel" id={panelId} aria-labelledby={boardTabId(status)}>
        {error && !data && <ErrorState title={t('failed')} error={error} onRetry={refetch} />}
        {!data && !error && <RowsSkeleton rows={8} />}
        {data && <Suggestions suggestions={data} isFiltered={Boolean(status || q)} onEdit={setEdited} />}
      </Box>
      {edited && (
        <EditDialog
          suggestion={edited}
          onClose={() => setEdited(null)}
          onSaved={() => void touch(queries, 'PATCH /api/feature-suggestions/{id}')}
        />
      )}
    </>
  );
}

interface SuggestionsProps {
  suggestions: readonly Suggestion[];
  isFiltered: boolean;
  onEdit: (suggestion: Suggestion) => void;
}

function Suggestions({ suggestions, isFiltered, onEdit }: SuggestionsProps) {
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
      height={220}
      keyOf={(index) => suggestions[index]!.id}
      renderItem={(index) => <SuggestionCard suggestion={suggestions[index]!} onEdit={onEdit} />}
    />
  );
}
