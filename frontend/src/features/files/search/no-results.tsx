import SearchOffRounded from '@mui/icons-material/SearchOffRounded';
import Card from '@mui/material/Card';
import { useTranslation } from 'react-i18next';
import { EmptyState } from '../../../shared/ui/empty-state';

interface Props {
  q: string;
  /** What was searched: only names if the query is too short for document text, or if that search failed. */
  searchScope: 'all' | 'tooShort' | 'names';
}

/** Empty state of a search. */
export function NoResults({ q, searchScope }: Props) {
  const { t } = useTranslation('files');
  const textKeys = { all: 'nothingText', tooShort: 'nothingShort', names: 'nothingInNames' } as const;
  return (
    <Card role="status">
      <EmptyState
        icon={<SearchOffRounded />}
        title={t('search.nothing', { q })}
        text={t(`search.${textKeys[searchScope]}`)}
      />
    </Card>
  );
}
