import SearchOffRounded from '@mui/icons-material/SearchOffRounded';
import Card from '@mui/material/Card';
import { useTranslation } from 'react-i18next';
import { EmptyState } from '../../../shared/ui/empty-state';

interface Props {
  q: string;
  /** What was searched: names alone where it has too few letters for texts, or where these could not be searched. */
  searched: 'all' | 'short' | 'names';
}

/** A search without a result. */
export function NothingFound({ q, searched }: Props) {
  const { t } = useTranslation('files');
  const text = { all: 'nothingText', short: 'nothingShort', names: 'nothingInNames' } as const;
  return (
    <Card role="status">
      <EmptyState icon={<SearchOffRounded />} title={t('search.nothing', { q })} text={t(`search.${text[searched]}`)} />
    </Card>
  );
}
