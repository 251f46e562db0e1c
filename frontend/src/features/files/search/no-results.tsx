import SearchOffRounded from '@mui/icons-material/SearchOffRounded';
import Card from '@mui/material/Card';
import { useTranslation } from 'react-i18next';
import { EmptyState } from '../../../shared/ui/empty-state';

interface Props {
  q: string;
  /** What was searched: names alone where it has too few letters for texts, or where these could not be searched. */
  searchScope: 'all' | 'tooShort' | 'names';
}

/** A search without a result. */
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
